// The promise tools themselves: what may be cited, and how citations are read.
import { describe, expect, test } from 'vitest';
import { parse } from '../layout/parse.ts';
import { citationsOf } from './citations.ts';
import { promises } from './promises.ts';
import { verifies } from './verifies.ts';

// Under another name, so that these attempts are not read as citations.
const cite = verifies;
const nothing = async () => {};

describe('citing', () => {
  test('a promise left to later work is refused where it is cited', () => {
    expect(() => cite('auth:key:expiry-mail', 'too early', nothing)).toThrow(/left to later work/);
  });

  test('an id that is no promise does not compile, and is refused all the same', () => {
    // @ts-expect-error: the compiler knows every id
    expect(() => cite('documents:add:typo', 'nobody promised this', nothing)).toThrow(/is no promise/);
  });
});

describe('reading citations', () => {
  const read = (text: string) => citationsOf(parse('some.test.ts', text)).map(({ id }) => id);

  test('one id and several ids are both read', () => {
    expect(read(`verifies('a:b:c', 'one', body);\nverifies(['d:e:f', 'g:h:i'], 'two', body);`)).toEqual([
      'a:b:c',
      'd:e:f',
      'g:h:i',
    ]);
  });

  test('an id that is computed is a citation nobody can read', () => {
    expect(read('verifies(row.id, "one", body)')).toEqual([undefined]);
  });

  test('a citation in a comment or a string counts for nothing', () => {
    expect(read(`// verifies('a:b:c', …)\nconst text = "verifies('a:b:c')";`)).toEqual([]);
  });
});

test('every promise is one sentence with a source and a readable id', () => {
  for (const { id, says } of promises) {
    expect(id).toMatch(/^[a-z0-9-]+:[a-z0-9-]+:[a-z0-9-]+$/);
    expect(says, id).toMatch(/^[A-Za-z0-9/].*\.$/);
  }
});

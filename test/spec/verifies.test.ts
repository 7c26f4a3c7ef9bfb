// Tests of the promise tools: which ids can be cited, and how citations are read.
import { describe, expect, test } from 'vitest';
import { parse } from '../../scripts/source/parse.ts';
import { citationsOf } from './citations.ts';
import { promises } from './promises.ts';
import { verifies } from './verifies.ts';

// Under another name, so that these attempts are not read as citations.
const cite = verifies;
const nothing = async () => {};

describe('citing', () => {
  test('an unknown id does not compile, and is refused at run time as well', () => {
    // @ts-expect-error: the compiler knows every id
    expect(() => cite('documents:add:typo', 'nobody promised this', nothing)).toThrow(/is no promise/);
  });
});

describe('reading citations', () => {
  const read = (text: string) => citationsOf(parse('some.test.ts', text)).map(({ id }) => id);

  test('reads one id and several ids', () => {
    expect(read(`verifies('a:b:c', 'one', body);\nverifies(['d:e:f', 'g:h:i'], 'two', body);`)).toEqual([
      'a:b:c',
      'd:e:f',
      'g:h:i',
    ]);
  });

  test('reports a computed id, because it cannot be read', () => {
    expect(read('verifies(row.id, "one", body)')).toEqual([undefined]);
  });

  test('ignores a citation in a comment or a string', () => {
    expect(read(`// verifies('a:b:c', …)\nconst text = "verifies('a:b:c')";`)).toEqual([]);
  });
});

test('every promise is one sentence with a source and a readable id', () => {
  for (const { id, says } of promises) {
    expect(id).toMatch(/^[a-z0-9-]+:[a-z0-9-]+:[a-z0-9-]+$/);
    expect(says, id).toMatch(/^[A-Za-z0-9/].*\.$/);
  }
});

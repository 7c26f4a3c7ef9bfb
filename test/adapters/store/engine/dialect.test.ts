// Tests of the shared language of statements: each database says its words in its own way.
import { expect, test } from 'vitest';
import { type SharedWords, translate } from '../../../../server/adapters/store/engine/dialect.ts';

const spoken =
  (name: string) =>
  (...given: string[]): string =>
    `<${name} ${given.join('|')}>`;

const WORDS: SharedWords = {
  parameter: (n) => `:${n}`,
  number_list: spoken('numbers'),
  text_list: spoken('texts'),
  number_rows: spoken('rows'),
  group_list: spoken('group'),
  group_bytes: spoken('bytes'),
  chunks_holding: spoken('chunks'),
  memories_holding: spoken('memories'),
  text_place: spoken('place'),
  same_value: spoken('same'),
  interruptible: spoken('end'),
};

test('words and parameters are replaced, and everything else stays', () => {
  expect(
    translate('select n from tags where n in (select value from number_list($2)) and a = $1', WORDS),
  ).toBe('select n from tags where n in (select value from <numbers :2>) and a = :1');
  expect(translate('select "number_list", my_number_list(1), $x', WORDS)).toBe(
    'select "number_list", my_number_list(1), $x',
  );
});

test('a word takes several arguments, and calls of functions among them', () => {
  expect(translate('text_place(lower(text), $3) > 0 and interruptible()', WORDS)).toBe(
    '<place lower(text)|:3> > 0 and <end >',
  );
  expect(translate('group_list(length("terms")), group_bytes(terms)', WORDS)).toBe(
    '<group length("terms")>, <bytes terms>',
  );
});

test('more parameters than nine keep their numbers', () => {
  expect(translate('values ($1, $10, $11)', WORDS)).toBe('values (:1, :10, :11)');
});

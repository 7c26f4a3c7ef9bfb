// Tests of splitting texts into sentences at full stops that do not all end one.
import { expect, test } from 'vitest';
import { ENGLISH_ABBREVIATIONS } from '../../../../server/lib/text/sentences/sentence-marks.ts';
import { splitSentences } from '../../../../server/lib/text/sentences/split-sentences.ts';

const split = (text: string): string[] => splitSentences(text, ENGLISH_ABBREVIATIONS);

test.each([
  [
    'a word of any length ends a sentence',
    ['It was a go.', 'We stayed.', 'The handkerchief.', 'It is mine.'],
  ],
  ['an abbreviation ends none', ['She met approx. Ten of them.', 'They left.']],
  ['a title and an initial end none', ['Mr. Weller and A. Smith met Sra. Quispe.', 'They talked.']],
  ['a small letter before the stop is an initial', ['Section b. Is the next one.']],
  ['a letter behind a noun ends a sentence', ['We met in hall B.', 'It was full.']],
  ['a German ordinal ends none', ['Wir kommen am 3. Oktober an.', 'Danach reisen wir.']],
  ['a number ends a sentence', ['There were 12.', 'All of them left.']],
  [
    'a small letter behind the stop continues the sentence',
    ['It cost 5 dollars. or so, they said.', 'Fine.'],
  ],
  ['quotes behind the stop belong to its sentence', ['He said "go."', 'She went.']],
  ['accents and joined words', ['Wir waren im Café.', 'The mark-up.', 'It said e.g. Nothing.']],
])('%s', (_, sentences) => {
  expect(split(sentences.join(' '))).toEqual(sentences);
});

test('a line that ends with a mark, quotes and blanks is not joined with the next one', () => {
  const long = 'The heron waits at the edge of the lake until the fish come near "enough."';
  expect(split(`${long}  \nIt waits`)).toEqual([long, 'It waits']);
  const open = 'The heron waits at the edge of the lake until the fish come near enough for';
  expect(split(`${open}\nit`)).toEqual([`${open} it`]);
});

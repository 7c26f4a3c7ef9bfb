// Tests of the sentences of a text as ranges.
import { expect, test } from 'vitest';
import { sentenceRanges } from '../../../../server/lib/text/sentences/sentence-ranges.ts';

const sentencesOf = (text: string) =>
  sentenceRanges(text).map(({ start, end }) => text.slice(start, end).trimEnd());

test.each([
  ['One. Two! Three?', ['One.', 'Two!', 'Three?']],
  ['Dr. Amsel rows. He said "Stop." Then he left.', ['Dr. Amsel rows.', 'He said "Stop."', 'Then he left.']],
  ['- milk\n- eggs', ['- milk', '- eggs']],
  [
    'This is a long line that the writer wrapped at the margin of the\npage. Next.',
    ['This is a long line that the writer wrapped at the margin of the\npage.', 'Next.'],
  ],
  ['猫がいる。犬もいる。', ['猫がいる。', '犬もいる。']],
  ['أين المكتبة؟ هي هنا.', ['أين المكتبة؟', 'هي هنا.']],
  ['वह दिल्ली में है। वह डॉक्टर है।', ['वह दिल्ली में है।', 'वह डॉक्टर है।']],
  ['Am 3. Oktober reisen wir. Gut.', ['Am 3. Oktober reisen wir.', 'Gut.']],
  ['', []],
])('%j', (text, wanted) => expect(sentencesOf(text)).toEqual(wanted));

test('the ranges together are the text', () => {
  const text = 'A b.  C d!\n\nE f\ng. h';
  expect(
    sentenceRanges(text)
      .map(({ start, end }) => text.slice(start, end))
      .join(''),
  ).toBe(text);
});

// Tests of white space in texts that are shown on one line.
import { expect, test } from 'vitest';
import { singleSpaced } from '../../../server/lib/text/single-spaced.ts';

test.for([
  ['single blanks', 'one two three', 'one two three'],
  ['runs of blanks', 'one  two   three', 'one two three'],
  ['lines and tabs', 'one\ntwo\tthree\r\nfour', 'one two three four'],
  ['blanks of other scripts', 'one\u00a0two\u2003three\u3000four', 'one two three four'],
  ['white space at the ends', ' \n one \ufeff', 'one'],
  ['nothing else', ' \t ', ''],
] as const)('%s become single blanks between words', ([, text, shown]) => {
  expect(singleSpaced(text)).toBe(shown);
});

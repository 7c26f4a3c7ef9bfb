// The words of a text as weights of words know them: their roots in order, a mark in place of a name or a number.
import { createMemo } from '../../../lib/memo.ts';
import { isPlainText } from '../../../lib/text/language/scripts.ts';
import { matchesIn } from '../../../lib/text/matches.ts';
import { analyse } from '../../../lib/text/terms/analyse.ts';
import { rootOf } from '../../../lib/text/terms/derivations.ts';

export const NAME = 'NAME';
export const NUMBER = 'NUMBER';

const WORD = /[\p{L}\p{N}]+(?:['’][\p{L}\p{N}]+)*/gu;
const PLAIN_WORD = /[a-z0-9]+(?:['’][a-z0-9]+)*/gi;
/** Words that stand in most statements. */
const BARE = /^(?:the|an?|user)$/;
const ROOTS = 16_384;

const NOTHING = '';
const memo = createMemo<string>(ROOTS);

/** The root of a word as written, or the mark in its place. */
const rootOfWord = (word: string): string =>
  memo(word, () => {
    if (/\p{N}/u.test(word)) return NUMBER;
    const lower = word.toLowerCase();
    return BARE.test(lower) ? NOTHING : rootOf(analyse(lower)[0] ?? lower);
  });

/** `isName`: of the word as written, its root, and the place where it stands. */
export const wordingOf = (
  text: string,
  isName: (word: string, root: string, at: number) => boolean,
): string[] => {
  const found: string[] = [];
  for (const { 0: word, index } of matchesIn(text, isPlainText(text) ? PLAIN_WORD : WORD)) {
    const root = rootOfWord(word);
    if (root === NUMBER) found.push(NUMBER);
    else if (root !== NOTHING) found.push(isName(word, root, index) ? NAME : root);
  }
  return found;
};

/** Each two words that follow each other. */
export const pairsIn = (words: readonly string[]): string[] =>
  words.slice(1).map((word, at) => `${words[at]} ${word}`);

// The words of a text as weights of words know them: their roots in order, a mark in place of a name or a number.
import { createMemo } from '../../../lib/memo.ts';
import { analyse } from '../../../lib/text/analyse.ts';
import { rootOf } from '../../../lib/text/derivations.ts';

export const NAME = 'NAME';
export const NUMBER = 'NUMBER';

const WORD = /[\p{L}\p{N}]+(?:['’][\p{L}\p{N}]+)*/gu;
/** They stand in most statements. */
const BARE = /^(?:the|an?|user)$/;
const ROOTS = 16_384;

const memo = createMemo<string>(ROOTS);
const rootOfWord = (word: string): string => memo(word, () => rootOf(analyse(word)[0] ?? word));

/** `isName`: of the word as written, in small letters, and the place where it stands. */
export const wordingOf = (
  text: string,
  isName: (word: string, root: string, at: number) => boolean,
): string[] =>
  [...text.matchAll(WORD)].flatMap(({ 0: word, index }) => {
    if (/\p{N}/u.test(word)) return NUMBER;
    const lower = word.toLowerCase();
    if (BARE.test(lower)) return [];
    const root = rootOfWord(lower);
    return isName(word, root, index) ? NAME : root;
  });

/** Each two words that follow each other. */
export const pairsIn = (words: readonly string[]): string[] =>
  words.slice(1).map((word, at) => `${words[at]} ${word}`);

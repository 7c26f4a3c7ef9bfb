// The languages that share one way of reading, and their words.
import { french } from './french.ts';
import { german } from './german.ts';
import type { SelfLanguage } from './grammar/verbs.ts';
import { italian } from './italian.ts';
import { portuguese } from './portuguese.ts';
import { spanish } from './spanish.ts';

export const LANGUAGES: readonly SelfLanguage[] = [german, spanish, french, italian, portuguese];

/** French writes "j'habite" and "m'appelle" as one word. */
export const wordsOf = (sentence: string): string[] =>
  sentence.replace(/\b([jJmMnNsS])['’](?=\p{L})/gu, "$1' ").split(/\s+/);

// The words of an English text with their parts of speech and plain forms, by wink-nlp. About 25 µs a sentence.
import { createRequire } from 'node:module';

export interface TaggedWord {
  readonly word: string;
  readonly lower: string;
  /** The plain form: "live" for "lives". */
  readonly lemma: string;
  /** A universal part of speech: "NOUN", "VERB". */
  readonly pos: string;
  readonly start: number;
  readonly end: number;
}

/** The part of the library that is used; its own types need a default import, which CommonJS does not have. */
interface Items {
  out(): string[];
  out(of: unknown): string[];
}
interface Tagger {
  readDoc(text: string): { tokens(): Items };
  readonly its: Readonly<Record<'pos' | 'lemma' | 'precedingSpaces' | 'uniqueId', unknown>>;
}

let loaded: Tagger | null = null;
/** Words that the model does not know get numbers from here on. */
let firstUnknown = 0;
/** No language has it. */
const UNKNOWN_WORD = 'qzxwvkjq';

const numbersOf = (text: string): number[] => {
  const { its, readDoc } = tagger();
  return readDoc(text).tokens().out(its.uniqueId).map(Number);
};

/** Loaded on first use: the model takes half a second and 30 MB, and most threads never tag a text. */
const tagger = (): Tagger => {
  if (loaded) return loaded;
  const require = createRequire(import.meta.url);
  const create = require('wink-nlp') as (model: unknown, pipes: readonly string[]) => Tagger;
  loaded = create(require('wink-eng-lite-web-model'), ['sbd', 'pos']);
  return loaded;
};

/** True if the model of English knows each word: about 87,000 forms, names and words of other languages among them. */
export const areEnglishWords = (text: string): boolean => {
  firstUnknown ||= numbersOf(UNKNOWN_WORD)[0] ?? 0;
  return numbersOf(text).every((number) => number < firstUnknown);
};

/** Loads the model, so that the first text does not wait for it. */
export const prepareTagging = (): void => void tagger();

export const taggedWords = (text: string): TaggedWord[] => {
  const { its } = tagger();
  const tokens = tagger().readDoc(text).tokens();
  const words = tokens.out();
  const parts = tokens.out(its.pos);
  const lemmas = tokens.out(its.lemma);
  const spaces = tokens.out(its.precedingSpaces);
  const found: TaggedWord[] = [];
  let end = 0;
  words.forEach((word, at) => {
    const start = end + (spaces[at]?.length ?? 0);
    end = start + word.length;
    const lower = word.toLowerCase();
    found.push({ word, lower, lemma: lemmas[at] ?? lower, pos: parts[at] ?? 'X', start, end });
  });
  return found;
};

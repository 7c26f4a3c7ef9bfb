// The words of an English text with their parts of speech and plain forms, by wink-nlp. About 25 µs a sentence.
import { createRequire } from 'node:module';

export interface TaggedWord {
  /** The plain form: "live" for "lives". */
  readonly lemma: string;
  /** A universal part of speech: "NOUN", "VERB". */
  readonly pos: string;
  /** False for a word that the model of English has not seen: a name, a product, a slip of the keyboard. */
  readonly isKnown: boolean;
  /** The position behind it in the text. */
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
/** Words that the model does not know get numbers from here on, in the order in which they are met. */
let firstUnknown = 0;
/** No language has it. */
const UNKNOWN_WORD = 'qzxwvkjq';

const numbersOf = ({ its, readDoc }: Tagger, text: string): number[] =>
  readDoc(text).tokens().out(its.uniqueId).map(Number);

const isKnownNumber = (number: number): boolean => number < firstUnknown;

/** Loaded on first use: the model takes half a second and 30 MB, and most threads never tag a text. */
const tagger = (): Tagger => {
  if (loaded) return loaded;
  const require = createRequire(import.meta.url);
  const create = require('wink-nlp') as (model: unknown, pipes: readonly string[]) => Tagger;
  loaded = create(require('wink-eng-lite-web-model'), ['sbd', 'pos']);
  firstUnknown = numbersOf(loaded, UNKNOWN_WORD)[0] ?? 0;
  return loaded;
};

/** True if the model of English knows each word: about 87,000 forms, names and words of other languages among them. */
export const areEnglishWords = (text: string): boolean => numbersOf(tagger(), text).every(isKnownNumber);

export const taggedWords = (text: string): TaggedWord[] => {
  const { its, readDoc } = tagger();
  const tokens = readDoc(text).tokens();
  const words = tokens.out();
  const parts = tokens.out(its.pos);
  const spaces = tokens.out(its.precedingSpaces);
  let lemmas: readonly string[] | null = null;
  let numbers: readonly string[] | null = null;
  let end = 0;
  return words.map((word, at) => {
    end += (spaces[at]?.length ?? 0) + word.length;
    return {
      pos: parts[at] ?? 'X',
      end,
      get lemma() {
        lemmas ??= tokens.out(its.lemma);
        return lemmas[at] ?? word.toLowerCase();
      },
      get isKnown() {
        numbers ??= tokens.out(its.uniqueId);
        return isKnownNumber(Number(numbers[at]));
      },
    };
  });
};

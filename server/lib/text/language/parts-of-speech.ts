// The words of an English text with their parts of speech and plain forms, by wink-nlp. About 10 µs a sentence.
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
export interface Tagger {
  readDoc(text: string): { tokens(): Items };
  readonly its: Readonly<Record<'pos' | 'lemma' | 'precedingSpaces' | 'uniqueId', unknown>>;
}

/** No language has it. */
const UNKNOWN_WORD = 'qzxwvkjq';

/**
 * "a friend of the user's, Ann": the library takes "user's" before a mark for one word, keeps it, and from then on parts no
 * "user's" of any text. A blank before the mark lets each text be read alike, whatever was read before.
 */
const OWNER_BEFORE_MARK = /(?<=\p{L}['’]s)(?=[^\s\p{L}\p{N}])/gu;

const tokensIn = (text: string, { readDoc }: Tagger): Items =>
  readDoc(text.replace(OWNER_BEFORE_MARK, ' ')).tokens();

const numbersOf = (tagger: Tagger, text: string): number[] =>
  tokensIn(text, tagger).out(tagger.its.uniqueId).map(Number);

/** Words that the model does not know get numbers in the order in which they are met. */
const nextNumber = (tagger: Tagger, call: number): number =>
  numbersOf(tagger, `${UNKNOWN_WORD}${call}`)[0] ?? 0;

export interface LoadedTagger extends Tagger {
  /** The number of the first word that the model does not know. */
  readonly firstUnknown: number;
}

/** About 20 MB. */
const MOST_UNKNOWN = 100_000;
const CALLS_BETWEEN_LOOKS = 1_000;

/** The library keeps each unknown word for good, so that it is loaded anew after so many of them. */
export const createTaggerSource = (
  load: () => Tagger,
  { mostUnknown = MOST_UNKNOWN, callsBetweenLooks = CALLS_BETWEEN_LOOKS } = {},
): (() => LoadedTagger) => {
  let loaded: LoadedTagger | null = null;
  let calls = 0;
  return () => {
    calls += 1;
    if (loaded !== null && calls % callsBetweenLooks === 0) {
      const unknown = nextNumber(loaded, calls) - loaded.firstUnknown;
      if (unknown > mostUnknown) loaded = null;
    }
    if (loaded === null) {
      const fresh = load();
      loaded = { ...fresh, firstUnknown: nextNumber(fresh, calls) };
    }
    return loaded;
  };
};

/** Loaded on first use: the model takes half a second and 30 MB, and most threads never tag a text. */
const tagger = createTaggerSource(() => {
  const require = createRequire(import.meta.url);
  const create = require('wink-nlp') as (model: unknown, pipes: readonly string[]) => Tagger;
  return create(require('wink-eng-lite-web-model'), ['pos']);
});

/** True if the model of English knows each word: about 87,000 forms, names and words of other languages among them. */
export const areEnglishWords = (text: string): boolean => {
  const loaded = tagger();
  return numbersOf(loaded, text).every((number) => number < loaded.firstUnknown);
};

const MOST_JUDGED = 32_768;
const judged = new Map<string, boolean>();

/** Looks several words up at once; where the library parts one of them, each by itself. */
const lookUp = (words: readonly string[]): void => {
  if (words.length === 0) return;
  const loaded = tagger();
  const numbers = numbersOf(loaded, words.join(' '));
  const isWhole = numbers.length === words.length;
  for (const [at, word] of words.entries())
    judged.set(word, isWhole ? Number(numbers[at]) < loaded.firstUnknown : areEnglishWords(word));
};

/** True if the model of English knows this share of the words; each word is looked up once. */
export const areMostlyEnglish = (words: readonly string[], least: number): boolean => {
  if (judged.size > MOST_JUDGED) judged.clear();
  lookUp([...new Set(words)].filter((word) => !judged.has(word)));
  return words.filter((word) => judged.get(word)).length >= words.length * least;
};

/** Most words are asked for their part of speech alone. */
class TaggedText {
  readonly #tokens: Items;
  readonly #its: Tagger['its'];
  readonly #firstUnknown: number;
  #lemmas: readonly string[] | null = null;
  #numbers: readonly string[] | null = null;

  constructor(tokens: Items, { its, firstUnknown }: LoadedTagger) {
    this.#tokens = tokens;
    this.#its = its;
    this.#firstUnknown = firstUnknown;
  }

  lemmaAt(at: number): string {
    this.#lemmas ??= this.#tokens.out(this.#its.lemma);
    return this.#lemmas[at] ?? '';
  }

  isKnownAt(at: number): boolean {
    this.#numbers ??= this.#tokens.out(this.#its.uniqueId);
    return Number(this.#numbers[at]) < this.#firstUnknown;
  }
}

class Word implements TaggedWord {
  readonly pos: string;
  readonly end: number;
  readonly #text: TaggedText;
  readonly #at: number;

  constructor(text: TaggedText, at: number, { pos, end }: Pick<TaggedWord, 'pos' | 'end'>) {
    this.pos = pos;
    this.end = end;
    this.#text = text;
    this.#at = at;
  }

  get lemma(): string {
    return this.#text.lemmaAt(this.#at);
  }

  get isKnown(): boolean {
    return this.#text.isKnownAt(this.#at);
  }
}

export const taggedWords = (text: string): TaggedWord[] => {
  const loaded = tagger();
  const blanks = [...text.matchAll(OWNER_BEFORE_MARK)].map(({ index }) => index);
  const tokens = tokensIn(text, loaded);
  const parts = tokens.out(loaded.its.pos);
  const spaces = tokens.out(loaded.its.precedingSpaces);
  const tagged = new TaggedText(tokens, loaded);
  let end = 0;
  return tokens.out().map((word, at) => {
    const isAfterBlank = blanks[0] === end;
    if (isAfterBlank) blanks.shift();
    end += (spaces[at]?.length ?? 0) - Number(isAfterBlank) + word.length;
    return new Word(tagged, at, { pos: parts[at] ?? 'X', end });
  });
};

// Keeps what is known of words and finds it by their letters, inside of a text: of a word that came before no string is made.
// Splitting the text by an expression and looking each word up in a map takes more time, and twice as much where other threads
// use the caches of the processor too.
import {
  hashPacked,
  isLetterAt,
  isPackedAt,
  LONGEST_PACKED,
  PACKED_NUMBERS,
  packHash,
  packWhole,
  packWord,
} from './packed-letters.ts';

/** Longer words are too rare to be kept. */
const LONGEST_KEPT = 40;
/** A word stands in one of the places of its group, and a word of another text takes its place some time. */
const GROUP = 4;
const PLACES = 65_536;

/** V8 copies what is cut out of a text where it is shorter; a longer slice that is kept would keep the whole text in memory. */
const SHORTEST_SLICE = 13;

const ownCopy = (word: string): string =>
  word.length < SHORTEST_SLICE ? word : Buffer.from(word, 'utf16le').toString('utf16le');

const isAt = (word: string, text: string, from: number, to: number): boolean => {
  if (word.length !== to - from) return false;
  for (let at = 0; at < word.length; at += 1)
    if (word.charCodeAt(at) !== text.charCodeAt(from + at)) return false;
  return true;
};

export interface WordTable<Word> {
  /** The facts known of a word. */
  of(word: string): Word;
  /** The same for the words of a text in lower case, whose letters are those of ASCII; `starts` gets the place of each. */
  inPlainText(text: string, starts?: number[]): Word[];
}

/** `describe`: what is kept of a word. */
export const createWordTable = <Word extends { readonly text: string }>(
  describe: (word: string) => Word,
): WordTable<Word> => {
  const words = new Array<Word | undefined>(PLACES);
  /** The letters of each, or a hash of those that are not packed. The letters of a group are one line of the caches. */
  const letters = new Int32Array(PLACES * PACKED_NUMBERS);
  const packed = new Int32Array(PACKED_NUMBERS);
  let turn = 0;

  /** `exactly`: the packed letters say the word; otherwise they are compared. */
  const between = (text: string, from: number, to: number, exactly: boolean): Word => {
    const group = hashPacked(packed) & (PLACES - GROUP);
    for (let place = group; place < group + GROUP; place += 1) {
      const known = isPackedAt(letters, place * PACKED_NUMBERS, packed) ? words[place] : undefined;
      if (known !== undefined && (exactly || isAt(known.text, text, from, to))) return known;
    }
    const word = describe(ownCopy(text.slice(from, to)));
    turn = (turn + 1) % GROUP;
    words[group + turn] = word;
    letters.set(packed, (group + turn) * PACKED_NUMBERS);
    return word;
  };

  const byHash = (text: string, from: number, to: number): Word => {
    if (to - from > LONGEST_KEPT) return describe(text.slice(from, to));
    packHash(text, from, to, packed);
    return between(text, from, to, false);
  };

  return {
    of: (word) =>
      packWhole(word, packed) ? between(word, 0, word.length, true) : byHash(word, 0, word.length),
    inPlainText(text, starts) {
      const found: Word[] = [];
      for (let at = 0; at < text.length; at += 1) {
        if (!isLetterAt(text, at)) continue;
        const end = packWord(text, at, packed);
        found.push(end - at <= LONGEST_PACKED ? between(text, at, end, true) : byHash(text, at, end));
        starts?.push(at);
        at = end;
      }
      return found;
    },
  };
};

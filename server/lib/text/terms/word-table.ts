// Keeps what is known of words and finds it by their letters, inside of a text: of a word that came before no string is made.
// Splitting the text by an expression and looking each word up in a map takes more time, and twice as much where other threads
// use the caches of the processor too.

/** Longer words are too rare to be kept. */
const LONGEST_KEPT = 40;
/** A word stands in one of the places of its group, and a word of another text takes its place some time. */
const GROUP = 4;
const PLACES = 65_536;

const [APOSTROPHE, DIGIT_0, DIGIT_9, LETTER_A, LETTER_Z] = [39, 48, 57, 97, 122];

const isPart = (code: number): boolean =>
  (code >= LETTER_A && code <= LETTER_Z) || (code >= DIGIT_0 && code <= DIGIT_9);

/** The end of the word of a–z and 0–9 that begins here; an apostrophe between two of them belongs to it. */
const endOfWord = (text: string, from: number): number => {
  let at = from + 1;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (isPart(code)) continue;
    if (code !== APOSTROPHE || at + 1 >= text.length || !isPart(text.charCodeAt(at + 1))) return at;
  }
  return at;
};

const isAt = (word: string, text: string, from: number, to: number): boolean => {
  if (word.length !== to - from) return false;
  for (let at = 0; at < word.length; at += 1)
    if (word.charCodeAt(at) !== text.charCodeAt(from + at)) return false;
  return true;
};

/** V8 copies what is cut out of a text where it is shorter; a longer slice that is kept would keep the whole text in memory. */
const SHORTEST_SLICE = 13;

const ownCopy = (word: string): string =>
  word.length < SHORTEST_SLICE ? word : Buffer.from(word, 'utf16le').toString('utf16le');

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
  const hashes = new Int32Array(PLACES);
  // A caller cannot choose words that all belong to one group.
  const seed = Math.floor(Math.random() * 2 ** 32);
  let turn = 0;

  const hashOf = (text: string, from: number, to: number): number => {
    let hash = seed;
    for (let at = from; at < to; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 16777619);
    return hash ^ (hash >>> 15);
  };

  const between = (text: string, from: number, to: number): Word => {
    if (to - from > LONGEST_KEPT) return describe(text.slice(from, to));
    const hash = hashOf(text, from, to);
    const group = hash & (PLACES - GROUP);
    for (let place = group; place < group + GROUP; place += 1) {
      const known = hashes[place] === hash ? words[place] : undefined;
      if (known !== undefined && isAt(known.text, text, from, to)) return known;
    }
    const word = describe(ownCopy(text.slice(from, to)));
    turn = (turn + 1) % GROUP;
    words[group + turn] = word;
    hashes[group + turn] = hash;
    return word;
  };

  return {
    of: (word) => between(word, 0, word.length),
    inPlainText(text, starts) {
      const found: Word[] = [];
      for (let at = 0; at < text.length; at += 1) {
        if (!isPart(text.charCodeAt(at))) continue;
        const end = endOfWord(text, at);
        found.push(between(text, at, end));
        starts?.push(at);
        at = end;
      }
      return found;
    },
  };
};

// The letters of a short word as few numbers, which say no less than the word: to compare them reads one line of the caches of
// the processor, where a comparison of strings reads two further places of memory.

/** Five letters are one number. */
const BITS = 6;
const LETTERS = 5;
/** The numbers of one word. */
export const PACKED_NUMBERS = 4;
/** The letters of a longer word are not packed. */
export const LONGEST_PACKED = LETTERS * PACKED_NUMBERS;
/** Packed letters lack this bit. */
const NOT_PACKED = 1 << 30;

/** By the code of a character of ASCII: the number of a–z, of 0–9 and of the apostrophe; 0 of all others. */
const PARTS = ((): Uint8Array => {
  const parts = new Uint8Array(128);
  for (const [at, part] of [..."abcdefghijklmnopqrstuvwxyz0123456789'"].entries())
    parts[part.charCodeAt(0)] = at + 1;
  return parts;
})();
const NO_PART = 0;
const APOSTROPHE = 37;

const partAt = (text: string, at: number): number => {
  const code = text.charCodeAt(at);
  return code < PARTS.length ? (PARTS[code] as number) : NO_PART;
};

const isLetter = (part: number): boolean => part !== NO_PART && part !== APOSTROPHE;

/** True: a letter of a–z or a digit stands here. */
export const isLetterAt = (text: string, at: number): boolean => isLetter(partAt(text, at));

/**
 * The end of the word of a–z and 0–9 that begins here; an apostrophe between two of them belongs to it. `packed` gets its
 * letters; they say the word if it is no longer than the longest.
 */
export const packWord = (text: string, from: number, packed: Int32Array): number => {
  let at = from;
  let letters = 0;
  let room = LETTERS;
  let number = 0;
  for (; at < text.length; at += 1) {
    const part = partAt(text, at);
    if (part === NO_PART) break;
    if (part === APOSTROPHE && !isLetterAt(text, at + 1)) break;
    letters = (letters << BITS) | part;
    room -= 1;
    if (room > 0 || number >= PACKED_NUMBERS) continue;
    packed[number] = letters;
    number += 1;
    letters = 0;
    room = LETTERS;
  }
  for (; number < PACKED_NUMBERS; number += 1) {
    packed[number] = letters;
    letters = 0;
  }
  return at;
};

/** True if the letters say the whole word; they are packed then. */
export const packWhole = (word: string, packed: Int32Array): boolean =>
  word.length <= LONGEST_PACKED && packWord(word, 0, packed) === word.length;

/** A caller cannot choose words that all belong to one place of a table. */
const SEED = Math.floor(Math.random() * 2 ** 32);

const mixed = (hash: number, number: number): number => {
  const product = Math.imul(hash ^ number, 0x9e3779b1);
  return product ^ (product >>> 15);
};

/** The hash of packed letters, differently in each process. */
export const hashPacked = (packed: Int32Array): number => {
  let hash = SEED;
  for (let at = 0; at < PACKED_NUMBERS; at += 1) hash = mixed(hash, packed[at] as number);
  return hash;
};

/** A hash in place of the letters of any other word. */
export const packHash = (text: string, from: number, to: number, packed: Int32Array): void => {
  let hash = SEED;
  for (let at = from; at < to; at += 1) hash = mixed(hash, text.charCodeAt(at));
  packed[0] = hash | NOT_PACKED;
  for (let at = 1; at < PACKED_NUMBERS; at += 1) packed[at] = 0;
};

/** True if the letters stand at this place of a list of numbers. */
export const isPackedAt = (numbers: Int32Array, at: number, packed: Int32Array): boolean =>
  numbers[at] === packed[0] &&
  numbers[at + 1] === packed[1] &&
  numbers[at + 2] === packed[2] &&
  numbers[at + 3] === packed[3];

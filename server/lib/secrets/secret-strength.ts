// Estimates how hard a secret is to guess, from its characters alone.

/** A letter after a letter is often part of a word, where the next letter is easy to guess. */
const BITS_IN_A_WORD = 1.5;
/** A mark between words tells little. */
const BITS_OF_A_MARK = 1;

const isLetter = (text: string): boolean => /^\p{L}$/u.test(text);
const isMark = (text: string): boolean => /^[^\p{L}\p{N}]$/u.test(text);
const caseOf = (text: string): 'upper' | 'lower' => (text === text.toLowerCase() ? 'lower' : 'upper');

/** The same character again, or the next or the last one of a sequence, as in `aaa`, `123` and `cba`. */
const followsInOrder = (character: string, before: string): boolean =>
  Math.abs(character.charCodeAt(0) - before.charCodeAt(0)) <= 1;

const isInWord = (character: string, before: string): boolean =>
  isLetter(character) && isLetter(before) && caseOf(character) === caseOf(before);

const bitsOf = (character: string, before: string | undefined, full: number): number => {
  if (before !== undefined && followsInOrder(character, before)) return 0;
  if (isMark(character)) return BITS_OF_A_MARK;
  return before !== undefined && isInWord(character, before) ? Math.min(BITS_IN_A_WORD, full) : full;
};

const CLASSES: readonly (readonly [pattern: RegExp, size: number])[] = [
  [/\p{N}/u, 10],
  [/\p{Ll}/u, 26],
  [/\p{Lu}/u, 26],
];

/** A short random text has fewer different characters than its alphabet, a poor one far fewer. */
const SPARE_BITS = 1.5;

/** The bits of a character that says nothing about the next one. */
const fullBits = (secret: string): number => {
  const alphabet = CLASSES.filter(([pattern]) => pattern.test(secret)).reduce(
    (sum, [, size]) => sum + size,
    0,
  );
  const different = new Set(secret).size;
  return Math.min(Math.log2(Math.max(2, alphabet)), Math.log2(Math.max(1, different)) + SPARE_BITS);
};

/** The characters of a part that comes again, as in `abcabc`, count once. */
const withoutRepetition = (secret: string): string => /^(.+?)\1+.{0,3}$/su.exec(secret)?.[1] ?? secret;

/** A cautious estimate: most of the bits of random characters, few of words, sequences and repetitions. */
export const bitsOfSecret = (secret: string): number => {
  const characters = [...withoutRepetition(secret)];
  const full = fullBits(secret);
  return characters.reduce((sum, character, at) => sum + bitsOf(character, characters[at - 1], full), 0);
};

// Finds texts that are the same to a reader, without comparing the whole of each.

/** Single spaces are left alone: replacing each by itself would cost more than all the rest. */
const UNEVEN_SPACE = /\s{2,}|[^\S ]/g;

/** Memories are drawn without the full stop of their sentence. */
const EDGES = /^[\s"'“”‘’.…]+|[\s"'“”‘’.…。]+$/gu;

/** Equal for texts that differ in nothing that matters to a reader. */
const comparableText = (text: string): string =>
  text.normalize('NFKC').replace(EDGES, '').replace(UNEVEN_SPACE, ' ').toLowerCase();

const BEGINNING = 64;
/** A combining mark that follows may still change the last letter. */
const STABLE_BEGINNING = BEGINNING - 4;
const LETTERS = 12;
const ASCII = /^\p{ASCII}*$/u;

/** Searches compare hundreds of texts: a loop that stops early costs a quarter of a replacement. */
const firstLetters = (text: string): string => {
  let letters = '';
  for (const letter of text.toLowerCase()) {
    if ((letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9')) letters += letter;
    if (letters.length === LETTERS) break;
  }
  return letters;
};

/** The first letters and digits: equal for equal texts, and for few others. */
const textBeginning = (text: string): string => {
  if (ASCII.test(text.slice(0, BEGINNING))) {
    const letters = firstLetters(text.slice(0, STABLE_BEGINNING));
    if (letters.length === LETTERS) return letters;
  }
  return firstLetters(text.normalize('NFKC'));
};

export interface TextSet {
  has(text: string): boolean;
  /** False: the set held the text before. */
  add(text: string): boolean;
}

/** A set in which texts that are the same to a reader count as one. */
export const createTextSet = (): TextSet => {
  /** By beginning; the first text with a beginning is kept unchanged until a second one comes. */
  const firstTexts = new Map<string, string>();
  const comparable = new Map<string, Set<string>>();

  /** All texts with this beginning, in comparable form. */
  const textsWith = (beginning: string, firstText: string): Set<string> => {
    const known = comparable.get(beginning) ?? new Set([comparableText(firstText)]);
    comparable.set(beginning, known);
    return known;
  };

  return {
    has(text) {
      if (firstTexts.size === 0) return false;
      const beginning = textBeginning(text);
      const firstText = firstTexts.get(beginning);
      return firstText !== undefined && textsWith(beginning, firstText).has(comparableText(text));
    },
    add(text) {
      const beginning = textBeginning(text);
      const firstText = firstTexts.get(beginning);
      if (firstText === undefined) {
        firstTexts.set(beginning, text);
        return true;
      }
      const known = textsWith(beginning, firstText);
      const { size } = known;
      return known.add(comparableText(text)).size > size;
    },
  };
};

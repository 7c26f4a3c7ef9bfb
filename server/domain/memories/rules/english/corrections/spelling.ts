// Corrects the spelling of a name in a statement: "spelt with a K", "It's Sarah with an h".
import { isNameWord } from '../grammar/names.ts';
import { capitalised, type Token, tokensOf } from '../grammar/words.ts';

const SPELT = /\b(?:spelt|spelled|written)\b|\bwith (?:an? )\p{L}(?=$|[\s.,!])/iu;
const LETTER = /\bwith (?:an? )(?<letter>\p{L})(?=$|[\s.,!])/iu;
const DOUBLED = /\b(?:with )?(?:two|double) (?<letter>\p{L})(?:['’]?s)?(?=$|[\s.,!])/iu;

/** Letters that sound alike, in the order in which they are tried. */
const ALIKE: Readonly<Record<string, readonly string[]>> = {
  k: ['ch', 'ck', 'c', 'q'],
  c: ['k', 's'],
  y: ['ie', 'i'],
  i: ['y', 'ee'],
  z: ['s'],
  s: ['z', 'c'],
  f: ['ph', 'v'],
  v: ['ph', 'f', 'w'],
  w: ['v'],
  j: ['g', 'y'],
  g: ['j'],
};

const respelt = (name: string, letter: string): string | null => {
  const lower = name.toLowerCase();
  const sound = ALIKE[letter]?.find((one) => lower.includes(one));
  if (letter === 'h' && !lower.includes('h')) return `${name}h`;
  if (sound === undefined) return null;
  return capitalised(lower.replace(sound, letter));
};

const doubled = (name: string, letter: string): string | null =>
  name.toLowerCase().includes(letter)
    ? name.replace(new RegExp(`${letter}+`, 'i'), (found) => found.charAt(0) + letter)
    : null;

/** The number of letters that differ, counted from both ends. */
const distance = (one: string, two: string): number => {
  let start = 0;
  while (start < one.length && one[start] === two[start]) start++;
  let end = 0;
  while (end < Math.min(one.length, two.length) - start && one.at(-1 - end) === two.at(-1 - end)) end++;
  return Math.max(one.length, two.length) - start - end;
};

const MOST_LETTERS = 3;

const nameTokens = (text: string): Token[] =>
  tokensOf(text).filter(({ word }) => word.length > 2 && isNameWord(word));

export const isAboutSpelling = (sentence: string): boolean => SPELT.test(sentence) || DOUBLED.test(sentence);

/** The statement with the name as the correction spells it; null if it holds no such name. */
export const respelled = (memory: string, correction: string): string | null => {
  const put = ({ start, end }: Token, name: string): string =>
    memory.slice(0, start) + name + memory.slice(end);
  const names = nameTokens(memory);
  for (const { word } of nameTokens(correction)) {
    const close = names.find(
      (one) => one.word !== word && distance(one.word.toLowerCase(), word.toLowerCase()) <= MOST_LETTERS,
    );
    if (close) return put(close, word);
  }
  const letter = LETTER.exec(correction)?.groups?.letter?.toLowerCase();
  const twice = DOUBLED.exec(correction)?.groups?.letter?.toLowerCase();
  for (const name of names) {
    const spelt = letter ? respelt(name.word, letter) : twice ? doubled(name.word, twice) : null;
    if (spelt !== null && spelt !== name.word) return put(name, spelt);
  }
  return null;
};

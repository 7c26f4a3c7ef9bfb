// The words of two statements whose weights tell how likely the later one replaces the earlier.
import type { Sketch } from '../language.ts';
import { NAME, NUMBER, pairsIn } from '../wording.ts';

/** Of the later statement alone: words that tell of a change of any kind. */
export const wordsOfLater = ({ wording }: Sketch): string[] => [...wording, ...pairsIn(wording)];

const isMark = (word: string): boolean => word === NAME || word === NUMBER;

/** The words of both (=), of the later alone (+) and of the earlier alone (-), and their verbs. */
export const wordsOfPair = (later: Sketch, earlier: Sketch): string[] => {
  const [fresh, known] = [new Set(later.wording), new Set(earlier.wording)];
  const found = [...pairsIn(later.wording), `${later.verb}>${earlier.verb}`];
  for (const word of fresh) found.push(`${known.has(word) && !isMark(word) ? '=' : '+'}${word}`);
  for (const word of known) if (!fresh.has(word) || isMark(word)) found.push(`-${word}`);
  return found;
};

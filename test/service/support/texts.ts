// Texts that are all different and all about something, the same in every run.
import { randomFrom, textOf } from '../../bench/support/texts.ts';

const CHARACTERS = 240;

/** A word that stands in this text alone. */
export const codeOf = (number: number): string => `kx${(number + 7919).toString(36)}q${number}`;

export const noteOf = (number: number): string => `${textOf(number, CHARACTERS)} Filed as ${codeOf(number)}.`;

export const notesOf = (from: number, count: number): string[] =>
  Array.from({ length: count }, (_, at) => noteOf(from + at));

/** Numbers below `most`, each once, in an order of their own. */
export const sampleOf = (most: number, count: number, seed: number): number[] => {
  const random = randomFrom(seed);
  const chosen = new Set<number>();
  while (chosen.size < Math.min(most, count)) chosen.add(Math.floor(random() * most));
  return [...chosen];
};

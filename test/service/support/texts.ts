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

/** A document to be searched alone: no memories are drawn from it. */
export const documentOf = (number: number) => ({ content: noteOf(number), taskType: 'superrag' });

export const documentsOf = (from: number, count: number, more: Readonly<Record<string, unknown>> = {}) =>
  Array.from({ length: count }, (_, at) => ({ ...documentOf(from + at), ...more }));

/** Memories are drawn from it, and its turns are embedded with the turns before them. */
export const CONVERSATION = Array.from({ length: 12 }, (_, at) =>
  at % 2 === 0
    ? `user: My kettle number ${at} is green and I bought it in Oslo.`
    : `assistant: Answer ${at}, and the tea is hot.`,
).join('\n');

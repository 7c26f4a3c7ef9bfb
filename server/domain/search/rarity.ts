// How much a word tells: its rarity in the container, steadied by how common it is in ordinary text.
import { everydayShare } from './everyday-words.ts';

/**
 * Everyday text stands in as this many further chunks: they decide in a container of thirty notes, where each word
 * occurs once, and vanish in one of thousands.
 */
const EVERYDAY_CHUNKS = 200;

/** The idf of BM25 (never negative) of a term that `frequency` of `chunks` hold; 0 counts as unseen, the rarest. */
export function rarityOf(term: string, frequency: number, chunks: number): number {
  const all = Math.max(chunks, frequency) + EVERYDAY_CHUNKS;
  const holding = frequency + EVERYDAY_CHUNKS * everydayShare(term);
  return Math.log(1 + (all - holding + 0.5) / (holding + 0.5));
}

/** How much a term tells, of which `frequency` of `units` hold it. */
export type Rarity = typeof rarityOf;

/**
 * Measured in stores of 2 to 24 statements about one person: of the questions about that person that nothing answers
 * 78–87 of 100 stay empty (46–71 without), of the answers 82–87 are kept (84–98). 0.7 to 0.95 do alike.
 */
const SHARED = 0.8;

/**
 * Statements stand for themselves, so that each of them names whom it is about: what all of them say tells nothing,
 * however rare it is elsewhere. One statement alone tells nothing of that, two tell it already for the most part.
 */
export const rarityAmongStatements: Rarity = (term, frequency, statements) => {
  const share = statements > 1 ? Math.min(1, frequency / statements) * (1 - 1 / statements ** 2) : 0;
  return rarityOf(term, frequency, statements) * (1 - SHARED * share);
};

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
 * Measured in stores of 3 to 24 statements about one person: questions about that person that nothing answers stay
 * empty in 81–89 of 100 cases (68–75 without), and one answer in fifty is lost. 0.5 to 0.8 do alike.
 */
const SHARED = 0.6;

/**
 * Statements stand for themselves, so that each of them names whom it is about: what all of them say tells nothing,
 * however rare it is elsewhere. In a store of one statement nothing is known of that yet.
 */
export const rarityAmongStatements: Rarity = (term, frequency, statements) => {
  const share = statements > 1 ? Math.min(1, frequency / statements) * (1 - 1 / statements) : 0;
  return rarityOf(term, frequency, statements) * (1 - SHARED * share);
};

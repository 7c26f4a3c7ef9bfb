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

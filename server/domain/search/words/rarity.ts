// The rarity of a word: how few texts of the container hold it, corrected by its frequency in ordinary text.
import { everydayShare } from './everyday-words.ts';

/**
 * Everyday text stands in as this many further chunks: they decide in a container of thirty notes, where each word
 * occurs once, and are negligible in one of thousands.
 */
const EVERYDAY_CHUNKS = 200;

/** The idf of BM25 (never negative) of a term that `frequency` of `chunks` hold; 0 counts as unseen, the rarest. */
export const termRarity = (term: string, frequency: number, chunks: number): number => {
  const all = Math.max(chunks, frequency) + EVERYDAY_CHUNKS;
  const holding = frequency + EVERYDAY_CHUNKS * everydayShare(term);
  return Math.log(1 + (all - holding + 0.5) / (holding + 0.5));
};

/** The rarity of a term that `frequency` of `chunks` (or memories) hold. */
export type TermRarity = typeof termRarity;

/**
 * Measured in stores of 2 to 24 memories about one person: of the queries about that person that nothing answers
 * 78–87 of 100 stay empty (46–71 without), of the answers 82–87 are kept (84–98). 0.7 to 0.95 do alike.
 */
const SHARED = 0.8;

/** The share of texts that hold a word. One text alone proves nothing, two prove most of it. */
const shareOf = (frequency: number, texts: number): number =>
  texts > 1 ? Math.min(1, frequency / texts) * (1 - 1 / texts ** 2) : 0;

/**
 * Memories are self-contained, so each of them names its subject: a word that all of them hold carries no information,
 * however rare it is elsewhere.
 */
export const termRarityAmongMemories: TermRarity = (term, frequency, memories) =>
  termRarity(term, frequency, memories) * (1 - SHARED * shareOf(frequency, memories));

/** A name that half of the passages hold still tells them apart from the others. */
const NEARLY_ALL = 4;

/** A name that nearly all passages hold says as little as in memories. */
export const nameRarityAmongPassages: TermRarity = (term, frequency, passages) =>
  termRarity(term, frequency, passages) * (1 - SHARED * shareOf(frequency, passages) ** NEARLY_ALL);

// Memories and passages as one list.
import type { Passage } from '../../adapters/store/port.ts';
import type { Stated } from '../../adapters/store/recall-port.ts';
import type { Ranked } from './rank.ts';
import { createTexts } from './texts.ts';
import type { MemoryUnit } from './unit.ts';

/** Never both. */
export type Hit = { kind: 'memory'; hit: Ranked<MemoryUnit> } | { kind: 'chunk'; hit: Ranked<Passage> };

export interface ToMerge {
  memories: readonly Ranked<MemoryUnit>[];
  chunks: readonly Ranked<Passage>[];
  /** What the chunks state. */
  stated: ReadonlyMap<number, Stated>;
  /** Passages too of which everything was forgotten. */
  forgotten: boolean;
  /** A memory stands for its chunks however much better they match. */
  memoriesFirst: boolean;
}

/** By how much a passage has to match better than a memory that it states. */
const CLEARLY = 0.05;

const bySimilarity = (a: Hit, b: Hit): number => b.hit.similarity - a.hit.similarity;

/** In which order they may take each other's place. */
const inTurn = ({ memories, chunks, memoriesFirst }: ToMerge): Hit[] => {
  const hits: Hit[] = [
    ...memories.map((hit): Hit => ({ kind: 'memory', hit })),
    ...chunks.map((hit): Hit => ({ kind: 'chunk', hit })),
  ];
  if (memoriesFirst) return hits;
  const standing = ({ kind, hit }: Hit) => hit.similarity + (kind === 'memory' ? CLEARLY : 0);
  return hits.sort((a, b) => standing(b) - standing(a));
};

/**
 * Best first, each text once. A memory and a passage that states it are one result: the passage stays where it matches
 * clearly better, else the memory, which can be acted on; the other is left out. Several memories of one passage are several results.
 */
export function merge(all: ToMerge): Hit[] {
  // One kind alone has each text once already.
  if (all.memories.length === 0 && all.stated.size === 0) return inTurn(all).sort(bySimilarity);
  const texts = createTexts();
  /** The memories that a chunk already shown states, and those that are shown themselves. */
  const saidByChunk = new Set<number>();
  const shown = new Set<number>();

  const isNews = ({ kind, hit }: Hit): boolean => {
    if (kind === 'memory') return !saidByChunk.has(hit.unit.n);
    const states = all.stated.get(hit.unit.n);
    if (states === undefined) return true;
    return (all.forgotten || !states.forgotten) && !states.memories.some((n) => shown.has(n));
  };

  const kept = inTurn(all).filter((one) => {
    const { text } = one.hit.unit;
    if (texts.has(text) || !isNews(one)) return false;
    texts.add(text);
    if (one.kind === 'memory') shown.add(one.hit.unit.n);
    else for (const n of all.stated.get(one.hit.unit.n)?.memories ?? []) saidByChunk.add(n);
    return true;
  });
  return kept.sort(bySimilarity);
}

// Memories and passages as one list.
import type { Passage } from '../../adapters/store/port.ts';
import type { Stated } from '../../adapters/store/recall-port.ts';
import type { Ranked } from './rank.ts';
import { createTexts } from './texts.ts';
import type { MemoryUnit } from './unit.ts';

/** Never both. */
export type Hit = { kind: 'memory'; hit: Ranked<MemoryUnit> } | { kind: 'chunk'; hit: Ranked<Passage> };

export interface ToMerge {
  /** Both kinds best first. */
  memories: readonly Ranked<MemoryUnit>[];
  chunks: readonly Ranked<Passage>[];
  /** What the chunks state. */
  stated: ReadonlyMap<number, Stated>;
  /** Passages too of which everything was forgotten. */
  forgotten: boolean;
  /** A memory stands for its chunks. */
  memoriesFirst: boolean;
}

const asMemory = (hit: Ranked<MemoryUnit>): Hit => ({ kind: 'memory', hit });
const asChunk = (hit: Ranked<Passage>): Hit => ({ kind: 'chunk', hit });
const bySimilarity = (a: Hit, b: Hit): number => b.hit.similarity - a.hit.similarity;

/** The passages that may be shown: where a memory says the same words, it can be acted on as well. */
function ownPassages({ memories, chunks, stated, forgotten }: ToMerge): Ranked<Passage>[] {
  const said = createTexts();
  for (const { unit } of memories) said.add(unit.text);
  return chunks.filter(({ unit }) => {
    const mayBeTold = forgotten || stated.get(unit.n)?.forgotten !== true;
    return mayBeTold && !said.has(unit.text);
  });
}

/** A memory stands for its passages. */
function memoriesFirst(all: ToMerge, passages: readonly Ranked<Passage>[]): Hit[] {
  const shown = new Set(all.memories.map(({ unit }) => unit.n));
  const others = passages.filter(({ unit }) => !all.stated.get(unit.n)?.memories.some((n) => shown.has(n)));
  return [...all.memories.map(asMemory), ...others.map(asChunk)];
}

/**
 * A passage stands for the memories that it states, as high as the best match of them all: it holds the words that were
 * said, and its neighbours tell about what.
 */
function passagesFirst(all: ToMerge, passages: readonly Ranked<Passage>[]): Hit[] {
  const speaking = new Map<number, number>();
  for (const { unit } of passages)
    for (const memory of all.stated.get(unit.n)?.memories ?? [])
      if (!speaking.has(memory)) speaking.set(memory, unit.n);
  const lifted = new Map<number, Ranked<MemoryUnit>>();
  for (const memory of all.memories) {
    const passage = speaking.get(memory.unit.n);
    if (passage !== undefined && !lifted.has(passage)) lifted.set(passage, memory);
  }
  const others = all.memories.filter(({ unit }) => !speaking.has(unit.n));
  return [
    ...others.map(asMemory),
    ...passages.map((hit) => {
      const similarity = Math.max(hit.similarity, lifted.get(hit.unit.n)?.similarity ?? 0);
      return asChunk({ ...hit, similarity });
    }),
  ];
}

/** Best first, each text once. A memory and a passage that states it are one result. */
export function merge(all: ToMerge): Hit[] {
  const passages = ownPassages(all);
  const hits = all.memoriesFirst ? memoriesFirst(all, passages) : passagesFirst(all, passages);
  return hits.sort(bySimilarity);
}

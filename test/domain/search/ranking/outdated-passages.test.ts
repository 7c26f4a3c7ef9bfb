// Tests of the place of passages that also state what was replaced.
import { expect, it } from 'vitest';
import type { RecalledMemory } from '../../../../server/adapters/store/ports/memories/recall.ts';
import type { ChunkWithDocument } from '../../../../server/adapters/store/ports/search.ts';
import { memoryCandidate } from '../../../../server/domain/search/ranking/candidate.ts';
import type { SearchHit } from '../../../../server/domain/search/ranking/fuse-memories-and-passages.ts';
import { behindReplacing, outdatedLast } from '../../../../server/domain/search/ranking/outdated-passages.ts';

const ranked = (similarity: number) => ({
  evidence: similarity,
  order: similarity,
  floor: 0,
  similarity,
  sure: similarity,
});

const memory = (n: number, similarity: number): SearchHit => ({
  kind: 'memory',
  ranked: {
    ...ranked(similarity),
    candidate: memoryCandidate({ n, documentDate: null, isInference: false } as RecalledMemory),
  },
  passage: null,
  isFound: true,
});

const passage = (n: number, similarity: number): SearchHit => ({
  kind: 'chunk',
  ranked: { ...ranked(similarity), candidate: { n } as ChunkWithDocument },
});

const shown = (hits: readonly SearchHit[]) =>
  hits.map(({ kind, ranked: { candidate, similarity } }) => [kind, candidate.n, similarity]);

it('a passage that also states what was replaced comes after the memories, and is no more similar', () => {
  const hits = [passage(1, 0.9), memory(1, 0.8), passage(2, 0.7), memory(2, 0.6)];
  expect(shown(outdatedLast(hits, new Map([[1, 'partly']])))).toEqual([
    ['memory', 1, 0.8],
    ['chunk', 2, 0.7],
    ['memory', 2, 0.6],
    ['chunk', 1, 0.6],
  ]);
});

it('where no memory answers, and where nothing was replaced, the order stays', () => {
  const alone = [passage(1, 0.9), passage(2, 0.7)];
  expect(outdatedLast(alone, new Map([[1, 'partly']]))).toEqual(alone);
  const hits = [passage(1, 0.9), memory(1, 0.8)];
  expect(outdatedLast(hits, new Map())).toEqual(hits);
});

it('a passage that states only what was replaced comes behind the memory that replaced it', () => {
  const hits = [passage(1, 0.9), passage(2, 0.85), memory(1, 0.8), memory(2, 0.7)];
  expect(shown(behindReplacing(hits, new Map([[1, [1]]])))).toEqual([
    ['chunk', 2, 0.85],
    ['memory', 1, 0.8],
    ['chunk', 1, 0.8],
    ['memory', 2, 0.7],
  ]);
});

it('it keeps its place where that memory is no result, or stands above it', () => {
  const hits = [memory(1, 0.9), passage(1, 0.8), memory(2, 0.7)];
  expect(behindReplacing(hits, new Map([[1, [1]]]))).toEqual(hits);
  expect(behindReplacing(hits, new Map([[1, [9]]]))).toEqual(hits);
});

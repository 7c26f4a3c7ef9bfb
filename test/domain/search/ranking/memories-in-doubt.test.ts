// Tests of the order of memories of which one perhaps replaces another.
import { expect, it } from 'vitest';
import type { RecalledMemory } from '../../../../server/adapters/store/ports/memories/recall.ts';
import { memoryCandidate } from '../../../../server/domain/search/ranking/candidate.ts';
import type { SearchHit } from '../../../../server/domain/search/ranking/fuse-memories-and-passages.ts';
import {
  laterFirst,
  liftLater,
  nearlyAlike,
} from '../../../../server/domain/search/ranking/memories-in-doubt.ts';

const memory = (n: number, similarity: number) => ({
  candidate: memoryCandidate({ n, documentDate: null, isInference: false } as RecalledMemory),
  evidence: similarity,
  order: similarity,
  floor: 0,
  similarity,
  sure: similarity,
});

const hit = (n: number, similarity: number): SearchHit => ({
  kind: 'memory',
  ranked: memory(n, similarity),
  passage: null,
  isFound: true,
});

const numbers = (hits: readonly SearchHit[]): number[] => hits.map(({ ranked }) => ranked.candidate.n);

it('the later memory matches as well as the earlier one, and one without a doubt is as it was', () => {
  const lifted = liftLater([memory(1, 0.9), memory(2, 0.5), memory(3, 0.1)], new Map([[1, 3]]));
  expect(lifted.map(({ candidate, order, similarity }) => [candidate.n, order, similarity])).toEqual([
    [1, 0.9, 0.9],
    [3, 0.9, 0.9],
    [2, 0.5, 0.5],
  ]);
});

it('the later memory does not sink to the place of the earlier one', () => {
  const lifted = liftLater([memory(3, 0.9), memory(1, 0.5)], new Map([[1, 3]]));
  expect(lifted.map(({ candidate, order }) => [candidate.n, order])).toEqual([
    [3, 0.9],
    [1, 0.5],
  ]);
});

it('the later memory takes the place of the first one that it puts in doubt', () => {
  const hits = [hit(1, 0.9), hit(2, 0.8), hit(4, 0.7), hit(3, 0.6)];
  const doubts = new Map([
    [2, 3],
    [4, 3],
  ]);
  expect(numbers(laterFirst(hits, doubts))).toEqual([1, 3, 2, 4]);
});

it('one that came first stays there, and one that was not found changes nothing', () => {
  const hits = [hit(3, 0.9), hit(1, 0.8)];
  expect(numbers(laterFirst(hits, new Map([[1, 3]])))).toEqual([3, 1]);
  expect(numbers(laterFirst(hits, new Map([[3, 9]])))).toEqual([3, 1]);
});

it('a hint counts where the later memory answers nearly as well, and was said at another time', () => {
  const said = (n: number, order: number, at: number) => {
    const ranked = memory(n, order);
    return { ...ranked, candidate: { ...ranked.candidate, date: at } };
  };
  const counted = (order: number, at: number) => [
    ...nearlyAlike([said(1, 0.9, 10), said(2, order, at)], new Map([[1, 2]])),
  ];
  expect(counted(0.6, 20)).toEqual([[1, 2]]);
  expect(counted(0.5, 20)).toEqual([]);
  expect(counted(0.6, 10)).toEqual([]);
  expect([...nearlyAlike([said(1, 0.9, 10)], new Map([[1, 2]]))]).toEqual([]);
});

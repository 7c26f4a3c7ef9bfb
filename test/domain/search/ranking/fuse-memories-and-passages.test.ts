// Tests of merging memories and passages into one list of results.
import { describe, expect, it } from 'vitest';
import type { RecalledMemory, Stated } from '../../../../server/adapters/store/ports/memories/recall.ts';
import type { ChunkWithDocument } from '../../../../server/adapters/store/ports/search.ts';
import { memoryCandidate } from '../../../../server/domain/search/ranking/candidate.ts';
import {
  fuseMemoriesAndPassages,
  liftPassages,
  type MemoriesAndPassages,
} from '../../../../server/domain/search/ranking/fuse-memories-and-passages.ts';

const memory = (n: number, text: string, similarity: number) => ({
  candidate: memoryCandidate({ n, memory: text, documentDate: null, isInference: false } as RecalledMemory),
  evidence: similarity,
  order: similarity,
  floor: 0,
  similarity,
  sure: similarity,
});

const chunk = (n: number, text: string, similarity: number) => ({
  candidate: { n, text } as ChunkWithDocument,
  evidence: similarity,
  order: similarity,
  floor: 0,
  similarity,
  sure: similarity,
});

type Standing = [passage: number, memory: ReturnType<typeof memory>];

const fused = ({
  memories = [],
  chunks = [],
  standing = [],
}: Partial<Omit<MemoriesAndPassages, 'standing'>> & { standing?: Standing[] }) =>
  fuseMemoriesAndPassages({ memories, chunks, standing: new Map(standing) });

const merged = (all: Parameters<typeof fused>[0]) =>
  fused(all).map(({ kind, ranked }) => [kind, ranked.candidate.n]);

describe('memories and passages', () => {
  it('are sorted into one order, the best first', () => {
    expect(
      merged({
        memories: [memory(1, 'a', 0.9), memory(2, 'b', 0.5)],
        chunks: [chunk(11, 'c', 0.7), chunk(12, 'd', 0.3)],
      }),
    ).toEqual([
      ['memory', 1],
      ['chunk', 11],
      ['memory', 2],
      ['chunk', 12],
    ]);
  });

  it('are one result where the memory stands for the passage, with the score of the better match', () => {
    const rows = memory(1, 'Ada rows.', 0.7);
    const both = (passage: number) =>
      fused({
        memories: [rows, memory(2, 'Ada swims.', 0.65)],
        chunks: [chunk(11, 'I row.', passage)],
        standing: [[11, rows]],
      }).map((hit) => [
        hit.ranked.candidate.n,
        hit.ranked.similarity,
        hit.kind === 'memory' && hit.passage?.candidate.n,
      ]);
    expect(both(0.6)).toEqual([
      [1, 0.7, 11],
      [2, 0.65, undefined],
    ]);
    expect(both(0.9)).toEqual([
      [1, 0.9, 11],
      [2, 0.65, undefined],
    ]);
  });

  it('show a memory that was not found itself as high as the passage for which it stands', () => {
    const [hit] = fused({ chunks: [chunk(11, 'I row.', 0.8)], standing: [[11, memory(1, 'Ada rows.', 0)]] });
    expect(hit).toMatchObject({ kind: 'memory', isFound: false, ranked: { similarity: 0.8 } });
    expect(fused({ memories: [memory(1, 'Ada rows.', 0.8)] })).toMatchObject([
      { isFound: true, passage: null },
    ]);
  });

  it('contain the same words once', () => {
    expect(
      merged({
        memories: [memory(1, 'Ada rows', 0.7)],
        chunks: [chunk(11, '  ada  ROWS. ', 0.72), chunk(12, 'Ada rows!', 0.5)],
      }),
    ).toEqual([
      ['memory', 1],
      ['chunk', 12],
    ]);
  });
});

describe('a passage', () => {
  const stated = new Map<number, Stated>([
    [11, { memories: [1, 2], forgotten: false, partly: false }],
    [12, { memories: [], forgotten: false, partly: false }],
  ]);
  const lifted = (
    chunks: Parameters<typeof liftPassages>[0],
    memories: Parameters<typeof liftPassages>[1] = [],
  ) =>
    liftPassages(chunks, memories, stated).map(({ candidate, order, similarity }) => [
      candidate.n,
      Number(order.toFixed(2)),
      Number(similarity.toFixed(2)),
    ]);

  it('is above a better passage without memories where the best memory that it states matches as well', () => {
    expect(
      lifted(
        [chunk(12, 'Boats.', 0.7), chunk(11, 'I row and swim.', 0.6)],
        [memory(1, 'Ada rows.', 0.4), memory(2, 'Ada swims.', 0.5)],
      ),
    ).toEqual([
      [11, 0.71, 0.7],
      [12, 0.7, 0.7],
    ]);
  });

  it('is lifted a little by a memory for which nothing speaks', () => {
    expect(
      lifted(
        [chunk(12, 'Boats.', 0.05), chunk(11, 'I row.', 0.03)],
        [{ ...memory(1, 'Ada rows.', 0.02), floor: 0.02 }],
      ),
    ).toEqual([
      [12, 0.05, 0.05],
      [11, 0.04, 0.03],
    ]);
  });

  it('stays below a better passage where the memory that it states matches little', () => {
    expect(
      lifted([chunk(12, 'Boats.', 0.7), chunk(11, 'I row.', 0.6)], [memory(1, 'Ada rows.', 0.1)]),
    ).toEqual([
      [12, 0.7, 0.7],
      [11, 0.62, 0.6],
    ]);
  });

  it('is as similar as the better of both signs: the same words in both make it no more relevant', () => {
    expect(lifted([chunk(11, 'I row.', 0.5)], [memory(1, 'Ada rows.', 0.55)])).toEqual([[11, 0.69, 0.55]]);
  });

  it('is no less similar than a memory or a passage that it stands above, and no more than both signs say', () => {
    const boats = memory(3, 'Ada owns boats.', 0.65);
    expect(
      lifted([chunk(12, 'Boats.', 0.6), chunk(11, 'I row.', 0.55)], [memory(1, 'Ada rows.', 0.5), boats]),
    ).toEqual([
      [11, 0.69, 0.65],
      [12, 0.6, 0.6],
    ]);
    const byMeaning = { ...boats, order: 0.1, similarity: 0.9 };
    expect(lifted([chunk(11, 'I row.', 0.2)], [memory(1, 'Ada rows.', 0.1), byMeaning])).toEqual([
      [11, 0.27, 0.27],
    ]);
  });

  it('keeps its order where it states no memory that was found, and is certain where one of the two is', () => {
    expect(lifted([chunk(11, 'I row.', 0.6)])).toEqual([[11, 0.6, 0.6]]);
    expect(lifted([chunk(11, 'I row.', 0)])).toEqual([[11, 0, 0]]);
    expect(lifted([chunk(11, 'I row.', 0.6)], [memory(1, 'Ada rows.', 1)])).toEqual([[11, 1, 1]]);
    expect(lifted([chunk(11, 'I row.', 1)], [memory(1, 'Ada rows.', 1)])).toEqual([[11, 1, 1]]);
  });
});

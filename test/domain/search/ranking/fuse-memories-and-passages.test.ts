// Tests of merging memories and passages into one list of results.
import { describe, expect, it } from 'vitest';
import type { RecalledMemory, Stated } from '../../../../server/adapters/store/ports/recall.ts';
import type { ChunkWithDocument } from '../../../../server/adapters/store/ports/search.ts';
import { memoryCandidate } from '../../../../server/domain/search/ranking/candidate.ts';
import {
  fuseMemoriesAndPassages,
  type MemoriesAndPassages,
} from '../../../../server/domain/search/ranking/fuse-memories-and-passages.ts';

const memory = (n: number, text: string, similarity: number) => ({
  candidate: memoryCandidate({ n, memory: text, documentDate: null, isInference: false } as RecalledMemory),
  evidence: similarity,
  order: similarity,
  similarity,
});

const chunk = (n: number, text: string, similarity: number) => ({
  candidate: { n, text } as ChunkWithDocument,
  evidence: similarity,
  order: similarity,
  similarity,
});

const stating = (n: number, memories: number[], forgotten = false) =>
  [n, { memories, forgotten, partly: forgotten }] as [number, Stated];

const merged = (
  given: Partial<Omit<MemoriesAndPassages, 'stated'>> & { stated?: ReturnType<typeof stating>[] },
) =>
  fuseMemoriesAndPassages({
    memories: [],
    chunks: [],
    forgotten: false,
    memoriesFirst: false,
    ...given,
    stated: new Map(given.stated),
  }).map(({ kind, ranked }) => [kind, ranked.candidate.n]);

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

  it('count as one result when the passage states the memory, with the score of the better match', () => {
    const both = (passage: number) =>
      fuseMemoriesAndPassages({
        memories: [memory(1, 'Ada rows.', 0.7), memory(2, 'Ada swims.', 0.65)],
        chunks: [chunk(11, 'I row.', passage)],
        stated: new Map([stating(11, [1])]),
        forgotten: false,
        memoriesFirst: false,
      }).map(({ kind, ranked }) => [kind, ranked.candidate.n, ranked.similarity]);
    expect(both(0.6)).toEqual([
      ['chunk', 11, 0.7],
      ['memory', 2, 0.65],
    ]);
    expect(both(0.9)).toEqual([
      ['chunk', 11, 0.9],
      ['memory', 2, 0.65],
    ]);
  });

  it('are one result where a passage states several memories', () => {
    const given = {
      memories: [memory(1, 'a', 0.9), memory(2, 'b', 0.8)],
      stated: [stating(11, [1, 2])],
    };
    expect(merged({ ...given, chunks: [chunk(11, 'a and b', 0.85)] })).toEqual([['chunk', 11]]);
  });

  it('lift the better of two passages that state the memory', () => {
    expect(
      merged({
        memories: [memory(1, 'Ada rows.', 0.9)],
        chunks: [chunk(11, 'I row.', 0.6), chunk(12, 'We row.', 0.5), chunk(13, 'Boats.', 0.55)],
        stated: [stating(11, [1]), stating(12, [1])],
      }),
    ).toEqual([
      ['chunk', 11],
      ['chunk', 13],
      ['chunk', 12],
    ]);
  });

  it('become the memory when both have the same words', () => {
    expect(
      merged({
        memories: [memory(1, 'Ada rows.', 0.5)],
        chunks: [chunk(11, 'Ada rows', 0.6)],
        stated: [stating(11, [1])],
      }),
    ).toEqual([['memory', 1]]);
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

  it('exclude a passage whose statements were all forgotten, unless forgotten memories are requested', () => {
    const given = { chunks: [chunk(11, 'I row.', 0.9)], stated: [stating(11, [1], true)] };
    expect(merged(given)).toEqual([]);
    expect(merged({ ...given, forgotten: true })).toEqual([['chunk', 11]]);
  });

  it('are shown as the memory when it is requested with its chunks', () => {
    expect(
      merged({
        memories: [memory(1, 'Ada rows.', 0.6)],
        chunks: [chunk(11, 'I row.', 0.9), chunk(12, 'Rowing is fun.', 0.7)],
        stated: [stating(11, [1])],
        memoriesFirst: true,
      }),
    ).toEqual([
      ['chunk', 12],
      ['memory', 1],
    ]);
  });
});

// Tests of the slices in which documents are committed, so that a long document is cut without a loss.
import { expect, test } from 'vitest';
import type { DocumentToCommit } from '../../../server/adapters/store/ports/ingestion/commits.ts';
import { isLastSlice, slicesOf } from '../../../server/domain/ingestion/slices.ts';

const MOST = 128;

const numbered = (count: number, word: string) =>
  Array.from({ length: count }, (_, at) => ({ id: word + at }));

const document = (id: number, added: number, kept = 0, removed = 0, more: object = {}): DocumentToCommit =>
  ({
    ...{ claim: { n: id }, added: numbered(added, 'a'), kept: numbered(kept, 'k') },
    ...{ removed: numbered(removed, 'r'), ...more },
  }) as unknown as DocumentToCommit;

const rows = (documents: readonly DocumentToCommit[]): number =>
  documents.reduce((sum, one) => sum + one.added.length + one.kept.length + one.removed.length + 1, 0);

test('small documents are committed together, in their order, and never with many rows at once', () => {
  const documents = Array.from({ length: 300 }, (_, at) => document(at, at % 7));
  const slices = slicesOf(documents);
  expect(slices.flat()).toEqual(documents);
  for (const slice of slices) expect(rows(slice)).toBeLessThan(MOST * 3);
  expect(slices.length).toBeLessThan(rows(documents) / 60);
});

test('a long document is cut into its new chunks, its kept chunks, and its removed chunks at the end', () => {
  const long = document(1, 300, 200, 150);
  const slices = slicesOf([document(0, 1), long, document(2, 1)]);
  const pieces = slices.slice(1, -1).map(([piece, ...others]) => {
    expect(others).toEqual([]);
    return piece as DocumentToCommit;
  });
  for (const list of ['added', 'kept', 'removed'] as const)
    expect(pieces.flatMap((piece) => piece[list] as unknown[])).toEqual(long[list]);
  const order = pieces
    .map(({ added, kept }) => (added.length > 0 ? 'a' : kept.length > 0 ? 'k' : 'r'))
    .join('');
  expect(order).toMatch(/^a+k+r+$/);
  for (const piece of pieces) expect(rows([piece])).toBeLessThanOrEqual(MOST + 1);
  expect(pieces.map(isLastSlice)).toEqual(pieces.map((_, at) => at === pieces.length - 1));
  for (const piece of pieces) expect(piece.slice?.added.size).toBe(300);
});

test('a window of a longer document is not its end, and knows the chunks of other windows', () => {
  const added = new Set(['x', 'y']);
  const window = document(1, 400, 0, 0, { slice: { last: false, added } });
  const pieces = slicesOf([window]).flat();
  expect(pieces.some(isLastSlice)).toBe(false);
  expect(new Set(pieces.map(({ slice }) => slice?.added))).toEqual(new Set([added]));
  const last = document(1, 400, 0, 0, { slice: { last: true, added } });
  expect(slicesOf([last]).flat().filter(isLastSlice)).toHaveLength(1);
});

test('the last window is committed even when it adds and removes nothing', () => {
  const end = document(1, 0, 0, 0, { slice: { last: true, added: new Set() } });
  expect(slicesOf([end]).flat().map(isLastSlice)).toEqual([true]);
});

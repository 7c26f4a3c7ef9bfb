// What is committed together: a writing transaction holds everybody up, so it stays below ten milliseconds.
import type { CommitSlice, IndexedDocument } from '../../adapters/store/ingest-port.ts';

/** Documents and chunks. */
const ROWS_PER_COMMIT = 128;

const rowsOf = ({ added, kept, removed }: IndexedDocument): number =>
  added.length + kept.length + removed.length + 1;

const cut = <T>(list: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(list.length / ROWS_PER_COMMIT) }, (_, at) =>
    list.slice(at * ROWS_PER_COMMIT, (at + 1) * ROWS_PER_COMMIT),
  );

const NONE = { added: [], kept: [], removed: [] } as const;

/**
 * A long document in several: first what is new, so that nothing is lost in between, and at the end what goes. A crash
 * on the way leaves chunks that the next attempt finds and keeps.
 */
const sliced = (document: IndexedDocument): IndexedDocument[] => {
  const { last = true, added = new Set(document.added.map(({ id }) => id)) } = document.slice ?? {};
  const pieces = [
    ...cut(document.added).map((some) => ({ ...NONE, added: some })),
    ...cut(document.kept).map((some) => ({ ...NONE, kept: some })),
    ...cut(document.removed).map((some) => ({ ...NONE, removed: some })),
  ];
  return pieces.map((piece, at) => {
    const slice: CommitSlice = { last: last && at === pieces.length - 1, added };
    return { ...document, ...piece, slice };
  });
};

/** Small ones together, as many as fit; in their order. */
export const slicesOf = (documents: readonly IndexedDocument[]): IndexedDocument[][] => {
  const result: IndexedDocument[][] = [];
  let size = ROWS_PER_COMMIT;
  for (const document of documents) {
    const rows = rowsOf(document);
    if (rows > ROWS_PER_COMMIT * 2) {
      result.push(...sliced(document).map((piece) => [piece]));
      size = ROWS_PER_COMMIT;
      continue;
    }
    if (size >= ROWS_PER_COMMIT) {
      result.push([]);
      size = 0;
    }
    result.at(-1)?.push(document);
    size += rows;
  }
  return result;
};

/** After this one nothing of the document is left to be committed. */
export const isWhole = ({ slice }: IndexedDocument): boolean => slice?.last !== false;

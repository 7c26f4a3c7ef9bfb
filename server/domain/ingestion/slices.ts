// Groups documents for commits: a write transaction blocks all other writes, so it stays below ten milliseconds.
import type { CommitSlice, DocumentToCommit } from '../../adapters/store/ports/ingestion/commits.ts';

/** Rows of documents and of chunks together. */
const ROWS_PER_COMMIT = 128;

const countRows = ({ added, kept, removed }: DocumentToCommit): number =>
  added.length + kept.length + removed.length + 1;

const cut = <T>(list: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(list.length / ROWS_PER_COMMIT) }, (_, at) =>
    list.slice(at * ROWS_PER_COMMIT, (at + 1) * ROWS_PER_COMMIT),
  );

const NONE = { added: [], kept: [], removed: [] } as const;

/**
 * Splits a long document: first the new chunks, so that nothing is lost in between, and at the end the removals. A crash
 * in between leaves chunks that the next attempt finds and keeps.
 */
const sliced = (document: DocumentToCommit): DocumentToCommit[] => {
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

/** Joins small documents, as many as fit, in order. */
export const slicesOf = (documents: readonly DocumentToCommit[]): DocumentToCommit[][] => {
  const result: DocumentToCommit[][] = [];
  let size = ROWS_PER_COMMIT;
  for (const document of documents) {
    const rows = countRows(document);
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

/** True: this is the last slice of the document. */
export const isLastSlice = ({ slice }: DocumentToCommit): boolean => slice?.last !== false;

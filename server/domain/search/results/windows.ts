// Windows: a passage is shown with its neighbours in the document, which tell what it is about.
import type { ChunkRecord } from '../../../adapters/store/ports/documents.ts';
import type { ChunkWithDocument, Stretch } from '../../../adapters/store/ports/search.ts';
import { isConversation } from '../../../core/chunks/chunk-flags.ts';
import type { RankedCandidate } from '../ranking/rank.ts';
import type { ScopedStore } from '../scoped-store.ts';
import { type Conceal, concealNothing } from './without-forgotten.ts';

/** The most characters of a window; the passage itself is never cut. */
const LONGEST_WINDOW = 1_200;

export const byPosition = (a: ChunkRecord, b: ChunkRecord): number =>
  a.position - b.position || a.part - b.part;

/** The number of chunks on each side: a piece of a document is longer than two turns. */
const windowReach = ({ flags }: ChunkWithDocument, window: number): number =>
  isConversation(flags) ? window : Math.ceil(window / 2);

/** Turns within reach, or pieces of the same text. */
const stretchAround = ({ document, position, part, flags }: ChunkWithDocument, reach: number): Stretch =>
  isConversation(flags)
    ? { document: document.n, from: Math.max(0, position - reach), to: position + reach }
    : { document: document.n, from: position, to: position, parts: { from: part - reach, to: part + reach } };

/** Joined contents are no neighbours of each other: one position between them stays empty. */
const areNeighbours = (a: ChunkRecord | undefined, b: ChunkRecord | undefined): boolean =>
  a !== undefined && b !== undefined && Math.abs(a.position - b.position) <= 1;

/** The passage and the chunks next to it on both sides. */
const connectedChunks = (
  passage: ChunkWithDocument,
  chunks: readonly ChunkRecord[],
  reach: number,
): ChunkRecord[] => {
  const at = chunks.findIndex(({ n }) => n === passage.n);
  if (at < 0) return [passage];
  let from = at;
  let to = at;
  while (at - from < reach && areNeighbours(chunks[from - 1], chunks[from])) from -= 1;
  while (to - at < reach && areNeighbours(chunks[to + 1], chunks[to])) to += 1;
  return chunks.slice(from, to + 1);
};

/** Each passage with its neighbours, in reading order; `window` as callers count it. */
export const readSurroundings = async (
  { store, scope }: ScopedStore,
  passages: readonly ChunkWithDocument[],
  window: number,
  conceal = concealNothing,
): Promise<ChunkRecord[][]> => {
  if (window === 0) return passages.map((passage) => [passage]);
  const accompanied = passages.filter(({ document }) => document.chunks > 1);
  const stretches = accompanied.map((passage) => stretchAround(passage, windowReach(passage, window)));
  const read = await store.neighbours(scope, stretches);
  const others = new Map(read.flat().map((chunk) => [chunk.n, chunk]));
  const shownOthers = new Map((await conceal([...others.values()])).map((chunk) => [chunk.n, chunk]));
  const around = new Map(
    accompanied.map((passage, at) => {
      const shown = (read[at] ?? []).flatMap(({ n }) =>
        n === passage.n ? passage : (shownOthers.get(n) ?? []),
      );
      return [passage.n, connectedChunks(passage, shown, windowReach(passage, window))];
    }),
  );
  return passages.map((passage) => around.get(passage.n) ?? [passage]);
};

/** The passage with as many neighbours as fit, the nearest first, before and after in turn; in reading order. */
const windowAround = (
  passage: ChunkRecord,
  around: readonly ChunkRecord[],
  isFree: (n: number) => boolean,
): ChunkRecord[] => {
  const at = around.findIndex(({ n }) => n === passage.n);
  const kept: ChunkRecord[] = [passage];
  let length = passage.text.length;
  const open = { before: true, after: true };
  const take = (chunk: ChunkRecord | undefined): boolean => {
    if (!chunk || !isFree(chunk.n) || length + chunk.text.length > LONGEST_WINDOW) return false;
    length += chunk.text.length;
    kept.push(chunk);
    return true;
  };
  for (let distance = 1; open.before || open.after; distance++) {
    open.before = open.before && take(around[at - distance]);
    open.after = open.after && take(around[at + distance]);
  }
  return kept.sort(byPosition);
};

export interface ShownWindow {
  ranked: RankedCandidate<ChunkWithDocument>;
  shown: readonly ChunkRecord[];
}

const totalLength = (chunks: readonly ChunkRecord[]): number =>
  chunks.reduce((sum, { text }) => sum + text.length, 0);

/** The window that already shows a neighbour, extended up to the passage; null: none, or it would be too long. */
const joinWindow = (
  windows: readonly ShownWindow[],
  passage: ChunkRecord,
  around: readonly ChunkRecord[],
): { window: ShownWindow; shown: ChunkRecord[] } | null => {
  const at = around.findIndex(({ n }) => n === passage.n);
  for (const window of windows) {
    const inWindow = new Set(window.shown.map(({ n }) => n));
    const touching = around.flatMap(({ n }, index) => (inWindow.has(n) ? [index] : []));
    if (touching.length === 0) continue;
    const from = Math.min(at, ...touching);
    const to = Math.max(at, ...touching);
    const more = around.slice(from, to + 1).filter(({ n }) => !inWindow.has(n));
    const shown = [...window.shown, ...more].sort(byPosition);
    if (totalLength(shown) <= LONGEST_WINDOW) return { window, shown };
  }
  return null;
};

export interface WindowOptions {
  readonly limit: number;
  readonly window: number;
  /** Default: every neighbour is shown whole. */
  readonly conceal?: Conceal;
}

/** The first `limit` passages with their neighbours; windows that touch are joined, and no chunk is shown twice. */
export const showInWindows = async (
  context: ScopedStore,
  ranked: readonly RankedCandidate<ChunkWithDocument>[],
  { limit, window, conceal }: WindowOptions,
): Promise<ShownWindow[]> => {
  const windows: ShownWindow[] = [];
  const shownChunks = new Set<number>();

  const show = (hit: RankedCandidate<ChunkWithDocument>, around: readonly ChunkRecord[]): void => {
    const join = window === 0 ? null : joinWindow(windows, hit.candidate, around);
    const shown = join?.shown ?? windowAround(hit.candidate, around, (n) => !shownChunks.has(n));
    for (const { n } of shown) shownChunks.add(n);
    if (join) windows[windows.indexOf(join.window)] = { ranked: join.window.ranked, shown };
    else windows.push({ ranked: hit, shown });
  };

  for (let at = 0; at < ranked.length && windows.length < limit; at += limit) {
    const hits = ranked.slice(at, at + limit).filter(({ candidate }) => !shownChunks.has(candidate.n));
    const passages = hits.map(({ candidate }) => candidate);
    const surroundings = await readSurroundings(context, passages, window, conceal);
    for (const [index, hit] of hits.entries()) {
      if (windows.length === limit) break;
      if (!shownChunks.has(hit.candidate.n)) show(hit, surroundings[index] ?? [hit.candidate]);
    }
  }
  return windows;
};

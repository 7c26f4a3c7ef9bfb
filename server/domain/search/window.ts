// What surrounds a hit in its document: a hit is given with its neighbours, which tell what it is about.
import type { ChunkRecord, Passage, SearchStore, Stretch } from '../../adapters/store/port.ts';
import type { Scope } from '../../lib/scope.ts';
import { isConversation } from './flags.ts';
import type { Ranked } from './rank.ts';

/** A window stops growing here; the hit itself is never cut. */
const LONGEST_WINDOW = 1_200;

export const inOrder = (a: ChunkRecord, b: ChunkRecord): number => a.position - b.position || a.part - b.part;

/** How many chunks on each side: a piece of a document is longer than two turns. */
const reachOf = ({ flags }: Passage, window: number): number =>
  isConversation(flags) ? window : Math.ceil(window / 2);

/** Turns within reach, or pieces of the same text. */
const stretchAround = ({ document, position, part, flags }: Passage, reach: number): Stretch =>
  isConversation(flags)
    ? { document: document.n, from: Math.max(0, position - reach), to: position + reach }
    : { document: document.n, from: position, to: position, parts: { from: part - reach, to: part + reach } };

/** Contents that were joined are no neighbours of each other: between them stands a place that nothing has. */
const adjoin = (a: ChunkRecord | undefined, b: ChunkRecord | undefined): boolean =>
  a !== undefined && b !== undefined && Math.abs(a.position - b.position) <= 1;

/** The chunks next to the passage on both sides, itself among them. */
function next(passage: Passage, chunks: readonly ChunkRecord[], reach: number): ChunkRecord[] {
  const at = chunks.findIndex(({ n }) => n === passage.n);
  if (at < 0) return [passage];
  let from = at;
  let to = at;
  while (at - from < reach && adjoin(chunks[from - 1], chunks[from])) from -= 1;
  while (to - at < reach && adjoin(chunks[to + 1], chunks[to])) to += 1;
  return chunks.slice(from, to + 1);
}

/** Which of these neighbours must not be shown, by number. */
export type LeftOut = (ns: readonly number[]) => Promise<ReadonlySet<number>>;

const NOTHING: LeftOut = async () => new Set();

/** Of each passage its neighbours, itself among them, in reading order; `window` as callers count it. */
export async function surroundings(
  store: SearchStore,
  scope: Scope,
  passages: readonly Passage[],
  window: number,
  leftOut = NOTHING,
): Promise<ChunkRecord[][]> {
  if (window === 0) return passages.map((passage) => [passage]);
  const accompanied = passages.filter(({ document }) => document.chunks > 1);
  const stretches = accompanied.map((passage) => stretchAround(passage, reachOf(passage, window)));
  const read = await store.neighbours(scope, stretches);
  const hidden = await leftOut([...new Set(read.flat().map(({ n }) => n))]);
  const around = new Map(
    accompanied.map((passage, at) => {
      const shown = (read[at] ?? []).filter(({ n }) => n === passage.n || !hidden.has(n));
      return [passage.n, next(passage, shown, reachOf(passage, window))];
    }),
  );
  return passages.map((passage) => around.get(passage.n) ?? [passage]);
}

/** As many neighbours as fit, the nearest first, before and after in turn; in reading order. */
function windowAround(
  hit: ChunkRecord,
  around: readonly ChunkRecord[],
  isFree: (n: number) => boolean,
): ChunkRecord[] {
  const at = around.findIndex(({ n }) => n === hit.n);
  const kept: ChunkRecord[] = [hit];
  let length = hit.text.length;
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
  return kept.sort(inOrder);
}

export interface Window {
  hit: Ranked<Passage>;
  shown: readonly ChunkRecord[];
}

const lengthOf = (chunks: readonly ChunkRecord[]): number =>
  chunks.reduce((sum, { text }) => sum + text.length, 0);

/** The window that shows a neighbour of the hit already, with all up to the hit, where that is not too long. */
function joined(
  windows: readonly Window[],
  hit: ChunkRecord,
  around: readonly ChunkRecord[],
): { window: Window; shown: ChunkRecord[] } | null {
  const at = around.findIndex(({ n }) => n === hit.n);
  for (const window of windows) {
    const there = new Set(window.shown.map(({ n }) => n));
    const touching = around.flatMap(({ n }, index) => (there.has(n) ? [index] : []));
    if (touching.length === 0) continue;
    const from = Math.min(at, ...touching);
    const to = Math.max(at, ...touching);
    const more = around.slice(from, to + 1).filter(({ n }) => !there.has(n));
    const shown = [...window.shown, ...more].sort(inOrder);
    if (lengthOf(shown) <= LONGEST_WINDOW) return { window, shown };
  }
  return null;
}

/** The first `limit` hits with their neighbours, windows that touch as one; no chunk is shown twice. */
export async function inWindows(
  store: SearchStore,
  scope: Scope,
  ranked: readonly Ranked<Passage>[],
  { limit, window }: { limit: number; window: number },
  leftOut = NOTHING,
): Promise<Window[]> {
  const windows: Window[] = [];
  const taken = new Set<number>();

  const show = (hit: Ranked<Passage>, around: readonly ChunkRecord[]): void => {
    const join = window === 0 ? null : joined(windows, hit.unit, around);
    const shown = join?.shown ?? windowAround(hit.unit, around, (n) => !taken.has(n));
    for (const { n } of shown) taken.add(n);
    if (join) windows[windows.indexOf(join.window)] = { hit: join.window.hit, shown };
    else windows.push({ hit, shown });
  };

  for (let at = 0; at < ranked.length && windows.length < limit; at += limit) {
    const hits = ranked.slice(at, at + limit).filter(({ unit }) => !taken.has(unit.n));
    const passages = hits.map(({ unit }) => unit);
    const arounds = await surroundings(store, scope, passages, window, leftOut);
    for (const [index, hit] of hits.entries()) {
      if (windows.length === limit) break;
      if (!taken.has(hit.unit.n)) show(hit, arounds[index] ?? [hit.unit]);
    }
  }
  return windows;
}

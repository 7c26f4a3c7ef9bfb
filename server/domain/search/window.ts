// What surrounds a hit in its document.
import type { ChunkRecord, Passage, SearchStore } from '../../adapters/store/port.ts';
import type { Scope } from '../../lib/scope.ts';
import { isConversation } from './flags.ts';
import type { Ranked } from './rank.ts';

/** How far a window reaches: turns are short, pieces of a document are not. */
const TURNS_EACH_SIDE = 2;
const PIECES_EACH_SIDE = 1;
/** A window stops growing here; the hit itself is never cut. */
const LONGEST_WINDOW = 1_200;

export const inOrder = (a: ChunkRecord, b: ChunkRecord): number => a.position - b.position || a.part - b.part;

/** The neighbours of a passage, itself among them, in reading order. */
export async function surroundings(
  store: SearchStore,
  scope: Scope,
  passage: Passage,
): Promise<ChunkRecord[]> {
  const reach = isConversation(passage.flags) ? TURNS_EACH_SIDE : PIECES_EACH_SIDE;
  const { position } = passage;
  const read = await store.neighbours(
    scope,
    passage.document.n,
    Math.max(0, position - reach),
    position + reach,
  );
  const chunks = read.toSorted(inOrder);
  const at = chunks.findIndex(({ n }) => n === passage.n);
  return at < 0 ? [passage] : chunks.slice(Math.max(0, at - reach), at + reach + 1);
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

/** The first `limit` hits with their neighbours; no chunk is shown twice, and a hit that was shown already is not one more. */
export async function inWindows(
  store: SearchStore,
  scope: Scope,
  ranked: readonly Ranked<Passage>[],
  limit: number,
): Promise<Window[]> {
  const windows: Window[] = [];
  const taken = new Set<number>();
  for (const hit of ranked) {
    if (windows.length === limit) break;
    if (taken.has(hit.unit.n)) continue;
    const around = await surroundings(store, scope, hit.unit);
    const shown = windowAround(hit.unit, around, (n) => !taken.has(n));
    for (const { n } of shown) taken.add(n);
    windows.push({ hit, shown });
  }
  return windows;
}

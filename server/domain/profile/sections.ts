// The sections of a profile, out of memories: what lasts, what is recent, what belongs to a topic. Bounded, so that a
// profile fits into a prompt however much is known.
import type { RecalledMemory } from '../../adapters/store/recall-port.ts';
import { type Bucket, createAssigner } from './assign.ts';
import {
  bucketLine,
  bucketSummary,
  recentLine,
  recentSummary,
  saidAt,
  shortened,
  staticLine,
} from './lines.ts';

export interface Section {
  /** `static`, `dynamic`, or the key of a bucket: these two words are no keys. */
  readonly name: string;
  /** What belongs into it. */
  readonly about: string;
  /** Each statement once: the weightiest first, or the newest. */
  readonly memories: readonly RecalledMemory[];
  /** How many lines it has at the most. */
  readonly most: number;
  line(memory: RecalledMemory): string;
  /** What several of them say together. */
  together(text: string, of: readonly RecalledMemory[]): string;
}

const STATIC_LINES = 40;
const DYNAMIC_LINES = 20;
const BUCKET_LINES = 15;

/** What several documents say weighs more than what one says; of equals the newest. */
const byWeight = (a: RecalledMemory, b: RecalledMemory): number =>
  b.sourceCount - a.sourceCount || saidAt(b) - saidAt(a) || b.n - a.n;

const byDate = (a: RecalledMemory, b: RecalledMemory): number =>
  saidAt(b) - saidAt(a) || b.updatedAt - a.updatedAt || b.n - a.n;

/** One fact may be known under several sets of tags. */
function eachOnce(
  memories: readonly RecalledMemory[],
  line: (memory: RecalledMemory) => string,
): RecalledMemory[] {
  const lines = new Set<string>();
  return memories.filter((memory) => {
    const before = lines.size;
    return lines.add(line(memory)).size > before;
  });
}

export const staticSection = (lasting: readonly RecalledMemory[]): Section => ({
  name: 'static',
  about: 'what lasts: name, home, work, family, health, tastes, habits, goals',
  memories: eachOnce(lasting.toSorted(byWeight), staticLine),
  most: STATIC_LINES,
  line: staticLine,
  together: shortened,
});

export const dynamicSection = (recent: readonly RecalledMemory[]): Section => ({
  name: 'dynamic',
  about: 'what is recent, the newest first',
  memories: eachOnce(recent.toSorted(byDate), recentLine),
  most: DYNAMIC_LINES,
  line: recentLine,
  together: recentSummary,
});

/** Every bucket is there, if only empty. */
export function bucketSections(all: readonly RecalledMemory[], buckets: readonly Bucket[]): Section[] {
  const bucketsOf = createAssigner(buckets);
  const found = new Map(buckets.map(({ key }): [string, RecalledMemory[]] => [key, []]));
  for (const memory of all.toSorted(byDate))
    for (const key of bucketsOf(memory.memory)) found.get(key)?.push(memory);
  return buckets.map(({ key, description }) => ({
    name: key,
    about: description,
    memories: eachOnce(found.get(key) ?? [], bucketLine),
    most: BUCKET_LINES,
    line: bucketLine,
    together: bucketSummary,
  }));
}

export const linesOf = ({ memories, most, line }: Section): string[] => memories.slice(0, most).map(line);

// The sections of a profile, out of memories: what lasts, what is recent, what belongs to a topic. Bounded, so that a
// profile fits into a prompt however much is known.
import type { RecalledMemory } from '../../adapters/store/recall-port.ts';
import { type Bucket, createAssigner } from './assign.ts';
import { bucketLine, recentLine, saidAt, staticLine } from './lines.ts';

const STATIC_LINES = 40;
const DYNAMIC_LINES = 20;
const BUCKET_LINES = 15;

/** What several documents say weighs more than what one says; of equals the newest. */
const byWeight = (a: RecalledMemory, b: RecalledMemory): number =>
  b.sourceCount - a.sourceCount || saidAt(b) - saidAt(a) || b.n - a.n;

const byDate = (a: RecalledMemory, b: RecalledMemory): number =>
  saidAt(b) - saidAt(a) || b.updatedAt - a.updatedAt || b.n - a.n;

/** One fact may be known under several sets of tags. */
const eachOnce = (lines: readonly string[], limit: number): string[] => [...new Set(lines)].slice(0, limit);

export const staticSection = (lasting: readonly RecalledMemory[]): string[] =>
  eachOnce(lasting.toSorted(byWeight).map(staticLine), STATIC_LINES);

export const dynamicSection = (recent: readonly RecalledMemory[]): string[] =>
  eachOnce(recent.toSorted(byDate).map(recentLine), DYNAMIC_LINES);

/** Every bucket is there, if only empty. */
export function bucketSection(
  all: readonly RecalledMemory[],
  buckets: readonly Bucket[],
): Record<string, string[]> {
  const bucketsOf = createAssigner(buckets);
  const lines = new Map(buckets.map(({ key }): [string, string[]] => [key, []]));
  for (const memory of all.toSorted(byDate))
    for (const key of bucketsOf(memory.memory)) lines.get(key)?.push(bucketLine(memory));
  return Object.fromEntries([...lines].map(([key, found]) => [key, eachOnce(found, BUCKET_LINES)]));
}

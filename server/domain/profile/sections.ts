// Groups memories into the sections of a profile: lasting facts, recent facts, topics. Each has a maximum of lines, so that
// a profile fits into a prompt.
import type { WeighedMemory } from '../../adapters/store/ports/recall.ts';
import { type Bucket, createBucketAssigner } from './bucket-assignment.ts';
import {
  bucketLine,
  bucketSummary,
  recentLine,
  recentSummary,
  saidAt,
  shortLine,
  staticLine,
} from './lines.ts';

export interface ProfileSection {
  /** `static`, `dynamic`, or the key of a bucket; no bucket has one of these two keys. */
  readonly name: string;
  /** A description of its subject. */
  readonly about: string;
  /** Each statement once, by weight or by date. */
  readonly memories: readonly WeighedMemory[];
  /** The maximum of lines. */
  readonly most: number;
  line(memory: WeighedMemory): string;
  /** A line that combines several memories. */
  summaryLine(text: string, of: readonly WeighedMemory[]): string;
}

const STATIC_LINES = 40;
const DYNAMIC_LINES = 20;
const BUCKET_LINES = 15;

/** By the number of sources, then the newest first. */
const byWeight = (a: WeighedMemory, b: WeighedMemory): number =>
  b.sourceCount - a.sourceCount || saidAt(b) - saidAt(a) || b.n - a.n;

const byDate = (a: WeighedMemory, b: WeighedMemory): number =>
  saidAt(b) - saidAt(a) || b.updatedAt - a.updatedAt || b.n - a.n;

/** One fact may be stored under several sets of tags. */
const withoutRepeatedLines = (
  memories: readonly WeighedMemory[],
  line: (memory: WeighedMemory) => string,
): WeighedMemory[] => {
  const lines = new Set<string>();
  return memories.filter((memory) => {
    const before = lines.size;
    return lines.add(line(memory)).size > before;
  });
};

export const staticSection = (lasting: readonly WeighedMemory[]): ProfileSection => ({
  name: 'static',
  about: 'what lasts: name, home, work, family, health, tastes, habits, goals',
  memories: withoutRepeatedLines(lasting.toSorted(byWeight), staticLine),
  most: STATIC_LINES,
  line: staticLine,
  summaryLine: shortLine,
});

export const dynamicSection = (recent: readonly WeighedMemory[]): ProfileSection => ({
  name: 'dynamic',
  about: 'what is recent, the newest first',
  memories: withoutRepeatedLines(recent.toSorted(byDate), recentLine),
  most: DYNAMIC_LINES,
  line: recentLine,
  summaryLine: recentSummary,
});

/** One section for each bucket, also for an empty one. */
export const bucketSections = (
  all: readonly WeighedMemory[],
  buckets: readonly Bucket[],
): ProfileSection[] => {
  const bucketsOf = createBucketAssigner(buckets);
  const found = new Map(buckets.map(({ key }): [string, WeighedMemory[]] => [key, []]));
  for (const memory of all.toSorted(byDate))
    for (const key of bucketsOf(memory.memory)) found.get(key)?.push(memory);
  return buckets.map(({ key, description }) => ({
    name: key,
    about: description,
    memories: withoutRepeatedLines(found.get(key) ?? [], bucketLine),
    most: BUCKET_LINES,
    line: bucketLine,
    summaryLine: bucketSummary,
  }));
};

export const sectionLines = ({ memories, most, line }: ProfileSection): string[] =>
  memories.slice(0, most).map(line);

export const sectionEntries = ({ memories, most }: ProfileSection): { id: string; memory: string }[] =>
  memories.slice(0, most).map(({ id, memory }) => ({ id, memory }));

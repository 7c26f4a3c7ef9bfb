// Groups memories into the sections of a profile: lasting facts, recent facts, topics. Each has a maximum of lines, so that
// a profile fits into a prompt.
import type { WeighedMemory } from '../../adapters/store/ports/memories/recall.ts';
import { type Bucket, createBucketAssigner } from './bucket-assignment.ts';
import { importanceOf } from './importance.ts';
import {
  bucketLine,
  bucketSummary,
  recentLine,
  recentSummary,
  saidAt,
  shortLine,
  staticLine,
} from './lines.ts';
import { withoutRepeats } from './repeats.ts';

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

/** Only shown lines need a comparison. */
const COMPARED_PER_LINE = 3;

/** One fact may be stored under several sets of tags, and in several wordings. */
const withoutRepeatedLines = (
  memories: readonly WeighedMemory[],
  line: (memory: WeighedMemory) => string,
  most: number,
): WeighedMemory[] => {
  const lines = new Set<string>();
  const distinct = memories.filter((memory) => {
    const before = lines.size;
    return lines.add(line(memory)).size > before;
  });
  const compared = COMPARED_PER_LINE * most;
  const first = withoutRepeats(distinct.slice(0, compared), ({ memory }) => memory);
  return [...first, ...distinct.slice(compared)];
};

/** Reading whom and what a statement is about takes time. */
const RANKED_PER_LINE = 5;

/** The most important first; of one field, what most documents say. */
const byImportance = (memories: readonly WeighedMemory[], most: number): WeighedMemory[] => {
  const weighed = memories.toSorted(byWeight);
  const ranked = weighed.slice(0, RANKED_PER_LINE * most);
  const places = importanceOf(ranked.map(({ memory }) => memory));
  const ordered = ranked
    .map((memory, at) => ({ memory, place: places[at] ?? 0 }))
    .sort((a, b) => a.place - b.place);
  return [...ordered.map(({ memory }) => memory), ...weighed.slice(ranked.length)];
};

export const staticSection = (lasting: readonly WeighedMemory[]): ProfileSection => ({
  name: 'static',
  about: 'what lasts: name, home, work, family, health, tastes, habits, goals',
  memories: withoutRepeatedLines(byImportance(lasting, STATIC_LINES), staticLine, STATIC_LINES),
  most: STATIC_LINES,
  line: staticLine,
  summaryLine: shortLine,
});

export const dynamicSection = (recent: readonly WeighedMemory[]): ProfileSection => ({
  name: 'dynamic',
  about: 'what is recent, the newest first',
  memories: withoutRepeatedLines(recent.toSorted(byDate), recentLine, DYNAMIC_LINES),
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
    memories: withoutRepeatedLines(found.get(key) ?? [], bucketLine, BUCKET_LINES),
    most: BUCKET_LINES,
    line: bucketLine,
    summaryLine: bucketSummary,
  }));
};

export const sectionLines = ({ memories, most, line }: ProfileSection): string[] =>
  memories.slice(0, most).map(line);

export const sectionEntries = ({ memories, most }: ProfileSection): { id: string; memory: string }[] =>
  memories.slice(0, most).map(({ id, memory }) => ({ id, memory }));

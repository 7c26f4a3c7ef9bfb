// One look at the server in each minute, and the judgement over all of them.
import { readdirSync } from 'node:fs';
import type { Server } from '../bench/support/memoir.ts';
import { median } from '../bench/support/numbers.ts';
import { residentMb } from '../bench/support/process.ts';
import type { Counts } from './mixed-load.ts';

export interface Sample {
  residentMb: number;
  handles: number;
  threads: number;
  files: number;
  counts: Counts;
}

const filesIn = (path: string): number =>
  readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length;

export const observe = ({ pid, dir }: Server, counts: Counts): Sample => ({
  residentMb: residentMb(pid),
  handles: readdirSync(`/proc/${pid}/fd`).length,
  threads: readdirSync(`/proc/${pid}/task`).length,
  files: filesIn(dir),
  counts,
});

export const sampleLine = (minute: number, { counts, ...sample }: Sample): string =>
  [
    `minute ${minute}: ${sample.residentMb.toFixed(0)} MB`,
    `${sample.handles} handles`,
    `${sample.threads} threads`,
    `${sample.files} files`,
    `${counts.calls} calls, ${counts.failed} failed`,
    `${counts.documents} documents`,
  ].join(', ');

/** Memory may be this much more at the end. */
const GROWTH = 1.1;
/** Connections and open files come and go by a few. */
const FEW = 10;
const WARM_SHARE = 1 / 6;
/** A single sample may fall into a moment of work. */
const SAMPLES = 3;
/** The early samples and the late ones are others. */
export const FEWEST_SAMPLES = 8;

/** Sentences on everything that grew; empty: nothing did. */
export const judge = (samples: readonly Sample[]): string[] => {
  const warm = Math.floor(samples.length * WARM_SHARE);
  const early = samples.slice(warm, warm + SAMPLES);
  const late = samples.slice(-SAMPLES);
  const of = (some: readonly Sample[], field: 'residentMb' | 'handles' | 'threads' | 'files') =>
    median(some.map((sample) => sample[field]));
  const memory = of(late, 'residentMb') / of(early, 'residentMb');
  const grown = (['handles', 'threads', 'files'] as const).filter(
    (field) => of(late, field) > of(early, field) + FEW,
  );
  const failed = samples.at(-1)?.counts.failed ?? 0;
  return [
    ...(memory > GROWTH
      ? [`The memory grew to ${(100 * memory).toFixed(0)} % of that after the start.`]
      : []),
    ...grown.map((field) => `The ${field} grew from ${of(early, field)} to ${of(late, field)}.`),
    ...(failed > 0 ? [`${failed} calls failed.`] : []),
  ];
};

// The options of the bench: the measurements and their sizes.
import { parseArgs } from 'node:util';

export const LETTERS = [
  'a',
  'b',
  'c',
  'd',
  'e',
  'f',
  'g',
  'h',
  'i',
  'j',
  'k',
  'l',
  'm',
  'n',
  'o',
  'p',
  'q',
  'r',
] as const;
export type Letter = (typeof LETTERS)[number];

/** These take an hour or two, so they run only where \`--only\` names them. */
const LONG: readonly Letter[] = ['p', 'r'];

/** The measures of (n). */
export const PARTS = ['search', 'adds', 'import', 'fleets'] as const;
export type Part = (typeof PARTS)[number];

export interface Sizes {
  rounds: number;
  /** (a) */
  burstSeconds: number;
  /** (b), (f) */
  documents: number;
  /** (b): documents with drawn memories. */
  remembered: number;
  /** (c): chunks in each store; the last one is the large one of (d) and (e). */
  stores: readonly number[];
  /** (h): chunks in each container. */
  containers: readonly number[];
  /** (c), (g), (h): searches, or profiles, of a round. */
  searches: number;
  /** (d) */
  mixedSeconds: number;
  /** (f) */
  idleSeconds: number;
  /** (j): files of a round. */
  uploads: number;
  /** (k): a turn with an attack, and one without; long enough that five rounds give a p99. */
  stallSeconds: number;
  /** (l): starts of each kind. */
  agentStarts: number;
  /** (m): pages, and how often each way reads them. */
  scans: number;
  scanRounds: number;
  /** (n): the measures to take. */
  parts: readonly Part[];
  /** (n): tags, and the chunks of each. */
  narrow: { tags: number; chunks: number };
  /** (n): pairs of fleets. */
  fleets: number;
  /** (p), (r): chunks, and those of the pieces whose speeds are compared. */
  large: { chunks: number; piece: number };
}

const FULL: Sizes = {
  rounds: 5,
  burstSeconds: 1.5,
  documents: 5000,
  remembered: 1000,
  stores: [1000, 10_000, 100_000],
  containers: [5000, 100_000],
  searches: 100,
  mixedSeconds: 60,
  idleSeconds: 8,
  uploads: 60,
  stallSeconds: 28,
  agentStarts: 20,
  scans: 16,
  scanRounds: 3,
  parts: PARTS,
  narrow: { tags: 12, chunks: 1000 },
  fleets: 7,
  large: { chunks: 1_000_000, piece: 100_000 },
};

const QUICK: Sizes = {
  rounds: 2,
  burstSeconds: 0.5,
  documents: 500,
  remembered: 100,
  stores: [1000, 3000],
  containers: [1000, 3000],
  searches: 30,
  mixedSeconds: 5,
  idleSeconds: 2,
  uploads: 15,
  stallSeconds: 2,
  agentStarts: 5,
  scans: 4,
  scanRounds: 1,
  parts: PARTS,
  narrow: { tags: 4, chunks: 500 },
  fleets: 1,
  large: { chunks: 6000, piece: 2000 },
};

export interface Options {
  only: readonly Letter[];
  sizes: Sizes;
  quick: boolean;
  write: boolean;
  /** The checkout to compare with; undefined: the usual measurements. */
  against: string | undefined;
  /** The compared calls, or the attacks of (k), whose names begin with this; undefined: all. */
  calls: string | undefined;
}

const USAGE = `npm run bench -- [options]; docs/benchmarks.md says what each letter measures

  --only a,f      some of it: ${LETTERS.join(',')}; ${LONG.join(' and ')} take an hour each and run only where they are named
  --part adds     with (n): some of its measures: ${PARTS.join(',')}
  --quick         small sizes, a few minutes: shows that it runs, not how fast Memoir is
  --write         also puts the figures into docs/measurements/server-speed.md
  --against DIR   instead: compares with another checkout (npm install done) in alternating runs
  --calls NAME    with --against: only the calls whose names begin so, as in add or "search, hybrid"; with k: the attacks
  --profile DIR   also leaves a CPU profile of every thread of the servers there`;

/** The names of a list with commas; undefined: all but those that must be named. */
const namesIn = <Name extends string>(
  option: string,
  text: string | undefined,
  all: readonly Name[],
  mustBeNamed: readonly Name[] = [],
): readonly Name[] => {
  const usual: readonly string[] = all.filter((name) => !mustBeNamed.includes(name));
  const names = text?.split(',').map((name) => name.trim()) ?? usual;
  const unknown = names.filter((name) => !(all as readonly string[]).includes(name));
  if (unknown.length > 0)
    throw new Error(`${option} takes some of ${all.join(',')}, not ${unknown.join(',')}.`);
  return names as readonly Name[];
};

export const readOptions = (args: readonly string[]): Options => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string' },
      part: { type: 'string' },
      quick: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      profile: { type: 'string' },
      against: { type: 'string' },
      calls: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    console.log(USAGE);
    process.exit(0);
  }
  if (values.write && values.against !== undefined)
    throw new Error('--write keeps figures of one checkout: leave it out with --against.');
  if (values.profile !== undefined) process.env.BENCH_CPU_PROFILES = values.profile;
  return {
    only: namesIn('--only', values.only, LETTERS, LONG),
    sizes: { ...(values.quick ? QUICK : FULL), parts: namesIn('--part', values.part, PARTS) },
    quick: values.quick,
    write: values.write,
    against: values.against,
    calls: values.calls,
  };
};

// What a search tells somebody who wants to know why. Where nobody does, nothing is told and nothing costs.
import type { KeywordMatches, Units } from '../../adapters/store/port.ts';
import type { Candidate } from './candidates.ts';
import type { Plan } from './plan.ts';
import type { Question } from './question.ts';
import type { Ranked } from './rank.ts';
import type { Rarity } from './rarity.ts';
import type { Basis, Judge } from './similarity.ts';
import type { Threads } from './threads.ts';
import type { Rankable } from './unit.ts';

/** One wording asked of one kind of thing. */
export interface Searched {
  of: Units;
  text: string;
  question: Question;
  plan: Plan;
  basis: Basis;
  /** Whose vectors were compared; null: none. */
  embedder: string | null;
  judge: Judge;
  found: KeywordMatches;
  rarity: Rarity;
  threads: Threads;
  candidates: readonly Candidate[];
  /** What was read in full, and what is left of that, best first. */
  units: readonly Rankable[];
  ranked: readonly Ranked<Rankable>[];
}

/** In the order in which a search takes them. */
export const STEPS = [
  'read',
  'found',
  'threshold',
  'documentThreshold',
  'stated',
  'window',
  'limit',
] as const;
export type Step = (typeof STEPS)[number];

export interface Watch {
  readonly searches: readonly Searched[];
  /** The numbers of what was left after each step that was taken. */
  readonly left: ReadonlyMap<Step, ReadonlySet<number>>;
  readonly reranked: ReadonlyMap<number, number>;
  readonly windows: ReadonlyMap<number, { before: number; after: number }>;
  searched(search: Searched): void;
  passed(step: Step, hits: readonly { unit: { n: number } }[]): void;
  rerankedTo(n: number, score: number): void;
  windowOf(n: number, shown: readonly { n: number }[]): void;
}

export function createWatch(): Watch {
  const searches: Searched[] = [];
  const left = new Map<Step, ReadonlySet<number>>();
  const reranked = new Map<number, number>();
  const windows = new Map<number, { before: number; after: number }>();
  return {
    searches,
    left,
    reranked,
    windows,
    searched(search) {
      searches.push(search);
      const read = search.units.map(({ n }) => n);
      left.set('read', new Set([...(left.get('read') ?? []), ...read]));
    },
    passed: (step, hits) => void left.set(step, new Set(hits.map(({ unit }) => unit.n))),
    rerankedTo: (n, score) => void reranked.set(n, score),
    windowOf(n, shown) {
      const at = shown.findIndex((chunk) => chunk.n === n);
      if (at >= 0) windows.set(n, { before: at, after: shown.length - at - 1 });
    },
  };
}

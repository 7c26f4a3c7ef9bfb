// The trace of a search: records its steps for an explanation. Without an explanation there is no trace and no cost.
import type { UnitKind } from '../../../adapters/store/ports/filters.ts';
import type { LexicalSearch } from '../evidence/lexical-evidence.ts';
import type { ParsedQuery } from '../query/parse-query.ts';
import type { SearchPlan } from '../query/plan.ts';
import type { SearchCandidate } from '../ranking/candidate.ts';
import type { PooledCandidate } from '../ranking/candidate-pool.ts';
import type { RankedCandidate } from '../ranking/rank.ts';
import type { EvidenceBasis, Scorer } from '../similarity/scorer.ts';

/** The search for one wording in one kind of candidates. */
export interface TracedSearch {
  of: UnitKind;
  query: ParsedQuery;
  plan: SearchPlan;
  basis: EvidenceBasis;
  /** The embedder whose vectors were compared; null: none were. */
  embedder: string | null;
  scorer: Scorer;
  lexical: LexicalSearch;
  pool: readonly PooledCandidate[];
  /** The candidates that were read in full. */
  candidates: readonly SearchCandidate[];
  /** The candidates that remain after ranking, best first. */
  ranked: readonly RankedCandidate<SearchCandidate>[];
}

/** The steps in the order in which a search takes them. */
export const SEARCH_STEPS = [
  'read',
  'found',
  'threshold',
  'documentThreshold',
  'stated',
  'window',
  'limit',
] as const;
export type SearchStep = (typeof SEARCH_STEPS)[number];

interface ShownNeighbours {
  before: number;
  after: number;
}

export interface SearchTrace {
  readonly searches: readonly TracedSearch[];
  /** The numbers of the candidates that remained after each step. */
  readonly remaining: ReadonlyMap<SearchStep, ReadonlySet<number>>;
  readonly rerankScores: ReadonlyMap<number, number>;
  readonly windows: ReadonlyMap<number, ShownNeighbours>;
  /** True: no memory answered, and all passages were searched. */
  readonly isUnanswered: boolean;
  /** Keeps a place for a search that begins, because several run at the same time and end in any order. */
  beginSearch(): (search: TracedSearch) => void;
  /** `remaining`: the candidates that passed the step. */
  addStep(step: SearchStep, remaining: readonly { candidate: { n: number } }[]): void;
  addRerankScore(n: number, score: number): void;
  addWindow(n: number, shown: readonly { n: number }[]): void;
  noteUnanswered(): void;
}

export const createSearchTrace = (): SearchTrace => {
  const begun: (TracedSearch | null)[] = [];
  const remaining = new Map<SearchStep, ReadonlySet<number>>();
  const rerankScores = new Map<number, number>();
  const windows = new Map<number, ShownNeighbours>();
  let isUnanswered = false;
  return {
    get searches() {
      return begun.filter((search) => search !== null);
    },
    get isUnanswered() {
      return isUnanswered;
    },
    noteUnanswered() {
      isUnanswered = true;
    },
    remaining,
    rerankScores,
    windows,
    beginSearch() {
      const place = begun.push(null) - 1;
      return (search) => {
        begun[place] = search;
        const read = search.candidates.map(({ n }) => n);
        remaining.set('read', new Set([...(remaining.get('read') ?? []), ...read]));
      };
    },
    addStep: (step, ranked) => void remaining.set(step, new Set(ranked.map(({ candidate }) => candidate.n))),
    addRerankScore: (n, score) => void rerankScores.set(n, score),
    addWindow(n, shown) {
      const at = shown.findIndex((chunk) => chunk.n === n);
      if (at >= 0) windows.set(n, { before: at, after: shown.length - at - 1 });
    },
  };
};

// Orders candidates by evidence and priors: one result for each message, and no text twice.
import { isConversation } from '../../../core/chunk-flags.ts';
import { positionKey } from '../evidence/neighbour-words.ts';
import type { ParsedQuery } from '../query/parse-query.ts';
import type { Scorer } from '../similarity/scorer.ts';
import type { SearchCandidate } from './candidate.ts';
import type { PooledCandidate } from './candidate-pool.ts';
import { createTextSet } from './duplicate-texts.ts';
import { combinedPrior, namedSpeaker } from './priors.ts';

export interface RankedCandidate<Candidate extends SearchCandidate> {
  candidate: Candidate;
  /** Decides the order. */
  evidence: number;
  /** Shown to callers and compared with thresholds; rises with the evidence. */
  similarity: number;
}

/** The better part stands for a long message; pieces of a document stand for themselves. */
const onePerMessage = <Candidate extends SearchCandidate>(
  ranked: readonly RankedCandidate<Candidate>[],
): RankedCandidate<Candidate>[] => {
  const seen = new Set<number>();
  return ranked.filter(({ candidate }) => {
    if (!isConversation(candidate.flags)) return true;
    const key = positionKey(candidate.document.n, candidate.position);
    return !seen.has(key) && seen.add(key);
  });
};

const onePerText = <Candidate extends SearchCandidate>(
  ranked: readonly RankedCandidate<Candidate>[],
): RankedCandidate<Candidate>[] => {
  const seen = createTextSet();
  return ranked.filter(({ candidate }) => seen.add(candidate.text));
};

/** One result for each message, no text twice. */
export const withoutDuplicates = <Candidate extends SearchCandidate>(
  ranked: readonly RankedCandidate<Candidate>[],
): RankedCandidate<Candidate>[] => onePerText(onePerMessage(ranked));

export interface RankInput<Candidate extends SearchCandidate> {
  readonly scorer: Scorer;
  readonly query: ParsedQuery;
  readonly pool: readonly PooledCandidate[];
  /** The candidates of the pool that the scope and the restriction allow. */
  readonly candidates: readonly Candidate[];
}

/** Best first. */
export const rankCandidates = <Candidate extends SearchCandidate>({
  scorer,
  query,
  pool,
  candidates,
}: RankInput<Candidate>): RankedCandidate<Candidate>[] => {
  const strengths = new Map(pool.map((pooled) => [pooled.n, pooled]));
  const priorContext = { query, named: namedSpeaker(query, candidates) };
  const ranked = candidates.flatMap((candidate) => {
    const known = strengths.get(candidate.n);
    if (!known) return [];
    const evidence = scorer.evidence(known, candidate.flags, combinedPrior(candidate, priorContext));
    return [{ candidate, evidence, similarity: scorer.similarity(evidence) }];
  });
  ranked.sort((a, b) => b.evidence - a.evidence || a.candidate.n - b.candidate.n);
  return withoutDuplicates(ranked);
};

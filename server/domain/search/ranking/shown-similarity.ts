// The similarity that callers see: by all evidence, or more among few memories, and by meaning alone where a text
// shares no word with the query.
import { analyse } from '../../../lib/text/terms/analyse.ts';
import type { LikelyAnswer } from '../evidence/likely-answer.ts';
import type { ParsedQuery } from '../query/parse-query.ts';
import { DEFAULT_THRESHOLD, type EvidenceStrengths, type Scorer } from '../similarity/scorer.ts';
import type { SearchCandidate } from './candidate.ts';

/** Most of all a name: everything that is known of Anna is near to a question about Anna. */
const sharesWord = ({ terms, forms }: ParsedQuery, text: string): boolean => {
  const held = new Set(analyse(text));
  return terms.some((term, at) => held.has(term) || (forms[at] ?? []).some((form) => held.has(form)));
};

export interface ShownSimilarity {
  /** Shown to callers and compared with thresholds. */
  readonly similarity: number;
  /** The same without what passes the default threshold because the memories are few: no more than the threshold. */
  readonly sure: number;
}

/**
 * `order`: the similarity by all evidence. A common word makes two vectors alike without an answer, so that meaning alone
 * decides only where there is none.
 */
export const shownSimilarity = (
  {
    scorer,
    query,
    likely,
  }: { readonly scorer: Scorer; readonly query: ParsedQuery; readonly likely: LikelyAnswer },
  candidate: SearchCandidate,
  { cosine, evidence, order }: EvidenceStrengths & { readonly evidence: number; readonly order: number },
): ShownSimilarity => {
  const alone = scorer.similarityAlone(cosine, candidate.flags);
  const sure = alone > order && !sharesWord(query, candidate.text) ? alone : order;
  const isLikely = sure < DEFAULT_THRESHOLD && scorer.passesAmongFew(evidence, () => likely(candidate.text));
  return { similarity: isLikely ? DEFAULT_THRESHOLD : sure, sure };
};

// The similarity that callers see: by all evidence, or more among few memories, and by meaning alone where a text
// shares no word with the query.
import { analyse } from '../../../lib/text/terms/analyse.ts';
import type { ParsedQuery } from '../query/parse-query.ts';
import type { EvidenceStrengths, Scorer } from '../similarity/scorer.ts';
import type { SearchCandidate } from './candidate.ts';

/** Most of all a name: everything that is known of Anna is near to a question about Anna. */
const sharesWord = ({ terms, forms }: ParsedQuery, text: string): boolean => {
  const held = new Set(analyse(text));
  return terms.some((term, at) => held.has(term) || (forms[at] ?? []).some((form) => held.has(form)));
};

/**
 * `order`: the similarity by all evidence. A common word makes two vectors alike without an answer, so that meaning alone
 * decides only where there is none.
 */
export const shownSimilarity = (
  { scorer, query }: { readonly scorer: Scorer; readonly query: ParsedQuery },
  candidate: SearchCandidate,
  { cosine, evidence, order }: EvidenceStrengths & { readonly evidence: number; readonly order: number },
): number => {
  const shown = Math.max(order, scorer.similarityAmongFew(evidence, candidate.flags));
  const alone = scorer.similarityAlone(cosine, candidate.flags);
  return alone > shown && !sharesWord(query, candidate.text) ? alone : shown;
};

// Shows hits without what was forgotten: in their passages, and in the titles and summaries that were drawn from texts.
import type { SourceRecord } from '../../../adapters/store/ports/documents.ts';
import { rootsOf } from '../../../lib/text/terms/derivations.ts';
import { passageOfHit, type RankedPassage, type SearchHit } from '../ranking/fuse-memories-and-passages.ts';
import type { SearchContext } from '../search-context.ts';
import type { SourcePresentation } from './present.ts';
import { type Conceal, withoutForgotten } from './without-forgotten.ts';

/** True: the hit is there for its passage alone. */
export const needsPassage = (hit: SearchHit): boolean => hit.kind === 'chunk' || !hit.isFound;

/** The hit with this passage; null: it has nothing left to show. */
const withPassage = (hit: SearchHit, passage: RankedPassage | null): SearchHit | null => {
  if (hit.kind === 'memory') return { ...hit, passage };
  return passage && { ...hit, ranked: passage };
};

/** True: every word of the query that the passage holds was cut out of it. */
const isFoundByWhatIsGone = (query: ReadonlySet<string>, whole: string, shown: string): boolean => {
  const holds = (text: string) => rootsOf(text).some((root) => query.has(root));
  return holds(whole) && !holds(shown);
};

/** The hits with their passages as they may be shown; `partly`: the passages that also state what is forgotten. */
export const concealHits = async (
  query: string,
  hits: readonly SearchHit[],
  partly: ReadonlySet<number>,
  conceal: Conceal,
): Promise<readonly SearchHit[]> => {
  if (partly.size === 0) return hits;
  const roots = new Set(rootsOf(query));
  const passages = hits.flatMap((hit) => passageOfHit(hit)?.candidate ?? []);
  const concealed = await conceal(passages.filter(({ n }) => partly.has(n)));
  const shown = new Map(concealed.map((passage) => [passage.n, passage]));
  return hits.flatMap((hit) => {
    const passage = passageOfHit(hit);
    if (passage === null || !partly.has(passage.candidate.n)) return [hit];
    const candidate = shown.get(passage.candidate.n);
    const isGone = !candidate || isFoundByWhatIsGone(roots, passage.candidate.text, candidate.text);
    return withPassage(hit, isGone ? null : { ...passage, candidate }) ?? [];
  });
};

/** Documents with a title or a summary that tells nothing forgotten. A title that the sender gave, or that stands in the text, stays. */
export const concealOutlines = async (
  { recall, scope }: Pick<SearchContext, 'recall' | 'scope'>,
  documents: readonly SourceRecord[],
): Promise<SourcePresentation['outlined']> => {
  const drawn = documents.filter(({ title, passageTitle, summary }) => title !== passageTitle || summary);
  const gone = await recall.forgottenOf(scope, [...new Set(drawn.map(({ n }) => n))]);
  return (document) => {
    const forgotten = gone.get(document.n);
    if (forgotten === undefined) return document;
    const { title, passageTitle, summary } = document;
    const isTold = title !== null && withoutForgotten(title, forgotten) !== title;
    return {
      ...document,
      title: isTold ? passageTitle : title,
      summary: summary && (withoutForgotten(summary, forgotten) || null),
    };
  };
};

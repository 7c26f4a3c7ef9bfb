// Plans the merge of a re-sent page: pages are compared by their texts, not by their markup.
import { planTexts } from './plan-text.ts';

export interface PagesPlan {
  readonly decision: 'identical' | 'superset' | 'replaced' | 'appended';
  /** The numbers of the pages that the new page replaces. */
  readonly covered: readonly number[];
}

/** All with one kind of line end. */
export const planPages = (stored: readonly string[], incoming: string): PagesPlan => {
  const plans = stored.map((text) => planTexts(text, incoming).decision);
  if (plans.includes('identical')) return { decision: 'identical', covered: [] };
  const covered = [...plans.keys()].filter((i) => plans[i] !== 'appended');
  if (covered.length === 0) return { decision: 'appended', covered };
  return { decision: plans.includes('replaced') ? 'replaced' : 'superset', covered };
};

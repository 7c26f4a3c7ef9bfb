// What becomes of the pages of a document when a page is sent for it: compared by their texts, not by their tags.
import { planTexts } from './texts.ts';

export interface PagesPlan {
  readonly decision: 'identical' | 'superset' | 'replaced' | 'appended';
  /** The pages that the new one takes the place of, by their numbers. */
  readonly covered: readonly number[];
}

/** All with one kind of line end. */
export function planPages(stored: readonly string[], incoming: string): PagesPlan {
  const plans = stored.map((text) => planTexts(text, incoming).decision);
  if (plans.includes('identical')) return { decision: 'identical', covered: [] };
  const covered = [...plans.keys()].filter((i) => plans[i] !== 'appended');
  if (covered.length === 0) return { decision: 'appended', covered };
  return { decision: plans.includes('replaced') ? 'replaced' : 'superset', covered };
}

// Documents of many chunks: window by window through embedding and commit, so that memory stays bounded.
import type { Embedder } from '../../adapters/embed/port.ts';
import type { DocumentToCommit } from '../../adapters/store/ports/ingestion/commits.ts';
import { nextTurn } from '../../lib/async/wait.ts';
import type { Prepared } from './prepare.ts';
import { type Plan, planWindows } from './reconcile.ts';

/** In chunks: so many take a few megabytes with their data. */
const WINDOW = 512;

export const isLong = ({ drafts }: Prepared): boolean => drafts.length > WINDOW;

export interface LongSteps {
  context(): Embedder['context'];
  /** Null: the document failed, and its claim is settled. */
  embed(plan: Plan): Promise<DocumentToCommit | null>;
  /** False: the document failed, and its claim is settled. */
  commit(document: DocumentToCommit): Promise<boolean>;
}

/** Each window is committed before the next is read; the last one completes the document. */
export const completeByWindows = async (prepared: Prepared, steps: LongSteps): Promise<void> => {
  const added = new Set<string>();
  for (const plan of planWindows(prepared, steps.context(), WINDOW)) {
    const last = plan.before === prepared.drafts.length;
    const embedded = await steps.embed(plan);
    if (embedded === null) return;
    for (const { id } of embedded.added) added.add(id);
    if (!(await steps.commit({ ...embedded, slice: { last, added } }))) return;
    await nextTurn();
  }
};

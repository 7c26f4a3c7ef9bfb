// Documents of many chunks: window by window through embedding and commit, so that memory stays bounded whatever their length.
import type { Embedder } from '../../adapters/embed/port.ts';
import type { IndexedDocument } from '../../adapters/store/ingest-port.ts';
import { nextTurn } from '../../lib/wake.ts';
import type { Prepared } from './prepare.ts';
import { type Plan, planWindows } from './reconcile.ts';

/** So many chunks and what is known of them are a few megabytes. */
const WINDOW = 512;

export const isLong = ({ drafts }: Prepared): boolean => drafts.length > WINDOW;

export interface LongSteps {
  context(): Embedder['context'];
  /** None: it failed, and that is dealt with. */
  embed(plan: Plan): Promise<IndexedDocument | null>;
  /** False: it failed, and that is dealt with. */
  commit(document: IndexedDocument): Promise<boolean>;
}

/** Each window is committed before the next is looked at; the document is done with the last. */
export const indexLong = async (prepared: Prepared, steps: LongSteps): Promise<void> => {
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

// Chooses the submissions of a claim. Passages of a submission with facts are told from all others by the commit that
// stores them, so such a submission is indexed alone.
import type { PendingSubmission } from '../../ports/ingestion/claims.ts';

/** A submission that is not decided, or the first one of a document with its facts. */
export interface WaitingSubmission extends PendingSubmission {
  /** The first one, whose content is that of the document. */
  created: boolean;
  /** Its sender stated facts that are not placed on passages. */
  facts: boolean;
}

/** The submissions that a claim takes. */
export interface ClaimedShare {
  submissions: PendingSubmission[];
  /** The submission whose facts are the memories of what the claim adds; null: it is read for memories. */
  given: number | null;
  /** Further submissions wait for their turn. */
  more: boolean;
}

const pendingSubmission = ({ n, mode, content }: WaitingSubmission): PendingSubmission => ({
  n,
  mode,
  content,
});

/** The number of submissions before the next one with facts. */
const plainOnes = (pending: readonly WaitingSubmission[]): number => {
  const next = pending.findIndex(({ facts }) => facts);
  return next < 0 ? pending.length : next;
};

/**
 * In the order of arrival. A replacement is the content of the document already, so nothing before it counts. `indexed`: the
 * content of the document went through a commit; `passages`: it has some.
 */
export const claimedShare = (
  waiting: readonly WaitingSubmission[],
  { indexed, passages }: { indexed: boolean; passages: boolean },
): ClaimedShare => {
  const created = waiting.find((one) => one.created);
  const pending = waiting.filter((one) => !one.created);
  const replaced = pending.findLastIndex(({ mode }) => mode === 'replace') + 1;
  const share = (count: number, given: WaitingSubmission | undefined): ClaimedShare => ({
    submissions: pending.slice(0, count).map(pendingSubmission),
    given: given?.facts ? given.n : null,
    more: count < pending.length,
  });
  if (replaced > 0) {
    const replacement = pending[replaced - 1];
    return share(replacement?.facts ? replaced : replaced + plainOnes(pending.slice(replaced)), replacement);
  }
  if (!indexed && created?.facts) return share(0, created);
  // Content that could not be read is read again, unless something came after it.
  if (!passages && pending.length === 0) return share(0, created);
  const [first] = pending;
  return indexed && first?.facts ? share(1, first) : share(plainOnes(pending), undefined);
};

// Ends claims: committed, scheduled for a retry, failed, or released to the queue.
import type { Claim } from '../../adapters/store/ports/ingestion/claims.ts';
import type { DocumentToCommit } from '../../adapters/store/ports/ingestion/commits.ts';
import { erasesText } from '../../core/documents/decisions.ts';
import type { IngestError } from '../../core/errors.ts';
import { askedWait, type JobFailure, jobFailure } from '../../core/job-failure.ts';
import { waitBeforeJob } from '../../lib/async/retry.ts';
import { whenRoom } from '../../lib/async/when-room.ts';
import type { IngestContext } from './context.ts';
import { withdrawnDocument } from './reconcile.ts';
import { isLastSlice, slicesOf } from './slices.ts';
import { heldUntil } from './trouble/outage.ts';
import { INGEST_RETRIES } from './trouble/retry-plan.ts';

/** The text was replaced after the stored chunks were cut. */
const isReplaced = ({ chunks, submissions }: Claim): boolean =>
  chunks.length > 0 && submissions.some(({ mode }) => mode === 'replace');

const warnOfFailure = ({ deps }: IngestContext, claim: Claim, { code }: JobFailure): void => {
  const attempts = claim.attempts + 1;
  deps.log.warn({ document: claim.id, code, attempts }, 'A document could not be read.');
};

const commitSlices = async (
  context: IngestContext,
  documents: readonly DocumentToCommit[],
): Promise<void> => {
  const { deps, inHand, signal } = context;
  for (const slice of slicesOf(documents)) {
    const work = () => whenRoom(() => deps.store.commit(slice, deps.spaces()), signal);
    await deps.watch('committing', work, { facts: { documents: slice.length } });
    for (const { claim, failure } of slice.filter(isLastSlice)) {
      inHand.delete(claim);
      if (failure !== null) warnOfFailure(context, claim, failure);
    }
    deps.committed();
    if (slice.some((document) => document.dropsFile || erasesText(document))) deps.replaced?.();
  }
};

const storeFailure = async (context: IngestContext, claim: Claim, error: unknown): Promise<void> => {
  const { deps, inHand } = context;
  const failure = jobFailure(error);
  if (failure.code === 'internal_error')
    deps.log.error({ document: claim.id, err: error }, 'A bug made the reading of a document fail.');
  const waitMs = failure.retryable
    ? waitBeforeJob(INGEST_RETRIES, claim.attempts + 1, askedWait(error), deps.random)
    : null;
  if (waitMs !== null) await deps.store.retryLater(claim, failure, deps.now() + waitMs);
  else if (isReplaced(claim)) return commitSlices(context, [withdrawnDocument(claim, failure)]);
  else await deps.store.fail(claim, failure);
  warnOfFailure(context, claim, failure);
  inHand.delete(claim);
};

const strand = ({ deps, stranded, wake }: IngestContext, claim: Claim, cause: unknown): void => {
  stranded.add(claim);
  wake();
  deps.log.error(
    { document: claim.id, err: cause },
    'The store could not record a failure; the document is released.',
  );
};

/** The embedder is at fault and not these documents: they wait until it answers again. */
export const holdBack = async (
  context: IngestContext,
  claims: readonly Claim[],
  fault: IngestError,
): Promise<void> => {
  const { deps, inHand } = context;
  if (context.signal.aborted) return;
  deps.outage.began(fault);
  try {
    await deps.store.hold(claims, jobFailure(fault), heldUntil(deps.now()));
    for (const claim of claims) inHand.delete(claim);
  } catch (cause) {
    for (const claim of claims) strand(context, claim, cause);
  }
  context.wake();
};

/** After stop the claim stays active and is released with the others. */
export const retryOrFail = async (context: IngestContext, claim: Claim, error: unknown): Promise<void> => {
  if (context.signal.aborted) return;
  try {
    await storeFailure(context, claim, error);
  } catch (cause) {
    strand(context, claim, cause);
  }
};

export const commitOrRetry = async (
  context: IngestContext,
  documents: readonly DocumentToCommit[],
): Promise<void> => {
  try {
    await commitSlices(context, documents);
  } catch (error) {
    for (const { claim } of documents)
      if (context.inHand.has(claim)) await retryOrFail(context, claim, error);
  }
};

export const releaseStranded = async ({ deps, inHand, stranded }: IngestContext): Promise<void> => {
  const claims = [...stranded];
  if (claims.length === 0) return;
  await deps.store.release(claims);
  for (const claim of claims) {
    stranded.delete(claim);
    inHand.delete(claim);
  }
};

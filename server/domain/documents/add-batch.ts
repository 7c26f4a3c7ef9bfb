// Several documents in one call: each is accepted or refused separately, and the accepted ones are stored together.

import type { BatchInput } from '../../../tools/documents/schemas/inputs.ts';
import type { BatchOutput } from '../../../tools/documents/schemas/outputs.ts';
import type { DocumentStore, Submission } from '../../adapters/store/ports/documents.ts';
import { MemoirError } from '../../core/errors.ts';
import type { Caller } from '../../core/principal.ts';
import { createPace } from '../../lib/async/steps.ts';
import { describeIssues } from '../../lib/issues.ts';
import { requireAccepted } from './refusals.ts';
import { type SubmissionParts, toSubmission, withBatch } from './submission.ts';

type Result = BatchOutput['results'][number];
type Prepared = { submission: Submission } | { refused: Result };

const refusedItem = (error: string, details?: string): Result => ({
  id: '',
  status: 'error',
  error,
  ...(details === undefined ? {} : { details }),
});

/** Only an error for callers becomes an item's error; any other error fails the call and is logged. */
const orRefused = <T>(work: () => T): T | Result => {
  try {
    return work();
  } catch (error) {
    if (error instanceof MemoirError) return refusedItem(error.message, error.details);
    throw error;
  }
};

const isRefusal = (value: object): value is Result => 'status' in value && value.status === 'error';

const prepareItem = (
  item: BatchInput['documents'][number],
  batch: BatchInput,
  caller: Caller,
  parts: SubmissionParts,
): Prepared => {
  if (item.issues !== undefined)
    return {
      refused: refusedItem('This document is not valid, so it was not added.', describeIssues(item.issues)),
    };
  const submission = orRefused(() => toSubmission(withBatch(item.value, batch), caller, parts));
  return isRefusal(submission) ? { refused: submission } : { submission };
};

/** Reading and checking hundreds of documents takes as long as several searches, which come in between. */
const SLICE_MS = 2;

const prepareAll = async (batch: BatchInput, caller: Caller, parts: SubmissionParts): Promise<Prepared[]> => {
  const pace = createPace({ sliceMs: SLICE_MS });
  await pace.rest();
  const prepared: Prepared[] = [];
  for (const item of batch.documents) {
    prepared.push(prepareItem(item, batch, caller, parts));
    if (pace.isDue()) await pace.rest();
  }
  return prepared;
};

export const addBatch = async (
  documents: DocumentStore,
  parts: SubmissionParts,
  caller: Caller,
  batch: BatchInput,
): Promise<BatchOutput> => {
  const prepared = await prepareAll(batch, caller, parts);
  const good = prepared.flatMap((one) => ('submission' in one ? [one.submission] : []));
  const outcomes = good.length === 0 ? [] : await documents.submit(caller.scope, good);
  const answers = outcomes.map((outcome) => orRefused((): Result => requireAccepted(outcome, caller)));
  const taken = answers.values();
  const results = prepared.map((one) =>
    'refused' in one ? one.refused : (taken.next().value ?? unanswered()),
  );
  const failed = results.filter(isRefusal).length;
  return { results, failed, success: results.length - failed };
};

const unanswered = (): never => {
  throw new Error('The store answered fewer submissions than it was given.');
};

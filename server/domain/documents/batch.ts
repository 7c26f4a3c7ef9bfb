// Several documents in one call: each is taken or refused for itself, and the good ones are stored together.
import type { BatchOutput } from '../../../tools/shared/document-outputs.ts';
import type { BatchInput } from '../../../tools/shared/documents.ts';
import type { DocumentStore, Submission } from '../../adapters/store/port.ts';
import { MemoirError } from '../../errors.ts';
import { describeIssues } from '../../lib/issues.ts';
import type { Caller } from '../access/caller.ts';
import { accepted } from './refuse.ts';
import { type SubmissionParts, toSubmission, withBatch } from './submission.ts';

type Result = BatchOutput['results'][number];
type Prepared = { submission: Submission } | { refused: Result };

const refusal = (error: string, details?: string): Result => ({
  id: '',
  status: 'error',
  error,
  ...(details === undefined ? {} : { details }),
});

/** Only what is meant for callers becomes an item's error; anything else fails the call and is logged. */
const orRefused = <T>(work: () => T): T | Result => {
  try {
    return work();
  } catch (error) {
    if (error instanceof MemoirError) return refusal(error.message, error.details);
    throw error;
  }
};

const isRefusal = (value: object): value is Result => 'status' in value && value.status === 'error';

const prepare = (
  item: BatchInput['documents'][number],
  batch: BatchInput,
  caller: Caller,
  parts: SubmissionParts,
): Prepared => {
  if (item.issues !== undefined)
    return {
      refused: refusal('This document is not valid, so it was not added.', describeIssues(item.issues)),
    };
  const submission = orRefused(() => toSubmission(withBatch(item.value, batch), caller, parts));
  return isRefusal(submission) ? { refused: submission } : { submission };
};

export const addBatch = async (
  documents: DocumentStore,
  parts: SubmissionParts,
  caller: Caller,
  batch: BatchInput,
): Promise<BatchOutput> => {
  const prepared = batch.documents.map((item) => prepare(item, batch, caller, parts));
  const good = prepared.flatMap((one) => ('submission' in one ? [one.submission] : []));
  const outcomes = good.length === 0 ? [] : await documents.submit(caller.scope, good);
  const answers = outcomes.map((outcome) => orRefused((): Result => accepted(outcome, caller)));
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

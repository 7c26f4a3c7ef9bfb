// The end of a query that ran for longer than it may, as its caller is told.
import { QueryEndedError } from '../../../core/errors.ts';

const RETRY_AFTER_SECONDS = 5;

const RETRY = { headers: { 'retry-after': String(RETRY_AFTER_SECONDS), 'x-should-retry': 'true' } };

export const deadlineReached = (deadlineMs: number): Error =>
  new QueryEndedError(
    deadlineMs,
    `The query was ended after ${deadlineMs} ms, because it would have kept others waiting. ` +
      'Narrow it with a container tag or with fewer conditions, or try again later. ' +
      'MEMOIR_QUERY_DEADLINE_MS of the server sets the limit.',
    RETRY,
  );

/** The outer limit, for a query that a busy machine kept waiting. */
export const waitedTooLong = (limitMs: number): Error =>
  new QueryEndedError(
    limitMs,
    `The query was ended after ${limitMs} ms, because this machine is busy and gave it too little processor time. ` +
      'Try again later, or narrow it with a container tag or with fewer conditions. ' +
      'MEMOIR_QUERY_DEADLINE_MS of the server sets the limit.',
    RETRY,
  );

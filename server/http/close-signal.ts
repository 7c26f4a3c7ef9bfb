// A signal for work that nobody waits for any more: the client has gone, or was told that the server stops.
import type { ServerResponse } from 'node:http';
import type { MemoirError } from '../core/errors.ts';
import { sendError } from './errors.ts';

/** Requests that were answered while they were worked on. */
const givenUp = new WeakSet<ServerResponse>();

/** Answers a request in place of its work, which ends once the answer is sent. */
export const giveUp = (res: ServerResponse, error: MemoirError): void => {
  givenUp.add(res);
  sendError(res, error);
};

/** Aborted when the connection closes before the work was answered. */
export const closeSignal = (res: ServerResponse): AbortSignal => {
  const controller = new AbortController();
  res.once('close', () => {
    if (!res.writableFinished || givenUp.has(res)) controller.abort();
  });
  return controller.signal;
};

// The answer to requests while the server starts or stops.
import type { RequestListener } from 'node:http';
import { VERSION } from '../core/version.ts';
import type { Log } from './log.ts';

/** Answers every request with a 503 and this reason. */
export const answerNotReady = async (log: Log, why: string): Promise<RequestListener> => {
  const { createNotReadyApp } = await import('../http/not-ready.ts');
  return createNotReadyApp({ version: VERSION, why, log });
};

// Waiting for a document: from the states in the middle to one at the end.
import { MemoirError } from './errors.ts';
import type { RequestOptions } from './options.ts';
import { sleep } from './retry.ts';
import type { Document } from './types.generated.ts';

export const middleStates = ['queued', 'processing'] as const;
export const endStates = ['done', 'failed'] as const;
export type MiddleState = (typeof middleStates)[number];
export type EndState = (typeof endStates)[number];

export interface WaitOptions extends RequestOptions {
  /** Called at each look that finds something new. */
  onProgress?: ((document: Document) => void) | undefined;
  /** How long to wait in all. Default: 10 minutes. */
  waitFor?: number | undefined;
  /** `searchable` (default): until it is done. `remembered`: until its memories are drawn as well. */
  until?: 'searchable' | 'remembered' | undefined;
}

/** Processing failed; the document says why. */
export class DocumentFailedError extends MemoirError {
  readonly document: Document;

  constructor(document: Document) {
    super(`Document ${document.id} failed: ${document.failure?.message ?? 'the server does not say why.'}`);
    this.document = document;
  }
}

/** It is still being processed when the time is over. */
export class WaitTimeoutError extends MemoirError {
  readonly document: Document;

  constructor(document: Document, ms: number) {
    super(`Document ${document.id} is still ${document.status} (${document.step}) after ${ms} ms.`);
    this.document = document;
  }
}

const TEN_MINUTES = 600_000;
const SOONEST_MS = 150;
const LATEST_MS = 2000;

const isFinished = (document: Document, until: WaitOptions['until']): boolean =>
  document.status === 'done' && (until !== 'remembered' || document.dreamingStatus === 'done');

const stateOf = ({ status, step, progress, dreamingStatus }: Document): string =>
  JSON.stringify([status, step, progress, dreamingStatus]);

/** A state that this client does not know, of a later server, is one in the middle. */
export async function waitFor(
  get: (options: RequestOptions) => PromiseLike<Document>,
  { onProgress, waitFor: most = TEN_MINUTES, until, ...options }: WaitOptions,
): Promise<Document> {
  const end = Date.now() + most;
  let before = '';
  for (let wait = SOONEST_MS; ; wait = Math.min(wait * 1.5, LATEST_MS)) {
    const document = await get(options);
    if (stateOf(document) !== before) onProgress?.(document);
    before = stateOf(document);
    if (document.status === 'failed') throw new DocumentFailedError(document);
    if (isFinished(document, until)) return document;
    if (Date.now() >= end) throw new WaitTimeoutError(document, most);
    await sleep(Math.min(wait, Math.max(0, end - Date.now())), options.signal);
  }
}

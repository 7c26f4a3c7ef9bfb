// Waiting for a document until it reaches an end state.
import { MemoirError } from './errors.ts';
import type { RequestOptions } from './options.ts';
import { sleep } from './retry.ts';
import type { Document } from './types.generated.ts';

export const middleStates = ['queued', 'processing'] as const;
export const endStates = ['done', 'failed'] as const;
export type MiddleState = (typeof middleStates)[number];
export type EndState = (typeof endStates)[number];

export interface WaitOptions extends RequestOptions {
  /** Called each time the state of the document changed. */
  onProgress?: ((document: Document) => void) | undefined;
  /** The longest total wait in milliseconds. Default: 10 minutes. */
  waitFor?: number | undefined;
  /** `searchable` (default): waits until the document is done. `remembered`: also until its memories are drawn. */
  until?: 'searchable' | 'remembered' | undefined;
}

/** Processing failed; `document.failure` has the reason. */
export class DocumentFailedError extends MemoirError {
  readonly document: Document;

  constructor(document: Document) {
    super(`Document ${document.id} failed: ${document.failure?.message ?? 'the server gave no reason.'}`);
    this.document = document;
  }
}

/** The document is still being processed when the wait ends. */
export class WaitTimeoutError extends MemoirError {
  readonly document: Document;

  constructor(document: Document, ms: number) {
    super(
      `Document ${document.id} is still ${document.status} (${document.step}) after ${ms} ms, and is processed further. Wait for it again, with a longer waitFor.`,
    );
    this.document = document;
  }
}

const TEN_MINUTES = 600_000;
const SOONEST_MS = 150;
const LATEST_MS = 2000;

const isWaitOver = (document: Document, until: WaitOptions['until']): boolean =>
  document.status === 'done' && (until !== 'remembered' || document.dreamingStatus === 'done');

const progressState = ({ status, step, progress, dreamingStatus }: Document): string =>
  JSON.stringify([status, step, progress, dreamingStatus]);

/** Polls the document. An unknown state, of a later server version, counts as not finished. */
export const waitFor = async (
  get: (options: RequestOptions) => PromiseLike<Document>,
  { onProgress, waitFor: most = TEN_MINUTES, until, ...options }: WaitOptions,
): Promise<Document> => {
  const end = Date.now() + most;
  let before = '';
  for (let wait = SOONEST_MS; ; wait = Math.min(wait * 1.5, LATEST_MS)) {
    const document = await get(options);
    if (progressState(document) !== before) onProgress?.(document);
    before = progressState(document);
    if (document.status === 'failed') throw new DocumentFailedError(document);
    if (isWaitOver(document, until)) return document;
    if (Date.now() >= end) throw new WaitTimeoutError(document, most);
    await sleep(Math.min(wait, Math.max(0, end - Date.now())), options.signal);
  }
};

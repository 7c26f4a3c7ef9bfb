// An outage of the embedder: documents are held back while it lasts, and one short call at a time shows whether it is over.
import type { Embedder } from '../../../adapters/embed/port.ts';
import type { StoredFailure } from '../../../adapters/store/ports/documents.ts';
import type { ClaimStore } from '../../../adapters/store/ports/ingestion/claims.ts';
import type { IngestError } from '../../../core/errors.ts';
import { askedWait, jobFailure, providerFault } from '../../../core/job-failure.ts';
import type { Logger } from '../../../core/log.ts';
import type { AfterRound } from '../../../lib/async/background/worker.ts';
import { growingWait, respectedWait } from '../../../lib/async/retry.ts';

export interface OutageDeps {
  store: Pick<ClaimStore, 'holdWaiting' | 'releaseHeld'>;
  /** The embedder whose vectors searches use; undefined: none is open. */
  embedder: () => Embedder | undefined;
  now: () => number;
  log: Pick<Logger, 'warn'>;
  /** Called when an outage is over. */
  over?: () => void;
}

export interface Outage {
  /** A request failed by the fault of the embedder. */
  began(error: IngestError): void;
  /** A request was answered. */
  answered(): void;
  lasts(): boolean;
  /** The next round asks the embedder, however recently it was asked. */
  askNow(): void;
  /** Holds back what waits, or releases it when the outage is over; null: documents may be claimed. */
  round(signal: AbortSignal): Promise<AfterRound | null>;
}

const WAITS = { firstWaitMs: 1000, longestWaitMs: 60_000 };
/** The longest wait that a service may ask for. */
const ASKED = { firstWaitMs: 0, longestWaitMs: 10 * 60_000 };
const QUESTION = 'Does this service answer?';
const QUESTION_MS = 10_000;
/** Only a fallback: the end of the outage releases them. */
const HOLD_MS = 3_600_000;
const HELD_AT_ONCE = { documents: 256, containers: 64 };
const RELEASED_AT_ONCE = 500;

interface Lasting {
  failure: StoredFailure;
  askAt: number;
  over: boolean;
}

/** The time of the next question, and of the document that is held back as a last resort. */
export const heldUntil = (now: number): number => now + HOLD_MS;

export const createOutage = (deps: OutageDeps, clock: () => number = () => performance.now()): Outage => {
  const { store, log } = deps;
  let lasting: Lasting | null = null;
  let failures = 0;

  const began = (error: IngestError): void => {
    const known = lasting !== null && !lasting.over && clock() < lasting.askAt;
    // Requests that were under way together fail together.
    if (known) return;
    failures += 1;
    const waitMs = respectedWait(ASKED, askedWait(error), growingWait(WAITS, failures));
    if (lasting === null)
      log.warn({ err: error, waitMs }, 'The embedder is at fault. Documents wait until it answers again.');
    lasting = { failure: jobFailure(error), askAt: clock() + waitMs, over: false };
  };

  const end = (): void => {
    if (lasting !== null) lasting.over = true;
  };

  const ask = async (signal: AbortSignal): Promise<void> => {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(QUESTION_MS)]);
    try {
      await deps.embedder()?.embedQuery(QUESTION, undefined, limit);
      end();
    } catch (error) {
      signal.throwIfAborted();
      const fault = providerFault(error);
      if (fault !== null) return began(fault);
      failures += 1;
      if (lasting !== null) lasting.askAt = clock() + growingWait(WAITS, failures);
    }
  };

  const release = async (): Promise<void> => {
    while ((await store.releaseHeld(RELEASED_AT_ONCE)) === RELEASED_AT_ONCE);
    if (lasting?.over !== true) return;
    lasting = null;
    deps.over?.();
  };

  return {
    began,
    answered() {
      failures = 0;
      end();
    },
    lasts: () => lasting !== null,
    askNow() {
      if (lasting !== null) lasting.askAt = clock();
    },
    async round(signal) {
      if (lasting !== null && !lasting.over && clock() >= lasting.askAt) await ask(signal);
      if (lasting?.over) await release();
      if (lasting === null) return null;
      const held = await store.holdWaiting(HELD_AT_ONCE, lasting.failure, heldUntil(deps.now()));
      return held > 0 ? 'again' : { sleepMs: Math.max(1, lasting.askAt - clock()) };
    },
  };
};

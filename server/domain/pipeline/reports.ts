// Tells the store how far documents are: rarely, so that nothing is slower for being watched.
import type { Claim, IngestStore, StepNews } from '../../adapters/store/ingest-port.ts';
import type { Step } from '../../adapters/store/port.ts';
import type { Logger } from '../../lib/logger.ts';

export interface Reports {
  /** Claimed just now: the store knows the step. */
  begin(claims: readonly Claim[]): void;
  /** Noted when nothing was said of the document for a while; `long`: what begins may last, so a new step is noted at once. */
  tell(news: readonly StepNews[], long?: boolean): Promise<void>;
}

/** What lasts less is seen by nobody. */
const WORTH_MS = 200;

export const createReports = (deps: {
  store: Pick<IngestStore, 'report'>;
  now: () => number;
  log: Pick<Logger, 'warn'>;
}): Reports => {
  const told = new WeakMap<Claim, { step: Step; at: number }>();

  return {
    begin(claims) {
      const at = deps.now();
      for (const claim of claims) told.set(claim, { step: 'extracting', at });
    },

    async tell(news, long = false) {
      const at = deps.now();
      const due = news.filter(({ claim, step, progress }) => {
        const last = told.get(claim);
        const waited = last === undefined || at - last.at >= WORTH_MS;
        return last?.step === step ? progress !== undefined && waited : long || waited;
      });
      if (due.length === 0) return;
      for (const { claim, step } of due) told.set(claim, { step, at });
      try {
        await deps.store.report(due);
      } catch (error) {
        deps.log.warn({ err: error, documents: due.length }, 'How far documents are could not be noted.');
      }
    },
  };
};

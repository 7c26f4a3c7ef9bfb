// Writes the progress of documents to the store, rarely, so that reports cost little.

import type { DocumentStep } from '../../adapters/store/ports/documents.ts';
import type { Claim, StepNews } from '../../adapters/store/ports/ingestion/claims.ts';
import type { IngestStore } from '../../adapters/store/ports/ingestion/ingest.ts';
import type { Logger } from '../../core/log.ts';

export interface Reports {
  /** Called after a claim; the store knows the step. */
  begin(claims: readonly Claim[]): void;
  /** Written if the last report of the document is old enough; `long`: the step may last, so it is written at once. */
  tell(news: readonly StepNews[], long?: boolean): Promise<void>;
}

/** A shorter step is not reported. */
const WORTH_MS = 200;

export const createReports = (deps: {
  store: Pick<IngestStore, 'report'>;
  now: () => number;
  log: Pick<Logger, 'warn'>;
}): Reports => {
  const told = new WeakMap<Claim, { step: DocumentStep; at: number }>();

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
        deps.log.warn(
          { err: error, documents: due.length },
          'The progress of documents could not be stored.',
        );
      }
    },
  };
};

// Measures the steps of background work for metrics, and tells the API thread of them once a second.
import { failureCode, type StepSample, unwatched, type WorkWatch } from '../../lib/async/work-watch.ts';

const TELL_MS = 1_000;

/** `tell`: null if nobody collects the samples. */
export const createStepMeter = (tell: ((samples: readonly StepSample[]) => void) | null): WorkWatch => {
  if (tell === null) return unwatched;
  let samples: StepSample[] = [];
  const measure = (step: string, started: number, failure: string | null): void => {
    samples.push({ step, ms: performance.now() - started, failure });
    if (samples.length > 1) return;
    setTimeout(() => {
      const taken = samples;
      samples = [];
      tell(taken);
    }, TELL_MS).unref();
  };
  return async (step, work, { failureOf } = {}) => {
    const started = performance.now();
    try {
      const result = await work();
      measure(step, started, failureOf?.(result) ?? null);
      return result;
    } catch (error) {
      measure(step, started, failureCode(error));
      throw error;
    }
  };
};

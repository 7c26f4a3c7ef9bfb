// What operators asked to watch: figures and traces. Their libraries are loaded only then.
import type { Metrics } from '../adapters/metrics/port.ts';
import type { Config } from '../config/config.ts';
import { unwatched, type WorkWatch } from '../lib/async/work-watch.ts';

export interface Watching {
  /** Null: they are off. */
  readonly metrics: Metrics | null;
  /** Of the work of the API thread. */
  readonly watch: WorkWatch;
}

const openFigures = async ({ metrics }: Config): Promise<Metrics | null> =>
  metrics === null ? null : (await import('../adapters/metrics/prometheus.ts')).openPrometheus();

export const openWatching = async (config: Config): Promise<Watching> => {
  const metrics = await openFigures(config);
  return { metrics, watch: metrics?.watch ?? unwatched };
};

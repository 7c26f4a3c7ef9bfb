// Metrics and traces, where operators asked for them. Their libraries are loaded only then.
import type { Metrics } from '../../adapters/metrics/port.ts';
import { openTraces } from '../../adapters/traces/open.ts';
import type { Tracer } from '../../adapters/traces/port.ts';
import type { Config } from '../../config/config.ts';
import { unwatched, type WorkWatch, watchedByAll } from '../../lib/async/work-watch.ts';
import type { Log } from '../log.ts';

export interface Watching {
  /** Null: they are off. */
  readonly metrics: Metrics | null;
  /** Null: nothing is traced. */
  readonly tracer: Tracer | null;
  /** Watches the work of the API thread. */
  readonly watch: WorkWatch;
}

const openFigures = async ({ metrics }: Config): Promise<Metrics | null> =>
  metrics === null ? null : (await import('../../adapters/metrics/prometheus.ts')).openPrometheus();

export const openWatching = async (config: Config, log: Pick<Log, 'warn'>): Promise<Watching> => {
  const [metrics, tracer] = await Promise.all([
    openFigures(config),
    openTraces(config.traces, (problem) => log.warn(problem)),
  ]);
  const watches = [tracer, metrics].flatMap((each) => each?.watch ?? []);
  return { metrics, tracer, watch: watches.length === 0 ? unwatched : watchedByAll(watches) };
};

// The parts of the API thread with a span around each of their calls. Without traces they stay as they are.
import type { RequestListener } from 'node:http';
import type { Embedder } from '../../adapters/embed/port.ts';
import type { OpenedStore } from '../../adapters/store/request-side/store.ts';
import type { Tracer } from '../../adapters/traces/port.ts';
import type { Chroma } from '../../adapters/vectors/chroma/open-chroma.ts';
import type { Invoke } from '../../calls/invoke.ts';
import type { WorkWatch } from '../../lib/async/work-watch.ts';
import type { OpenedDatabase } from '../database/database.ts';

type AnyCall = (...args: unknown[]) => Promise<unknown>;

const isCall = (value: unknown): value is AnyCall => typeof value === 'function';

/** `search` with its method `chunks` becomes the span `store.search.chunks`. */
const watchedPart = <Part extends object>(part: Part, name: string, watch: WorkWatch): Part => {
  const entries = Object.entries(part).map(([field, value]): [string, unknown] => {
    const of = `${name}.${field}`;
    if (isCall(value)) return [field, (...args: unknown[]) => watch(of, () => value(...args))];
    return [field, typeof value === 'object' && value !== null ? watchedPart(value, of, watch) : value];
  });
  return Object.fromEntries(entries) as Part;
};

export const tracedStore = (store: OpenedStore, tracer: Tracer | null): OpenedStore =>
  tracer === null ? store : { ...watchedPart(store, 'store', tracer.watch), close: store.close };

/** Spans do not cross threads: a search whose spans are sent stays on this one. */
export const tracedDatabase = (database: OpenedDatabase, tracer: Tracer | null): OpenedDatabase => {
  const { searchElsewhere } = database;
  if (tracer === null || searchElsewhere === null) return database;
  return { ...database, searchElsewhere: { ...searchElsewhere, mayRun: () => !tracer.isRecording() } };
};

export const tracedChroma = (chroma: Chroma, tracer: Tracer | null): Chroma => {
  if (tracer === null) return chroma;
  const { index } = chroma;
  const nearest: typeof index.nearest = (scope, request, signal) =>
    tracer.watch('index.nearest', () => index.nearest(scope, request, signal));
  return { ...chroma, index: { ...index, nearest } };
};

export const tracedEmbedder =
  (tracer: Tracer | null) =>
  (embedder: Embedder): Embedder => {
    if (tracer === null) return embedder;
    const { watch } = tracer;
    return {
      ...embedder,
      embed: (passages, signal, embedded) =>
        watch('embedder.embed', () => embedder.embed(passages, signal, embedded), {
          facts: { passages: passages.length },
        }),
      embedQuery: (query, weigh, signal) =>
        watch('embedder.embedQuery', () => embedder.embedQuery(query, weigh, signal)),
    };
  };

export const tracedInvoke = (invoke: Invoke, tracer: Tracer | null): Invoke => {
  if (tracer === null) return invoke;
  const run: Invoke['run'] = (operation, input, principal, call) => {
    const { name, rest } = operation;
    const work = () => invoke.run(operation, input, principal, call);
    const watched = () => tracer.watch(name, work, { facts: { way: call.way, request_id: call.requestId } });
    return tracer.inRequest(call.requestId, `${rest.method} ${rest.path}`, watched);
  };
  const whole = async (...[operation, input, credentials, signal]: Parameters<Invoke>) =>
    run(operation, input, await invoke.admit(credentials), { ...credentials, signal });
  return Object.assign(whole, { admit: invoke.admit, checkRight: invoke.checkRight, run });
};

export const tracedListener = (app: RequestListener, tracer: Tracer | null): RequestListener =>
  tracer === null ? app : (req, res) => tracer.request(req, res, () => app(req, res));

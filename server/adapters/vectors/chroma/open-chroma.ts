// The Chroma that a service uses: a local server of its own over a folder, or any server or cloud by its address.

import { createRest } from '../../../lib/async/rest.ts';
import type { VectorIndexState } from '../port.ts';
import type { ChromaServer } from './server/supervisor.ts';
import { type ChromaIndex, type ChromaLimits, createChromaIndex } from './vector-index.ts';

export interface ChromaPlace {
  /** The address; null: the service runs its own, which has no address yet. */
  readonly url: string | null;
  /** False: the service runs its own. */
  readonly external: boolean;
  readonly token: string | null;
  readonly tenant: string | null;
  readonly database: string | null;
  /** The number of collections of each space. */
  readonly shards: number;
}

export interface ChromaOptions extends ChromaPlace {
  /** The service's own server, if `url` is null. */
  readonly server: ChromaServer | null;
  /** Separates the collections of several installations on one server. */
  readonly namespace: string;
  readonly limits?: Partial<ChromaLimits>;
}

/** A report of the thread that fills the index. */
export interface ChromaNews {
  readonly url: string | null;
  /** The spaces that it holds completely, except for vectors that are known to be pending. */
  readonly spaces: readonly number[];
}

export interface Chroma {
  readonly index: ChromaIndex;
  /** The address at which it answers; null while it does not. */
  url(): string | null;
  /** The process of the service's own server, while it runs. */
  pid(): number | null;
  /** Null: the server is external, and the thread that fills the index knows its state from its last call or heartbeat. */
  state(): VectorIndexState | null;
  heard(news: ChromaNews): void;
  /** Frees what dropped indexes hold, where the server is the service's own. */
  freeDropped(): Promise<void>;
  /** True when the index at its present address holds the space completely and answers. */
  holds(space: number): boolean;
  /** Called at each change of `url()`. */
  watch(listener: (url: string | null) => void): void;
  /** Resolves when it answers; rejects with a sentence when it cannot be started or reached. */
  ready(signal?: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

export const indexAt = (
  url: () => string | null,
  { external, token, tenant, database, shards }: ChromaPlace,
  namespace: string,
  limits: Partial<ChromaLimits> = {},
): ChromaIndex =>
  createChromaIndex({
    url,
    ...{ namespace, shards, limits },
    // The own server has no such limits. Any other may be the Cloud.
    paced: external,
    token: token ?? undefined,
    tenant: tenant ?? undefined,
    database: database ?? undefined,
  });

/** A server that hangs delays one search and not each of them. */
const REST = { restMs: 5_000, patienceMs: 250, trialMs: 5_000 };

const UNANSWERED: VectorIndexState = { status: 'down', detail: 'Chroma did not answer the last query' };

export const openChroma = (options: ChromaOptions): Chroma => {
  const { server, namespace, limits } = options;
  const url = () => (server ? server.url() : options.url);
  const plain = indexAt(url, options, namespace, limits);
  const rest = createRest(REST);
  const index: ChromaIndex = {
    ...plain,
    nearest: (scope, request, signal) => rest.run((stop) => plain.nearest(scope, request, stop), signal),
  };
  let told: ChromaNews = { url: null, spaces: [] };
  return {
    index,
    url,
    pid: () => server?.pid() ?? null,
    // After the rest, heartbeats say whether the server is well again, also when nobody searches.
    state: () => (rest.rests() ? UNANSWERED : (server?.state() ?? null)),
    heard(news) {
      if (news.url === told.url && news.spaces.join() === told.spaces.join()) return;
      told = news;
      rest.over();
    },
    freeDropped: async () => server?.restart(),
    holds: (space) =>
      !rest.rests() && server?.state().status !== 'down' && told.url === url() && told.spaces.includes(space),
    watch: (listener) => void server?.watch(listener),
    async ready(signal) {
      await server?.ready(signal);
      await index.ready(signal);
    },
    async close() {
      await index.close();
      await server?.stop();
    },
  };
};

// The Chroma that a service uses: a local server of its own over a folder, or any server or cloud by its address.
import { type ChromaIndex, type ChromaLimits, createChromaIndex } from './chroma-index.ts';
import type { ChromaLog } from './chroma-launch.ts';
import { createChromaServer } from './chroma-process.ts';
import type { VectorIndexState } from './port.ts';

/** Where a server of others is; null where none is named. */
export interface ChromaPlace {
  readonly url: string | null;
  readonly token: string | null;
  readonly tenant: string | null;
  readonly database: string | null;
}

export interface ChromaOptions extends ChromaPlace {
  /** Of a server of our own, when `url` is null. */
  readonly folder: string;
  /** Tells the collections of several installations on one server apart. */
  readonly namespace: string;
  readonly limits?: Partial<ChromaLimits>;
  readonly log: ChromaLog;
}

/** What somebody who filled the index says of it. */
export interface ChromaNews {
  readonly url: string | null;
  /** What it holds whole, but for what is known to be on its way. */
  readonly spaces: readonly number[];
}

export interface Chroma {
  readonly index: ChromaIndex;
  /** Where it answers; null while it does not. */
  url(): string | null;
  /** Null: it is nobody's child here, so whoever spoke to it last knows. */
  state(): VectorIndexState | null;
  heard(news: ChromaNews): void;
  /** Whether the index, where it is now, holds the space whole and answers. */
  holds(space: number): boolean;
  /** Hears each change of `url()`. */
  watch(listener: (url: string | null) => void): void;
  /** Resolves when it answers; rejects with a sentence when it cannot be started or reached. */
  ready(signal?: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

export const indexAt = (
  url: () => string | null,
  { token, tenant, database }: ChromaPlace,
  namespace: string,
  limits: Partial<ChromaLimits> = {},
): ChromaIndex =>
  createChromaIndex({
    url,
    namespace,
    limits,
    token: token ?? undefined,
    tenant: tenant ?? undefined,
    database: database ?? undefined,
  });

/** One that hangs holds up one search and not each of them. */
const REST_MS = 5_000;

/** Asks no more for a while after a question that was not answered. */
const withRest = (index: ChromaIndex): { index: ChromaIndex; rests(): boolean; rested(): void } => {
  let until = 0;
  return {
    rests: () => performance.now() < until,
    rested() {
      until = 0;
    },
    index: {
      ...index,
      async nearest(scope, request, signal) {
        try {
          return await index.nearest(scope, request, signal);
        } catch (error) {
          if (signal?.aborted !== true) until = performance.now() + REST_MS;
          throw error;
        }
      },
    },
  };
};

export const openChroma = (options: ChromaOptions): Chroma => {
  const { folder, namespace, limits, log } = options;
  const server = options.url === null ? createChromaServer({ folder, log }) : null;
  const url = () => (server ? server.url() : options.url);
  const { index, rests, rested } = withRest(indexAt(url, options, namespace, limits));
  let told: ChromaNews = { url: null, spaces: [] };
  return {
    index,
    url,
    state: () => server?.state() ?? null,
    heard(news) {
      told = news;
      rested();
    },
    holds: (space) => !rests() && told.url === url() && told.spaces.includes(space),
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

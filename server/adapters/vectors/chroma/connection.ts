// One client's connection to a Chroma server: the address of the database, the server's abilities, its health.
import { pause } from '../../../lib/async/wait.ts';
import type { VectorIndexState } from '../port.ts';
import { type ChromaCall, ChromaError, type ChromaHttp, createChromaHttp, heartbeat } from './http.ts';
import { pacedHttp } from './pace.ts';

export interface ChromaConnectionOptions {
  /** The present address of the server; null while there is none. */
  readonly url: () => string | null;
  readonly token?: string | undefined;
  readonly tenant?: string | undefined;
  readonly database?: string | undefined;
  /** True: the limits of Chroma Cloud are kept. */
  readonly paced?: boolean;
}

export interface ChromaAbilities {
  /** The most records in a write. */
  readonly batch: number;
  /** Takes vectors as base64 of little-endian floats: a third of the bytes and no number to print or parse. */
  readonly base64: boolean;
}

export interface ChromaConnection {
  readonly ask: ChromaHttp;
  /** Records per write, as far as the server takes so many. */
  readonly batch: number;
  state(): VectorIndexState;
  /** The path of the database that holds the collections. */
  database(call: ChromaCall): Promise<string>;
  abilities(call: ChromaCall): Promise<ChromaAbilities>;
  ready(limitMs: number, signal?: AbortSignal): Promise<void>;
  close(): void;
}

/** Chroma Cloud takes no more records in one write. */
const PACED_RECORDS_PER_WRITE = 300;
/** The own server spends an eighth less on a vector than in writes of 300; larger ones save little more and end later. */
const RECORDS_PER_WRITE = 600;
const POLL_MS = 50;
const HEARTBEAT_LIMIT_MS = 5_000;
const DEFAULT_TENANT = 'default_tenant';
const DEFAULT_DATABASE = 'default_database';

export const isNotFound = (error: unknown): boolean => error instanceof ChromaError && error.status === 404;

const isSilent = (error: unknown): boolean => error instanceof ChromaError && error.status === null;

const isDown = (error: ChromaError): boolean =>
  error.status === null || error.status === 401 || error.status === 403;

const fieldNamed = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;

const databasePath = (tenant: string, database: string): string =>
  `/tenants/${encodeURIComponent(tenant)}/databases/${encodeURIComponent(database)}`;

/** The only database a token opens, as Chroma's own client finds it. */
const ownDatabase = async (
  ask: ChromaHttp,
  call: ChromaCall,
): Promise<{ tenant?: string; database?: string }> => {
  const identity = await ask('GET', '/auth/identity', call);
  const tenant = fieldNamed(identity, 'tenant');
  const databases = fieldNamed(identity, 'databases');
  const names = Array.isArray(databases) ? [...new Set(databases)] : [];
  const only = names.length === 1 && names[0] !== '*' ? names[0] : undefined;
  return {
    ...(typeof tenant === 'string' && tenant !== '' && tenant !== '*' ? { tenant } : {}),
    ...(typeof only === 'string' ? { database: only } : {}),
  };
};

const readAbilities = async (ask: ChromaHttp, batch: number, call: ChromaCall): Promise<ChromaAbilities> => {
  const checks = await ask('GET', '/pre-flight-checks', call);
  const most = fieldNamed(checks, 'max_batch_size');
  return {
    batch: typeof most === 'number' && most > 0 ? Math.min(most, batch) : batch,
    base64: fieldNamed(checks, 'supports_base64_encoding') === true,
  };
};

/** Every call passes here, so that the state reflects the last one. */
const createChromaAsk = (options: ChromaConnectionOptions, closing: AbortSignal) => {
  const http = createChromaHttp(options);
  let state: VectorIndexState = { status: 'starting' };
  const ask: ChromaHttp = async (method, path, call) => {
    const signal = call.signal === undefined ? closing : AbortSignal.any([closing, call.signal]);
    try {
      const answer = await http(method, path, { ...call, signal });
      state = { status: 'ready' };
      return answer;
    } catch (error) {
      if (error instanceof ChromaError) {
        state = isDown(error) ? { status: 'down', detail: error.message } : { status: 'ready' };
      }
      throw error;
    }
  };
  return { ask, state: (): VectorIndexState => ({ ...state }) };
};

const waitForHeartbeat = async (ask: ChromaHttp, limitMs: number, signal?: AbortSignal): Promise<void> => {
  const until = Date.now() + limitMs;
  for (;;) {
    try {
      if (await heartbeat(ask, { signal, limitMs: HEARTBEAT_LIMIT_MS })) return;
      throw new ChromaError(200, 'The server at CHROMA_URL is not a Chroma server. Check the address.');
    } catch (error) {
      if (isNotFound(error)) {
        const text =
          'The server at CHROMA_URL has no v2 interface. Check the address; Chroma must be 0.6 or newer.';
        throw new ChromaError(404, text, error);
      }
      if (!isSilent(error) || Date.now() >= until) throw error;
    }
    await pause(POLL_MS, signal);
    signal?.throwIfAborted();
  }
};

export const createChromaConnection = (options: ChromaConnectionOptions): ChromaConnection => {
  const closing = new AbortController();
  const { ask: unpaced, state } = createChromaAsk(options, closing.signal);
  const ask = options.paced === true ? pacedHttp(unpaced) : unpaced;
  const batch = options.paced === true ? PACED_RECORDS_PER_WRITE : RECORDS_PER_WRITE;
  let known: { url: string | null; abilities: ChromaAbilities } | null = null;
  let path: string | null = null;

  const database = async (call: ChromaCall): Promise<string> => {
    if (path !== null) return path;
    const told = options.tenant !== undefined && options.database !== undefined;
    const own = told || options.token === undefined ? {} : await ownDatabase(ask, call);
    path = databasePath(
      options.tenant ?? own.tenant ?? DEFAULT_TENANT,
      options.database ?? own.database ?? DEFAULT_DATABASE,
    );
    return path;
  };

  return {
    ask,
    batch,
    state,
    database,
    async abilities(call) {
      const url = options.url();
      if (known === null || known.url !== url)
        known = { url, abilities: await readAbilities(ask, batch, call) };
      return known.abilities;
    },
    async ready(limitMs, signal) {
      await waitForHeartbeat(ask, limitMs, signal);
      const call: ChromaCall = { signal, limitMs: HEARTBEAT_LIMIT_MS };
      const where = await database(call);
      try {
        await ask('GET', where, call);
      } catch (error) {
        if (!isNotFound(error)) throw error;
        const text = `Chroma has no database at ${where}. Set CHROMA_TENANT and CHROMA_DATABASE.`;
        throw new ChromaError(404, text, error);
      }
    },
    close: () => closing.abort(new Error('The connection to Chroma was closed.')),
  };
};

// A whole Memoir on a free port over a temporary folder, in this process, with a real Chroma beside it.
import { rmSync } from 'node:fs';
import { createLog } from '../../server/app/log.ts';
import { openMemoir } from '../../server/app/open.ts';
import type { MemoirOptions } from '../../server/app/options.ts';
import type { Memoir } from '../../server/calls/memoir.ts';
import { loadConfig } from '../../server/config/config.ts';
import { newDataFolder } from './data-folder.ts';
import { isOnPostgres, onPostgres, takeDatabase } from './on-postgres.ts';
import { found, until } from './until.ts';

export interface Answer<T = Record<string, unknown>> {
  status: number;
  headers: Headers;
  body: T;
}

export interface TestMemoir {
  url: string;
  /** The first, full key. */
  key: string;
  dir: string;
  /** The address of its PostgreSQL; null: its database is in the folder. */
  database: string | null;
  memoir: Memoir;
  /** `key: null` sends none. */
  ask<T = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    options?: { key?: string | null; headers?: Record<string, string> },
  ): Promise<Answer<T>>;
  /** Adds and waits until it is `done` or `failed`. */
  add(body: Record<string, unknown>, options?: { key?: string }): Promise<{ id: string; status: string }>;
  /** Until the document is `done` or `failed`. */
  settled(id: string): Promise<Record<string, unknown>>;
  /** Until its memories are drawn as well. */
  remembered(id: string): Promise<Record<string, unknown>>;
  /** Until nothing waits any more. */
  idle(): Promise<void>;
  /** A key bound to these tags. */
  scopedKey(tags: string[], more?: Record<string, unknown>): Promise<string>;
}

/** One that its test file started itself, and may stop. */
export interface OwnMemoir extends TestMemoir {
  /** Stops, lets somebody do something to the folder meanwhile, and starts on it again. */
  restart(env?: Record<string, string>, meanwhile?: () => void | Promise<void>): Promise<void>;
  close(): Promise<void>;
}

const QUEUE_MS = 60_000;

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

export const startMemoir = async (
  env: Record<string, string> = {},
  options: MemoirOptions = {},
): Promise<OwnMemoir> => {
  const dir = newDataFolder();
  const database = isOnPostgres && env.MEMOIR_DATABASE_URL === undefined ? await takeDatabase() : null;
  const open = async (more: Record<string, string>) => {
    const config = loadConfig({
      PORT: '0',
      MEMOIR_DATA_DIR: dir,
      MEMOIR_LOG_LEVEL: 'fatal',
      // A machine that does other work is no failure; the deadline has a test of its own.
      MEMOIR_QUERY_DEADLINE_MS: '60000',
      // Servers of models that happen to run on the machine are no part of a test.
      MEMOIR_LOCAL_SERVERS: 'none',
      ...(database === null ? {} : onPostgres(database)),
      ...env,
      ...more,
    });
    const opened = await openMemoir(config, { log: createLog({ level: config.logLevel }), ...options });
    return { opened, url: await opened.listen() };
  };
  let { opened: memoir, url } = await open({});
  const key = memoir.firstKey ?? '';

  const ask: TestMemoir['ask'] = async (method, path, body, { key: with_ = key, headers = {} } = {}) => {
    const response = await fetch(url + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(with_ === null ? {} : { authorization: `Bearer ${with_}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    return {
      status: response.status,
      headers: response.headers,
      body: parse(await response.text()) as never,
    };
  };

  const documentWhen = (id: string, isReady: (body: Record<string, unknown>) => boolean) =>
    found(`document ${id}`, async () => {
      const { body } = await ask('GET', `/v3/documents/${encodeURIComponent(id)}`);
      return (body.status === 'done' || body.status === 'failed') && isReady(body) ? body : null;
    });

  const settled: TestMemoir['settled'] = (id) => documentWhen(id, () => true);

  return {
    get url() {
      return url;
    },
    get memoir() {
      return memoir;
    },
    key,
    dir,
    database: database ?? (env.MEMOIR_DATABASE_URL || null),
    ask,
    settled,
    remembered: (id) => documentWhen(id, ({ dreamingStatus }) => dreamingStatus === 'done'),
    async add(body, options) {
      const answer = await ask<{ id: string; status: string }>('POST', '/v3/documents', body, options);
      if (answer.status !== 200)
        throw new Error(`add answered ${answer.status}: ${JSON.stringify(answer.body)}`);
      const { status } = await settled(answer.body.id);
      return { id: answer.body.id, status: String(status) };
    },
    async idle() {
      const isEmpty = async () => {
        const { body } = await ask<{ totalCount: number }>('GET', '/v3/documents/processing');
        return body.totalCount === 0;
      };
      await until('an empty queue', isEmpty, QUEUE_MS);
    },
    async scopedKey(tags, more = {}) {
      const answer = await ask<{ key: string }>('POST', '/v3/auth/agent-key', {
        name: 'test',
        permission: 'write',
        containerTags: tags,
        ...more,
      });
      if (answer.status !== 200) throw new Error(`agent-key answered ${answer.status}`);
      return answer.body.key;
    },
    async restart(more = {}, meanwhile = () => undefined) {
      await memoir.close();
      await meanwhile();
      ({ opened: memoir, url } = await open(more));
    },
    async close() {
      await memoir.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
};

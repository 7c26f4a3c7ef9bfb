// The HTTP door on a free port of this machine, over real keys and whatever operations a test brings.

import { rmSync } from 'node:fs';
import { Readable } from 'node:stream';
import { createDiskBlobs } from '../../server/adapters/blobs/disk.ts';
import { openSigningKeys } from '../../server/app/data-folder/oauth-keys.ts';
import { createLog } from '../../server/app/log.ts';
import { createInvoke } from '../../server/calls/invoke.ts';
import type { Service } from '../../server/calls/service.ts';
import { notFound } from '../../server/core/errors.ts';
import { createEvents } from '../../server/core/events.ts';
import type { Health } from '../../server/core/health.ts';
import { type Access, createAccess } from '../../server/domain/access/access.ts';
import { createHttpApp } from '../../server/http/app.ts';
import type { TransferRate } from '../../server/http/bodies/transfer-rate.ts';
import { type Listening, startHttpServer } from '../../server/http/listen.ts';
import type { OpenLink } from '../../server/http/other-routes/download-route.ts';
import { newId } from '../../server/lib/ids.ts';
import { createLazyMcpEndpoint } from '../../server/mcp/lazy-endpoint.ts';
import type { Operation } from '../../tools/operation.ts';
import { openTestKeys } from './access-store.ts';
import { newDataFolder } from './data-folder.ts';

export interface Api extends Listening, AsyncDisposable {
  access: Access;
  service: Service;
  /** A key with full access. */
  key: string;
  /** The folder of the files. */
  folder: string;
  /** The log, as text. */
  logged(): string;
  /** A request with the full key unless it brings headers of its own. */
  call(path: string, init?: RequestInit): Promise<Response>;
}

export interface ApiOptions {
  operations?: readonly Operation[];
  health?: () => Promise<Health>;
  baseUrl?: string;
  openLink?: OpenLink;
  trustedProxies?: readonly string[];
  bodyMemory?: number;
  transferRate?: TransferRate;
}

/** A part that no test of these uses: it may be handed on, and calling it fails. */
const partOfNone = <T extends object>(): T =>
  new Proxy({} as T, {
    get: (_, name) => () => {
      throw new Error(`${String(name)} is no part of this test.`);
    },
  });

/** A service of these parts alone: touching another one fails the call. */
const serviceOf = (parts: Pick<Service, 'orgId' | 'access' | 'health'>): Service =>
  new Proxy(parts as Service, {
    get(target, name, receiver) {
      if (!(name in target)) throw new Error(`${String(name)} is no part of this test.`);
      return Reflect.get(target, name, receiver);
    },
  });

export const healthy = async (): Promise<Health> => ({
  ready: true,
  version: '1.2.3',
  parts: { store: { status: 'ok' } },
});

export async function startApi({
  operations = [],
  health = healthy,
  baseUrl,
  openLink = async () => {
    throw notFound('There are no files here.');
  },
  trustedProxies = [],
  bodyMemory = 256 * 1024 * 1024,
  transferRate,
}: ApiOptions = {}): Promise<Api> {
  const lines: string[] = [];
  const log = createLog({ level: 'debug', destination: { write: (line) => lines.push(line) } });
  const orgId = newId();
  const store = openTestKeys();
  const access = createAccess({ store, orgId, now: Date.now, isOwnResource: () => true });
  const service = serviceOf({ orgId, access, health });
  const invoke = createInvoke({ service, events: createEvents({ log }) });
  const folder = newDataFolder('api');
  const files = createDiskBlobs(folder);
  const version = '1.2.3';
  const mcp = createLazyMcpEndpoint({ operations, invoke, version, log });
  const oauth = {
    grants: access.grants,
    fetchDocument: async () => ({ status: 404, headers: {}, body: Readable.from([]) }),
    clients: [],
    signingKeys: openSigningKeys(folder),
    cookieKey: () => Buffer.alloc(32, 'cookies'),
  };
  const app = createHttpApp({
    invoke,
    operations,
    health,
    log,
    version,
    baseUrl,
    files,
    openLink,
    mcp,
    oauth,
    metrics: null,
    connections: { signIn: partOfNone(), hooks: partOfNone(), grants: access.grants },
    trustedProxies,
    bodyMemory,
    ...(transferRate === undefined ? {} : { transferRate }),
  });
  const listening = await startHttpServer(app, { host: '127.0.0.1', port: 0 });
  const key = (await access.ensureFirstKey({})) ?? '';
  const close = async (graceMs: number) => {
    await mcp.close();
    await listening.close(graceMs);
    await access.close();
    await store.close();
    rmSync(folder, { recursive: true });
  };
  return {
    ...listening,
    close,
    access,
    service,
    key,
    folder,
    logged: () => lines.join(''),
    call: (path, init = {}) =>
      fetch(listening.url + path, { headers: { authorization: `Bearer ${key}` }, ...init }),
    [Symbol.asyncDispose]: () => close(0),
  };
}

export const errorOf = async (answer: Response): Promise<{ error: string; details?: string }> =>
  (await answer.json()) as { error: string; details?: string };

// An open Memoir: listens, answers calls, and closes in order.
import type { RequestListener } from 'node:http';
import { operations } from '../../tools/registry.generated.ts';
import { createWebDocuments, type WebDocuments } from '../adapters/fetch/documents.ts';
import { createInvoke, type Invoke } from '../calls/invoke.ts';
import type { Memoir } from '../calls/memoir.ts';
import type { Service } from '../calls/service.ts';
import { unavailable } from '../core/errors.ts';
import { createEvents } from '../core/events.ts';
import { answersRequests } from '../core/processes/role.ts';
import { VERSION } from '../core/version.ts';
import { type Listening, type OpenRefusals, startHttpServer } from '../http/listen.ts';
import { createLazyMcpEndpoint, type LazyMcpEndpoint } from '../mcp/lazy-endpoint.ts';
import { answerNotReady } from './answer-not-ready.ts';
import { createSourcesOnDemand } from './connections/sources-on-demand.ts';
import type { DataFolder } from './data-folder/data-folder.ts';
import { openOauthKeys } from './data-folder/oauth-keys.ts';
import type { MemoirOptions } from './options.ts';
import { buildService, type ServiceParts } from './service.ts';
import { metricsSource } from './watching/metrics.ts';
import { tracedInvoke, tracedListener } from './watching/traced.ts';
import type { Watching } from './watching/watching.ts';

/** The share of open requests in a shutdown of at most nine seconds; the ingest thread and Chroma follow. */
const DRAIN_MS = 3500;
/** The time for idle connections to close, and for a refusal to reach its client. */
const CLOSE_MS = 300;

const STOPPING = 'Memoir is stopping. Try again after its restart.';

const UNFINISHED =
  'Memoir is stopping, and this request was not finished. What it asked for may still be done: try again after the restart.';

/**
 * An upload that has not arrived has to be sent again, so nothing of it is kept. Retry-After says that nothing was changed,
 * which nobody knows of a request that is still worked on.
 */
const openRefusals = (): OpenRefusals => {
  const connection = 'close';
  return {
    arriving: unavailable(STOPPING, { headers: { 'retry-after': '1', connection } }),
    working: unavailable(UNFINISHED, { headers: { connection } }),
  };
};

export interface MemoirParts
  extends Omit<ServiceParts, 'draining' | 'base' | 'sources'>,
    Pick<MemoirOptions, 'mcpExtension' | 'standIns'> {
  folder: DataFolder;
  watching: Watching;
  /** The server that already listens and answers 503. */
  early: Listening | null;
  dispose: () => Promise<void>;
}

interface AppParts {
  readonly service: Service;
  readonly invoke: Invoke;
  readonly metrics: ReturnType<typeof metricsSource>;
  readonly mcp: LazyMcpEndpoint;
  readonly web: WebDocuments;
  readonly oauthKeys: Awaited<ReturnType<typeof openOauthKeys>>;
}

/** The ways over HTTP are loaded here: a command that opens a folder for one call does not listen. */
const createApp = async (
  { config, log, blobs }: MemoirParts,
  { service, invoke, mcp, web, oauthKeys, ...opened }: AppParts,
): Promise<RequestListener> => {
  const { health } = service;
  const metrics = opened.metrics && { ...opened.metrics, token: config.metrics?.token ?? null };
  if (!answersRequests(config.role)) {
    const { createWorkerApp } = await import('../http/worker-app.ts');
    return createWorkerApp({ health, invoke, metrics, log });
  }
  const { createHttpApp } = await import('../http/app.ts');
  return createHttpApp({
    ...{ invoke, operations, log, version: VERSION, baseUrl: config.baseUrl, files: blobs },
    ...{ trustedProxies: config.trustedProxies, bodyMemory: config.bodyMemory },
    ...{ health, metrics, mcp, openLink: service.files.open, console: service },
    oauth: {
      ...{ ...oauthKeys, clients: config.oauthClients },
      ...{ fetchDocument: web.open, grants: service.access.grants },
    },
    connections: { signIn: service.signIn, hooks: service.hooks, grants: service.access.grants },
  });
};

/** Every call is counted for its readers, and for operators where they asked for it. */
const watchedEvents = (
  { log, watch, watching: { metrics } }: MemoirParts,
  { usage }: Service,
): ReturnType<typeof createEvents> =>
  createEvents({
    log,
    record(call, facts) {
      usage.record(call, facts);
      metrics?.observe(call);
    },
    noteStorage: watch.note,
  });

/** The upkeep of what is recorded: at the start, and once a day. */
const keepRecords = ({ audit, usage }: Service): void => {
  void audit.keep();
  void usage.keep();
};

const closeService = async ({ profile, audit, access, models, usage, team }: Service): Promise<void> => {
  profile.close();
  await Promise.all([audit.close(), access.close(), models.close(), usage.close(), team.mail.close()]);
};

/** The sources of connections, for the checks and lists of requests. */
const openSources = ({ config, log, database, secretKeys, standIns = {} }: MemoirParts) =>
  createSourcesOnDemand({
    ...{ userAgent: `Memoir/${VERSION}`, privateHosts: config.connections.privateHosts, standIns, log },
    sealKeys: secretKeys.sealing('secrets of connections'),
    // A check reads no page: links are read while a connection is synced.
    readLinks: () => Promise.reject(new Error('Pages are read by the ingest thread.')),
    now: database.now,
  });

export const createMemoir = async (parts: MemoirParts): Promise<Memoir> => {
  const { config, folder, early, log, orgId, secretKeys } = parts;
  let draining = false;
  let listening: Listening | null = null;
  let stopping: RequestListener | null = null;
  const base = () => config.baseUrl ?? listening?.url ?? '';
  const shared = parts.database.company === null ? null : parts.store.signingKeys;
  const oauthKeys = await openOauthKeys({ dataDir: config.dataDir, shared }, secretKeys);
  const sources = openSources(parts);
  const service = buildService({
    ...{ ...parts, base, sources: sources.load },
    draining: () => draining,
  });
  const metrics = metricsSource(parts.watching.metrics, parts, service);
  const { tracer } = parts.watching;
  const invoke = tracedInvoke(createInvoke({ service, events: watchedEvents(parts, service) }), tracer);
  const mcp = createLazyMcpEndpoint({
    ...{ operations, invoke, log, version: VERSION },
    extension: parts.mcpExtension,
  });
  const web = createWebDocuments(`Memoir/${VERSION}`, parts.standIns);
  const firstKey = await service.access.ensureFirstKey({ chosenKey: config.apiKey });
  keepRecords(service);
  return {
    service,
    invoke,
    orgId,
    log,
    files: parts.blobs,
    localToken: folder.token,
    firstKey,
    get url() {
      return listening?.url ?? null;
    },
    async listen() {
      stopping = await answerNotReady(log, STOPPING);
      const ways = { service, invoke, metrics, mcp, web, oauthKeys };
      const app = tracedListener(await createApp(parts, ways), tracer);
      early?.answerWith(app);
      listening = early ?? (await startHttpServer(app, config));
      folder.announce(listening.url);
      if (answersRequests(config.role)) mcp.warm();
      service.team.mail.start();
      return listening.url;
    },
    async close() {
      draining = true;
      if (stopping !== null) listening?.answerWith(stopping);
      await Promise.all([mcp.close(), web.close(), sources.close()]);
      await listening?.quiet(DRAIN_MS);
      listening?.refuseOpen(openRefusals());
      await listening?.close(CLOSE_MS);
      await closeService(service);
      await parts.dispose();
    },
  };
};

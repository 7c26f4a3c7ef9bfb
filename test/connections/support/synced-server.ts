// A server process whose Google and whose bucket are fakes. It is killed, started again, asked, and looked into from outside.
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Ask, apiAt, until } from '../../crash/api.ts';
import { type Folder, type Server, start } from '../../crash/server.ts';
import { count, type Query, reading } from '../../crash/sql.ts';
import { type FakeDrive, startFakeDrive } from '../../fakes/google-drive.ts';
import { type FakeGoogleOauth, GOOGLE_APP, startFakeGoogleOauth } from '../../fakes/google-oauth.ts';
import { type FakeBucket, startFakeBucket } from '../../fakes/s3.ts';
import { newDataFolder } from '../../support/data-folder.ts';

export interface ShownConnection {
  id: string;
  status: string;
  problem?: string;
  progress: { found: number; done: number; waiting: number; skipped: number; failed: number };
  lastSyncRun?: { status: string; errorCode: string | null; error: string | null };
}

export interface ShownRun {
  id: string;
  status: string;
  itemsAdded: number;
  itemsUpdated: number;
  itemsUnchanged: number;
  itemsRemoved: number;
  requests: number;
  errorCode: string | null;
  error: string | null;
}

export interface SyncedServer extends AsyncDisposable {
  readonly drive: FakeDrive;
  readonly google: FakeGoogleOauth;
  readonly bucket: FakeBucket;
  readonly folder: Folder;
  /** Null: it was killed or stopped. */
  readonly running: () => Server | null;
  readonly ask: Ask;
  read<T>(look: (query: Query) => T): T;
  start(env?: Record<string, string>): Promise<void>;
  /** At once, in mid-work. */
  kill(): Promise<void>;
  stop(): Promise<void>;
  /** The lines of all servers on the folder. */
  readonly logFile: string;
}

const ENTRY = [join(import.meta.dirname, 'serve.ts')];
const KEY = 'sm_sync_uCVKkczeiWLrRYSyESRECyfvxpUg';

const standInsOf = (drive: FakeDrive, google: FakeGoogleOauth, more: Record<string, string>): string =>
  JSON.stringify({
    'https://www.googleapis.com': drive.origin,
    'https://oauth2.googleapis.com': google.origin,
    ...more,
  });

export interface SyncedServerOptions {
  readonly env?: Record<string, string>;
  /** Further origins with the loopback servers that stand for them. */
  readonly standIns?: Record<string, string>;
}

export const startSyncedServer = async ({
  env = {},
  standIns = {},
}: SyncedServerOptions = {}): Promise<SyncedServer> => {
  const dir = newDataFolder('synced');
  const google = await startFakeGoogleOauth();
  const drive = await startFakeDrive((token) => google.acceptsToken(token));
  const bucket = await startFakeBucket({}, { pageSize: 1000 });
  const logFile = join(tmpdir(), `${dir.split('/').at(-1)}.log`);
  const folder: Folder = {
    ...{ dir: join(dir, 'data'), key: KEY, logFile, compiled: join(dir, 'compiled'), entry: ENTRY },
    env: {
      MEMOIR_LOCAL_SERVERS: 'none',
      MEMOIR_GOOGLE_CLIENT_ID: GOOGLE_APP.clientId,
      MEMOIR_GOOGLE_CLIENT_SECRET: GOOGLE_APP.clientSecret,
      MEMOIR_PRIVATE_SOURCES: new URL(bucket.endpoint).host,
      TEST_STAND_INS: standInsOf(drive, google, standIns),
      ...env,
    },
  };
  let server: Server | null = null;
  let call: Ask | null = null;
  const stop = async (): Promise<void> => {
    await server?.stop();
    server = null;
  };
  const opened: SyncedServer = {
    ...{ drive, google, bucket, folder, logFile, stop },
    running: () => server,
    ask: (method, path, body) => (call ?? apiAt('', KEY))(method, path, body),
    read: (look) => reading(folder, look),
    async start(more = {}) {
      server = await start({ ...folder, env: { ...folder.env, ...more } }).ready;
      call = apiAt(server.url, KEY);
    },
    async kill() {
      await server?.kill(true);
      server = null;
    },
    async [Symbol.asyncDispose]() {
      await stop();
      await Promise.all([google.close(), drive.close(), bucket.close()]);
      rmSync(dir, { recursive: true, force: true });
      rmSync(logFile, { force: true });
    },
  };
  await opened.start();
  return opened;
};

/** Connects the whole drive of the fake, or what is chosen afterwards; resolves after the sign-in. */
export const connectDrive = async (
  { ask, google, running }: SyncedServer,
  tag: string,
  metadata: Record<string, string> = { syncScope: 'full' },
): Promise<string> => {
  const { status, body } = await ask<{ id: string; authLink: string }>(
    'POST',
    '/v3/connections/google-drive',
    {
      ...{ containerTag: tag, metadata },
    },
  );
  if (status !== 200) throw new Error(`The drive was not connected: ${status} ${JSON.stringify(body)}`);
  // Its public address may be another one.
  const { pathname, search } = google.consent(body.authLink);
  await fetch(`${running()?.url}${pathname}${search}`, { redirect: 'manual' });
  return body.id;
};

export const connectBucket = async ({ ask, bucket }: SyncedServer, tag: string): Promise<string> => {
  const { status, body } = await ask<{ id: string }>('POST', '/v3/connections/s3', {
    containerTag: tag,
    metadata: { ...bucket.grant.metadata, ...bucket.grant.secrets },
  });
  if (status !== 200) throw new Error(`The bucket was not connected: ${status} ${JSON.stringify(body)}`);
  return body.id;
};

export const shown = async ({ ask }: SyncedServer, id: string): Promise<ShownConnection> =>
  (await ask<ShownConnection>('GET', `/v3/connections/${id}`)).body;

export const runsOf = async ({ ask }: SyncedServer, id: string): Promise<ShownRun[]> =>
  (await ask<ShownRun[]>('GET', `/v3/connections/${id}/sync-runs`)).body;

/** Documents that are not processed yet. */
export const unprocessed = ({ read }: SyncedServer): number =>
  read((query) =>
    count(query, "select count(*) as n from documents where deleted = 0 and step not in ('done', 'failed')"),
  );

/** Until its newest run has ended, nothing is wanted any more, and all documents are processed. Resolves with that run. */
export const synced = async (
  server: SyncedServer,
  id: string,
  { runs = 1, withinMs = 1_800_000 }: { runs?: number; withinMs?: number } = {},
): Promise<ShownRun> => {
  let last: ShownRun | undefined;
  await until(`the sync of ${id}`, withinMs, async () => {
    const all = await runsOf(server, id);
    [last] = all;
    if (all.length < runs || last === undefined || last.status === 'running') return false;
    return (
      last.status === 'failed' ||
      ((await shown(server, id)).progress.waiting === 0 && unprocessed(server) === 0)
    );
  });
  if (last === undefined) throw new Error('The connection has no run.');
  return last;
};

export const syncAgain = async (server: SyncedServer, id: string, tag: string, provider = 'google-drive') => {
  const { length } = await runsOf(server, id);
  await server.ask('POST', `/v3/connections/${provider}/import`, { containerTags: [tag] });
  return synced(server, id, { runs: length + 1 });
};

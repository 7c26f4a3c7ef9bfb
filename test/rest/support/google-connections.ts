// A server whose Google is a fake: the sign-in, a drive and a mailbox of one account, and short ways to connect them.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { codeOf } from '../../../server/lib/failures.ts';
import { type FakeGmail, startFakeGmail } from '../../fakes/gmail.ts';
import { type FakeDrive, startFakeDrive } from '../../fakes/google-drive.ts';
import {
  type FakeGoogleAccount,
  type FakeGoogleOauth,
  GOOGLE_APP,
  startFakeGoogleOauth,
} from '../../fakes/google-oauth.ts';
import { type OwnMemoir, startMemoir } from '../../support/memoir.ts';
import { until } from '../../support/until.ts';

export interface GoogleConnection {
  id: string;
  status: string;
  email?: string;
  expiresAt?: string;
  problem?: string;
  chosen?: { id: string; name: string }[];
  progress: { found: number; done: number; waiting: number; skipped: number; failed: number };
  lastSyncRun?: { status: string };
}

export interface GoogleRun {
  status: string;
  itemsAdded: number;
  itemsUpdated: number;
  itemsRemoved: number;
  requests: number;
}

export interface Created {
  id: string;
  authLink: string;
  expiresIn: string;
}

export interface Visited {
  status: number;
  location: string | null;
  page: string;
  headers: Headers;
}

interface Running {
  memoir: OwnMemoir;
  google: FakeGoogleOauth;
  drive: FakeDrive;
  mail: FakeGmail;
}

const start = async (): Promise<Running> => {
  const google = await startFakeGoogleOauth();
  const accepts = (token: string): boolean => google.acceptsToken(token);
  const drive = await startFakeDrive(accepts);
  const mail = await startFakeGmail(accepts);
  const memoir = await startMemoir(
    { MEMOIR_GOOGLE_CLIENT_ID: GOOGLE_APP.clientId, MEMOIR_GOOGLE_CLIENT_SECRET: GOOGLE_APP.clientSecret },
    {
      standIns: {
        'https://www.googleapis.com': drive.origin,
        'https://gmail.googleapis.com': mail.origin,
        'https://oauth2.googleapis.com': google.origin,
      },
    },
  );
  return { memoir, google, drive, mail };
};

/** The answer to a browser. */
export const visit = async (address: URL | string): Promise<Visited> => {
  const response = await fetch(address, { redirect: 'manual' });
  const page = await response.text();
  return {
    status: response.status,
    location: response.headers.get('location'),
    page,
    headers: response.headers,
  };
};

const allBytes = (folder: string): string =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1'))
    .join('\n');

const MOST_LOOKS = 50;

/** Everything in the data folder: database, log of writes, files. A file in work may go meanwhile; then it looks again. */
export const bytesIn = (folder: string, looks = 1): string => {
  try {
    return allBytes(folder);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' || looks >= MOST_LOOKS) throw error;
    return bytesIn(folder, looks + 1);
  }
};

const createWays = (running: () => Running) => {
  const ask = <T>(method: string, path: string, body?: unknown, options?: { key?: string }) =>
    running().memoir.ask<T>(method, path, body, options);
  const read = async (id: string): Promise<GoogleConnection> =>
    (await ask<GoogleConnection>('GET', `/v3/connections/${id}`)).body;
  const runs = async (id: string): Promise<GoogleRun[]> =>
    (await ask<GoogleRun[]>('GET', `/v3/connections/${id}/sync-runs`)).body;
  const signIn = async (authLink: string, account: FakeGoogleAccount = {}): Promise<Visited> =>
    visit(running().google.consent(authLink, account));
  const create = async (
    tag: string,
    more: Record<string, unknown> = {},
    provider = 'google-drive',
  ): Promise<Created> => {
    const { status, body } = await ask<Created & { error?: string }>('POST', `/v3/connections/${provider}`, {
      containerTag: tag,
      ...more,
    });
    expect([status, body.error]).toEqual([200, undefined]);
    return body;
  };
  const startImport = async (tag: string, provider = 'google-drive'): Promise<number> =>
    (await ask('POST', `/v3/connections/${provider}/import`, { containerTags: [tag] })).status;
  return {
    ...{ ask, read, runs, signIn, create, startImport },
    synced: (id: string) =>
      until(`the sync of ${id}`, async () => {
        const { progress, status } = await read(id);
        return status === 'active' && progress.done > 0 && progress.waiting === 0;
      }),
    /** Until a further run of the connection has ended; resolves with it. */
    async syncAgain(id: string, tag: string, provider = 'google-drive'): Promise<GoogleRun | undefined> {
      const before = (await runs(id)).length;
      await startImport(tag, provider);
      await until(`another run of ${id}`, async () => {
        const all = await runs(id);
        return all.length > before && all[0]?.status !== 'running';
      });
      return (await runs(id))[0];
    },
    /** Until no connection asks anything. */
    quiet: () =>
      until('the connections to be in sync', async () => {
        const { body } = await ask<GoogleConnection[]>('POST', '/v3/connections/list');
        return body.every(
          ({ status, lastSyncRun }) => status !== 'active' || lastSyncRun?.status === 'completed',
        );
      }),
  };
};

export const useGoogle = () => {
  let parts: Running | undefined;
  const running = (): Running => {
    if (parts === undefined) throw new Error('The server runs inside tests only.');
    return parts;
  };
  beforeAll(async () => {
    parts = await start();
  });
  afterAll(async () => {
    const { memoir, google, drive, mail } = running();
    await memoir.close();
    await Promise.all([google.close(), drive.close(), mail.close()]);
  });
  beforeEach(() => {
    running().drive.clearFaults();
    running().google.clearFaults();
  });
  return { ...createWays(running), running };
};

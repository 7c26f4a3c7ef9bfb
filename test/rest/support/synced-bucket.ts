// A fake bucket, a server that may read it, and short ways to connect it and to follow its syncs.
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { type FakeBucket, startFakeBucket } from '../../fakes/s3.ts';
import { type OwnMemoir, startMemoir } from '../../support/memoir.ts';
import { until } from '../../support/until.ts';

export interface Connection {
  id: string;
  provider: string;
  status: string;
  email?: string;
  problem?: string;
  metadata: Record<string, unknown>;
  containerTags: string[];
  progress: { found: number; done: number; waiting: number; skipped: number; failed: number };
  lastSyncRun?: { status: string; errorCode: string | null; error: string | null };
  held?: { removals: number };
  nextSyncAt?: string;
}

export interface SyncedDocument {
  id: string;
  customId: string;
  title: string;
  status: string;
  source: string | null;
  connectionId: string | null;
  filepath: string | null;
  metadata: Record<string, unknown>;
  content: string | null;
}

export interface Run {
  status: string;
  triggerType: string;
  itemsAdded: number;
  itemsUpdated: number;
  itemsUnchanged: number;
  itemsRemoved: number;
  itemsFailed: number;
  requests: number;
}

export const useSyncedBucket = () => {
  let bucket: FakeBucket;
  let memoir: OwnMemoir;

  beforeAll(async () => {
    bucket = await startFakeBucket({}, { pageSize: 10 });
    memoir = await startMemoir({ MEMOIR_PRIVATE_SOURCES: new URL(bucket.endpoint).host });
  });
  afterAll(async () => {
    await memoir.close();
    await bucket.close();
  });
  beforeEach(() => {
    bucket.objects.clear();
    bucket.server.clearFaults();
  });

  const ask = <T>(method: string, path: string, body?: unknown, key?: string) =>
    memoir.ask<T>(method, path, body, key === undefined ? {} : { key });

  const connect = async (tag: string, more: Record<string, unknown> = {}): Promise<string> => {
    const { metadata = {}, ...fields } = more;
    const { status, body } = await ask<{ id: string; error?: string }>('POST', '/v3/connections/s3', {
      containerTag: tag,
      metadata: { ...bucket.grant.metadata, ...bucket.grant.secrets, ...(metadata as object) },
      ...fields,
    });
    expect([status, body.error]).toEqual([200, undefined]);
    return body.id;
  };

  const read = async (id: string): Promise<Connection> =>
    (await ask<Connection>('GET', `/v3/connections/${id}`)).body;

  const runsOf = async (id: string): Promise<Run[]> =>
    (await ask<Run[]>('GET', `/v3/connections/${id}/sync-runs`)).body;

  /** Until so many runs have ended, and their documents are processed. */
  const ran = async (id: string, runs: number): Promise<Run> => {
    await until(`run ${runs} of ${id}`, async () => {
      const all = await runsOf(id);
      return all.length >= runs && all.every(({ status }) => status !== 'running');
    });
    await memoir.idle();
    const [newest] = await runsOf(id);
    if (newest === undefined) throw new Error('The connection has no run.');
    return newest;
  };

  const sync = async (id: string): Promise<Run> => {
    const { length } = await runsOf(id);
    expect(
      (await ask('POST', '/v3/connections/s3/import', { containerTags: (await read(id)).containerTags }))
        .status,
    ).toBe(202);
    return ran(id, length + 1);
  };

  const documentsUnder = async (tag: string): Promise<SyncedDocument[]> =>
    (
      await ask<{ documents: SyncedDocument[] }>('POST', '/v3/documents/documents', {
        containerTags: [tag],
        limit: 100,
      })
    ).body.documents;

  const namesUnder = async (tag: string) =>
    (await documentsUnder(tag)).map(({ customId }) => customId).sort();

  const hitsIn = async (tag: string, q: string): Promise<number> =>
    (await ask<{ results: unknown[] }>('POST', '/v3/search', { q, containerTags: [tag], chunkThreshold: 0 }))
      .body.results.length;

  return {
    ...{ ask, connect, read, runsOf, ran, sync, documentsUnder, namesUnder, hitsIn },
    bucket: () => bucket,
    memoir: () => memoir,
  };
};

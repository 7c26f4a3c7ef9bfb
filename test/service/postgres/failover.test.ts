// Tests of a standby that takes the place of the primary under load: it refuses writes until it is promoted, and nothing that was
// acknowledged is lost.
import { describe, expect, test } from 'vitest';
import { type OwnMemoir, startMemoir } from '../../support/memoir.ts';
import { onPostgres } from '../../support/on-postgres.ts';
import { type SilentNetwork, startSilentNetwork } from '../../support/silent-network.ts';
import { type ReplicatedPostgres, startReplicated } from '../../support/standby.ts';
import { databaseRows } from '../../support/stored-rows.ts';
import { thrownBy } from '../../support/thrown.ts';
import { until } from '../../support/until.ts';

const started = await (async () => {
  try {
    return { postgres: await startReplicated() };
  } catch (error) {
    if (process.env.MEMOIR_TEST_REQUIRE_POSTGRES === '1') throw error;
    return { missing: String(error) };
  }
})();

const SUBJECTS = ['bees', 'ships', 'ferries', 'lanterns', 'kettles', 'violins'];

const add = ({ ask }: OwnMemoir, n: number) =>
  ask<{ error: string }>('POST', '/v3/documents', {
    content: `Note ${n} tells who keeps ${SUBJECTS[n % SUBJECTS.length]} in house ${n}.`,
    ...{ customId: `note-${n}`, containerTag: 'farm' },
  });

interface Found {
  readonly results: readonly { documentId: string; similarity: number; chunks?: unknown }[];
}

const search = ({ ask }: OwnMemoir, key: string, q: string) =>
  ask<Found>('POST', '/v3/search', { q, containerTags: ['farm'], limit: 20 }, { key });

/** Adds one note after the other, each until it is acknowledged. */
const startNotes = (memoir: OwnMemoir) => {
  const acknowledged = new Set<string>();
  const statuses = new Set<number>();
  let running = true;
  const done = (async () => {
    for (let n = 0; running; ) {
      const { status } = await add(memoir, n);
      statuses.add(status);
      if (status !== 200) continue;
      acknowledged.add(`note-${n}`);
      n += 1;
    }
  })();
  return {
    ...{ acknowledged, statuses },
    async stop() {
      running = false;
      await done;
    },
  };
};

const refusesWhileReadOnly = async (memoir: OwnMemoir, standbyUrl: string): Promise<void> => {
  await until(
    'an answer of the standby',
    async () => (await search(memoir, memoir.key, 'bees')).status === 200,
  );
  const refused = await add(memoir, 1_000_000);
  expect(refused.status).toBe(503);
  expect(refused.headers.get('retry-after')).toBe('5');
  expect(refused.body.error).toContain('The database of this server does not answer');
  const health = await memoir.ask<{ parts: Record<string, { status: string; detail: string }> }>(
    ...(['GET', '/health', undefined, { key: memoir.memoir.localToken }] as const),
  );
  expect(health.body.parts.database).toMatchObject({
    ...{ status: 'degraded', detail: expect.stringContaining('it is a standby') },
  });
  const { message } = await thrownBy(() => startMemoir(onPostgres(standbyUrl)));
  expect(message).toContain('is a standby, or set to be read-only');
};

const findsTheSame = async (one: OwnMemoir, other: OwnMemoir, key: string): Promise<void> => {
  for (const subject of SUBJECTS) {
    const q = `who keeps ${subject}`;
    const [first, second] = [await search(one, key, q), await search(other, key, q)];
    expect(first.body.results.length).toBeGreaterThan(0);
    expect(first.body.results).toEqual(second.body.results);
  }
};

const isAllDone = async (url: string): Promise<boolean> =>
  (await databaseRows(url, "select 1 from documents where step <> 'done'")).length === 0;

const takesOver = async (
  { primary, standbyUrl, promote }: ReplicatedPostgres,
  network: SilentNetwork,
): Promise<void> => {
  const memoir = await startMemoir(onPostgres(network.url));
  const notes = startNotes(memoir);
  await until('some notes', () => notes.acknowledged.size >= 12);
  await until('a search that finds them', async () => {
    const { body } = await search(memoir, memoir.key, 'bees');
    return body.results.length > 0;
  });
  await primary.crash();
  network.leadTo(standbyUrl);
  await refusesWhileReadOnly(memoir, standbyUrl);
  const before = notes.acknowledged.size;
  await promote();
  await until('notes after the promotion', () => notes.acknowledged.size >= before + 8);
  await notes.stop();
  expect([...notes.statuses].sort()).toEqual([200, 503]);
  await until('all documents to be read', () => isAllDone(standbyUrl));

  const stored = await databaseRows(
    standbyUrl,
    'select custom_id, count(*)::int as n, sum(crashes)::int as crashes from documents group by 1',
  );
  expect(new Set(stored.map(({ custom_id }) => custom_id))).toEqual(notes.acknowledged);
  expect(stored.filter(({ n, crashes }) => n !== 1 || crashes !== 0)).toEqual([]);
  const fresh = await startMemoir({ ...onPostgres(standbyUrl), MEMOIR_ROLE: 'api' });
  await findsTheSame(memoir, fresh, memoir.key);
  await fresh.close();
  await memoir.close();
};

describe.skipIf('missing' in started)(`a standby that takes over (${started.missing ?? 'embedded'})`, () => {
  // Two clusters and three starts of the server.
  test('calls get 503 until it is promoted, then writes go on, nothing acknowledged is lost, and searches find what is stored', async () => {
    const { postgres } = started;
    if (postgres === undefined) return;
    const network = await startSilentNetwork(postgres.primary.url);
    await takesOver(postgres, network);
    await network.close();
    await postgres.stop();
  }, 240_000);
});

// Tests of writes whose commit got no answer: each is stored once, and answered as if nothing had happened.
import { expect, test } from 'vitest';
import { openPool } from '../../../../server/adapters/store/postgres/connection.ts';
import { createPostgresWriter } from '../../../../server/adapters/store/postgres/writer.ts';
import type { Db } from '../../../../server/adapters/store/tables/tables.ts';
import { newId } from '../../../../server/lib/ids.ts';
import { startLossyNetwork } from '../../../support/lossy-network.ts';
import { COMPLETED, connect, item, lease, look, MINUTE, takeOne } from '../contract/connections/support.ts';
import { prepared, present, revise, tell, tellAll } from '../contract/telling.ts';
import { contentPatch, everything, openWorld, submission, type World } from '../contract/world.ts';
import { migratedPostgres, openPostgresAt } from '../open-postgres.ts';
import { describeOnPostgres } from './with-postgres.ts';

type Act = () => Promise<unknown>;

interface Kind {
  readonly name: string;
  /** Stores what the request needs. */
  readonly given: (world: World) => Promise<Act> | Act;
  readonly stored: string;
}

const kind = (name: string, stored: string, given: Kind['given']): Kind => ({ name, given, stored });

const REASON = { reason: null, batch: null };

const DOCUMENTS = 'select content, step, revision, custom_id from documents order by n';
const documents: readonly Kind[] = [
  kind(
    'an add',
    DOCUMENTS,
    ({ store }) =>
      () =>
        store.documents.submit(everything, [submission('An oak.')]),
  ),
  kind('a batch of adds', DOCUMENTS, ({ store }) => () => {
    const items = ['An oak.', 'An elm.'].map((content) => submission(content));
    return store.documents.submit(everything, items);
  }),
  kind('content added to a customId', 'select content from submissions order by n', async (world) => {
    await world.add('An oak.', { customId: 'trees' });
    return () => world.send('An elm.', { customId: 'trees' });
  }),
  kind('an update of a document', DOCUMENTS, async (world) => {
    const id = await world.add('An oak.');
    return () => world.store.documents.update(everything, id, contentPatch('An elm.'));
  }),
  kind('a removal of a document', DOCUMENTS, async (world) => {
    const id = await world.add('An oak.', { customId: 'trees' });
    return async () => {
      const { deleted, missing } = await world.store.documents.remove(everything, { by: 'ref', ref: id });
      return { deleted: deleted.length, missing };
    };
  }),
];

const MEMORIES = `select memory, version, is_latest, is_forgotten,
  (select count(*) from memory_sources where memory_sources.memory = memories.n) as sources from memories order by n`;
const memories: readonly Kind[] = [
  kind('a memory', MEMORIES, (world) => () => tellAll(world, [prepared(world, 'Ada drinks tea')])),
  kind('a memory that is stated again', MEMORIES, async (world) => {
    await tell(world, 'Ada drinks tea');
    return () => tell(world, 'Ada drinks tea');
  }),
  kind('a new version of a memory', MEMORIES, async (world) => {
    const { id } = await tell(world, 'Ada drinks tea');
    return () => revise(world, id, 'Ada drinks coffee');
  }),
  kind('forgetting', MEMORIES, async (world) => {
    const { id } = await tell(world, 'Ada drinks tea');
    return async () => (await world.store.memories.forget(everything, [id], REASON)).length;
  }),
];

const CONNECTIONS = 'select id, state from connections';
const connections: readonly Kind[] = [
  kind('a connection', CONNECTIONS, (world) => () => connect(world)),
  kind('a removal of a connection', CONNECTIONS, async (world) => {
    const id = await connect(world);
    return () => world.store.connections.remove(everything, id, true);
  }),
  kind('counts of a run', 'select requests, bytes from sync_runs', async (world) => {
    await connect(world);
    const run = await lease(world);
    return () => world.syncing.renew(run, MINUTE, { requests: 3, bytes: 70 });
  }),
  kind('an item of a run', 'select processed from sync_runs', async (world) => {
    const id = await connect(world);
    const run = await lease(world);
    await look(world, run, [item('plan')]);
    const [wanted] = await world.syncing.wanted(id, 1);
    return () => takeOne(world, run, present(wanted));
  }),
  kind('the end of a run', 'select status from sync_runs', async (world) => {
    await connect(world);
    const run = await lease(world);
    return () => world.syncing.endRun(run, COMPLETED);
  }),
  kind('a sign-in that is taken', 'select count(*) as n from connections', async (world) => {
    const connection = await connect(world);
    const endsAt = world.clock.now() + MINUTE;
    await world.store.signIns.begin({ hash: 'hash', connection, sealed: 's', redirectUrl: null, endsAt });
    return async () => (await world.store.signIns.take('hash', 's3'))?.outcome;
  }),
  kind('a call of a source', 'select count(*) as n from hook_deliveries', async (world) => {
    const id = await connect(world);
    const hook = { tokenHash: 'hash', sealed: 'sealed', base: 'https://memoir.example' };
    await world.store.hooks.makeByHand(everything, id, hook);
    const heard = { tokenHash: 'hash', provider: 's3', delivery: 'one', wakes: true };
    return () => world.store.hooks.heard(heard);
  }),
];

const keyNamed = (name: string) => ({
  ...{ id: newId(), hash: newId(), start: 'sm_start', name, permission: 'write' as const, tags: null },
  ...{ enabled: true, expiresAt: null, rateLimitMax: null, rateLimitWindowMs: null, pluginId: null },
  ...{ madeBy: null, ownerId: null, role: null, replacedBy: null, createdAt: 1_000, lastUsedAt: null },
});

const ada = () => ({
  ...{ id: newId(), email: 'ada@example.org', emailVerified: false, name: 'Ada', role: 'member' as const },
  ...{ tags: null, createdAt: 1_000, lastSeenAt: null },
});

const organisation: readonly Kind[] = [
  kind(
    'a key',
    'select name, enabled from keys',
    ({ store }) =>
      () =>
        store.keys.create(keyNamed('mine')),
  ),
  kind('a key in the place of another one', 'select name from keys order by name', async ({ store }) => {
    const former = keyNamed('former');
    await store.keys.create(former);
    return () => store.keys.replace({ former: former.id, endsAt: 9_000, key: keyNamed('new') });
  }),
  kind('a code of the connect page', 'select kind from oauth_tokens', async ({ store }) => {
    const code = { kind: 'code', hash: 'hash', grantId: null, uid: null, payload: {}, expiresAt: null };
    await store.grants.tokens.keep(code);
    return () => store.grants.tokens.consume('code', 'hash');
  }),
  kind(
    'a member',
    'select email from members',
    ({ store }) =>
      () =>
        store.team.members.create(ada(), null),
  ),
  kind('a removal of a member', 'select email from members', async ({ store }) => {
    const member = ada();
    await store.team.members.create(member, null);
    return () => store.team.members.remove(member.id);
  }),
  kind('an invitation', 'select email from invites', ({ store, clock }) => () => {
    const { id, email, role, tags } = ada();
    const from = { tokenHash: 'hash', inviterId: null, inviterName: 'First key', invitedAt: clock.now() };
    const until = { expiresAt: clock.now() + MINUTE, status: 'pending' as const, acceptedAt: null };
    return store.team.invites.create({ id, email, role, tags, ...from, ...until, mailed: false }, null);
  }),
  kind(
    'a setting',
    'select key from settings',
    ({ store }) =>
      () =>
        store.settings.write({ chunkSize: 300 }),
  ),
  kind(
    'spent tokens',
    'select input_tokens, output_tokens from key_tokens',
    ({ store }) =>
      () =>
        store.usage.add({ key: null, tags: [] }, { inputTokens: 5, outputTokens: 7 }),
  ),
  kind(
    'a tag',
    'select tag from tags order by tag',
    ({ store }) =>
      () =>
        store.tags.upsert(everything, 'trees', { name: 'Trees' }),
  ),
  kind('a removal of a tag', 'select tag from tags order by tag', async (world) => {
    await world.add('An oak.');
    return () => world.store.tags.remove(everything, 'a');
  }),
  kind('a merge of tags', 'select sources, target from merges', async (world) => {
    await world.add('An oak.');
    const request = { id: newId(), sources: ['a'], target: 'b' };
    return () => world.store.tags.merge(everything, request);
  }),
];

/** Ids are made anew for each run. */
const withoutIds = (value: unknown): string =>
  (JSON.stringify(value) ?? 'nothing').replaceAll(/"[1-9A-HJ-NP-Za-km-z]{22}"/g, '"id"');

await describeOnPostgres('a commit whose answer was lost', migratedPostgres, (postgres) => {
  const openLossy = async () => {
    const url = await postgres.take();
    const network = await startLossyNetwork(url);
    const world = await openWorld(openPostgresAt(network.url));
    return {
      ...{ world, network },
      async [Symbol.asyncDispose]() {
        await world[Symbol.asyncDispose]();
        await network.close();
        await postgres.giveBack(url);
      },
    };
  };

  const outcome = async ({ given, stored }: Kind, losses: 0 | 1) => {
    await using opened = await openLossy();
    const act = await given(opened.world);
    if (losses > 0) opened.network.lose('after');
    const answer = withoutIds(await act());
    expect(opened.network.lost()).toBe(losses);
    return { answer, stored: await opened.world.rows(stored) };
  };

  test.each([...documents, ...memories, ...connections, ...organisation])(
    'of $name changes neither what is answered nor what is stored',
    async (each) => {
      expect(await outcome(each, 1)).toEqual(await outcome(each, 0));
    },
  );

  const openWriter = async () => {
    const url = await postgres.take();
    const network = await startLossyNetwork(url);
    const pools = [network.url, url].map((each) =>
      openPool({ url: each, most: 4, pipeline: true, lost: () => undefined }),
    );
    const [pool, look] = pools as [(typeof pools)[0], (typeof pools)[0]];
    return {
      ...{ network, writer: createPostgresWriter(pool) },
      rows: async (statement: string) => (await look.query(statement)).rows as unknown[],
      async [Symbol.asyncDispose]() {
        for (const each of pools) await each.end();
        await network.close();
        await postgres.giveBack(url);
      },
    };
  };

  const put = (tx: Db, key: string) => tx.insertInto('meta').values({ key, value: key }).execute();
  const KEYS = 'select key from meta order by key';

  test('is the answer of the attempt that was stored, though several were lost', async () => {
    await using opened = await openWriter();
    let tries = 0;
    opened.network.lose('before', 'after');
    const answer = await opened.writer.together(async (tx) => {
      tries += 1;
      await put(tx, `try ${tries}`);
      return tries;
    });
    expect(opened.network.lost()).toBe(2);
    expect(await opened.rows(KEYS)).toEqual([{ key: `try ${answer}` }]);
  });

  test('is undone if the server reads it after the write was done again', async () => {
    await using opened = await openWriter();
    opened.network.lose('before');
    let tries = 0;
    const answer = await opened.writer.together(async (tx) => {
      tries += 1;
      await put(tx, `try ${tries}`);
      return tries;
    });
    expect(answer).toBe(2);
    await opened.network.deliver();
    expect(await opened.rows(KEYS)).toEqual([{ key: 'try 2' }]);
  });

  test('leaves no more receipts than a writer erases together', async () => {
    await using opened = await openWriter();
    for (let n = 0; n < 600; n++) await opened.writer.together((tx) => put(tx, `key ${n}`), 'repeatable');
    const [{ n } = { n: 0 }] = (await opened.rows('select count(*)::int as n from write_receipts')) as {
      n: number;
    }[];
    expect(n).toBeGreaterThan(0);
    expect(n).toBeLessThanOrEqual(2 * 256);
  });

  test('needs no receipt where nothing was changed', async () => {
    await using opened = await openWriter();
    await opened.writer.write((tx) => tx.selectFrom('meta').selectAll().execute());
    expect(await opened.rows('select n from write_receipts')).toEqual([]);
  });
});

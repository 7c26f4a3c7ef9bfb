// Tests of two writes at the same moment over two connections: the first one stops before its commit, until the second one
// waits for it or has ended. Each test names what it depends on: a lock of `locks.ts`, or one statement that decides and writes.
import { expect, test } from 'vitest';
import { run } from '../../../../server/adapters/store/engine/run.ts';
import { createFirstKey } from '../../../../server/adapters/store/queries/access/keys.ts';
import { removeDocuments } from '../../../../server/adapters/store/queries/documents/delete.ts';
import { submitAll } from '../../../../server/adapters/store/queries/documents/submit.ts';
import { updateDocument } from '../../../../server/adapters/store/queries/documents/update.ts';
import { leaseDocuments } from '../../../../server/adapters/store/queries/ingestion/claim.ts';
import { commitDocuments } from '../../../../server/adapters/store/queries/ingestion/commit.ts';
import {
  forgetMemories,
  reviseMemory,
  storeDirectMemories,
} from '../../../../server/adapters/store/queries/memories/change.ts';
import { leaseToRemember } from '../../../../server/adapters/store/queries/memories/remembering/memory-lease.ts';
import { ensureOrganisation } from '../../../../server/adapters/store/queries/organisation/organisation.ts';
import { writeSettings } from '../../../../server/adapters/store/queries/organisation/settings.ts';
import { fillMissingVectors } from '../../../../server/adapters/store/queries/spaces/backfill.ts';
import { createSpace } from '../../../../server/adapters/store/queries/spaces/spaces.ts';
import type { Db } from '../../../../server/adapters/store/tables/tables.ts';
import { newId } from '../../../../server/lib/ids.ts';
import { readClaim, SPACE, vectorOf } from '../contract/reading.ts';
import { listed, prepared, tell } from '../contract/telling.ts';
import { everything, submission, WIDE_SHARE } from '../contract/world.ts';
import { migratedPostgres } from '../open-postgres.ts';
import { openTwoWriters } from './two-writers.ts';
import { describeOnPostgres } from './with-postgres.ts';

const NOW = 1_700_000_000_000;
const WORDS = { title: null, date: null, terms: new Uint8Array(), body: 'one', extra: '' };
const write = (tx: Db) => ({ tx, reach: everything, now: NOW });

await describeOnPostgres('two writes at the same moment', migratedPostgres, (postgres) => {
  const open = () => openTwoWriters(postgres);

  const send =
    (content: string, more: Parameters<typeof submission>[1] = {}) =>
    (tx: Db) =>
      submitAll(tx, [{ reach: everything, items: [submission(content, more)] }], NOW);

  test('one document of a customId: the second submission finds the first one [customId]', async () => {
    await using opened = await open();
    const named = { customId: 'plan' };
    const { waited } = await opened.race(send('one', named), send('two', named));
    expect(waited).toBe(true);
    expect(await opened.rows('select revision::int from documents')).toEqual([{ revision: 2 }]);
    expect(await opened.rows('select documents::int from containers')).toEqual([{ documents: 1 }]);
  });

  test('a customId under other tags does not wait', async () => {
    await using opened = await open();
    await opened.world.add('before', { tags: ['a'] });
    await opened.world.add('before', { tags: ['b'] });
    const { waited } = await opened.race(
      send('one', { customId: 'plan', tags: ['a'] }),
      send('two', { customId: 'plan', tags: ['b'] }),
    );
    expect(waited).toBe(false);
  });

  test('two adds under the same tags count both, and neither waits', async () => {
    await using opened = await open();
    await opened.world.add('before');
    const { waited } = await opened.race(send('one'), send('two'));
    expect(waited).toBe(false);
    expect(await opened.rows('select documents::int from containers')).toEqual([{ documents: 3 }]);
  });

  test('one container and one tag for a new set of tags, and a number of its own for each tag [tags]', async () => {
    await using opened = await open();
    expect((await opened.race(send('one'), send('two'))).waited).toBe(true);
    await opened.race(send('one', { tags: ['x'] }), send('two', { tags: ['y'] }));
    expect(await opened.rows('select tag, n::int from tags order by tag')).toEqual([
      { tag: 'a', n: 1 },
      { tag: 'x', n: 2 },
      { tag: 'y', n: 3 },
    ]);
    expect(await opened.rows('select documents::int from containers order by n')).toEqual([
      { documents: 2 },
      { documents: 1 },
      { documents: 1 },
    ]);
  });

  const claimed = async ({ world }: Awaited<ReturnType<typeof open>>) => {
    const claims = await world.ingest.claim('boot', WIDE_SHARE);
    const spaces = [{ id: world.space, ...SPACE }];
    const documents = claims.map((claim) => readClaim(claim, { spaces: [world.space] }));
    return (tx: Db) => commitDocuments(tx, documents, spaces, NOW);
  };

  test('a commit of a worker is followed by the content that came meanwhile [one statement]', async () => {
    await using opened = await open();
    await opened.world.add('one', { customId: 'plan' });
    const commit = await claimed(opened);
    const { first, waited } = await opened.race(commit, send('two', { customId: 'plan' }));
    expect({ first, waited }).toEqual({ first: 1, waited: true });
    expect(await opened.rows('select step, revision::int, chunks::int from documents')).toEqual([
      { step: 'queued', revision: 2, chunks: 1 },
    ]);
  });

  test('a commit of a worker stores nothing of content that was replaced meanwhile [document row]', async () => {
    await using opened = await open();
    await opened.world.add('one', { customId: 'plan' });
    const commit = await claimed(opened);
    const { second } = await opened.race(send('two', { customId: 'plan', replace: true }), commit);
    expect(second).toBe(0);
    expect(await opened.rows('select count(*)::int as n from chunks')).toEqual([{ n: 0 }]);
  });

  test('two commits into one container give each chunk a number of its own, and adds wait for neither [one statement]', async () => {
    await using opened = await open();
    await opened.world.add('one');
    const former = await claimed(opened);
    await opened.world.add('two');
    const later = await claimed(opened);
    expect(await opened.race(former, later)).toEqual({ first: 1, second: 1, waited: true });
    expect(await opened.rows('select count(distinct n)::int as n from chunks')).toEqual([{ n: 2 }]);
    expect(await opened.rows('select chunks::int from containers')).toEqual([{ chunks: 2 }]);
    expect(await opened.rows('select vectors::int from spaces')).toEqual([{ vectors: 2 }]);
    await opened.world.add('three');
    const commit = await claimed(opened);
    expect((await opened.race(commit, send('four'))).waited).toBe(false);
  });

  test('a document is deleted once, however many ask for it [one statement]', async () => {
    await using opened = await open();
    const id = await opened.world.add('one');
    await opened.world.add('two');
    const remove = (tx: Db) => removeDocuments(tx, everything, { by: 'ids', ids: [id] }, NOW);
    const { first, second, waited } = await opened.race(remove, remove);
    expect(waited).toBe(true);
    expect([first.deleted, second.deleted, second.missing]).toEqual([[id], [], [id]]);
    expect(await opened.rows('select documents::int from containers')).toEqual([{ documents: 1 }]);
  });

  test('documents that one worker is taking are left out by another one, which does not wait [free rows]', async () => {
    await using opened = await open();
    for (const content of ['one', 'two', 'three']) await opened.world.add(content);
    const ns = (await opened.rows('select n::int from documents order by n')).map(({ n }) => Number(n));
    const { waited } = await opened.race(
      (tx) => leaseDocuments(tx, { boot: 'x', lease: 'x~1' }, ns.slice(0, 2)),
      (tx) => leaseDocuments(tx, { boot: 'y', lease: 'y~1' }, ns),
    );
    expect(waited).toBe(false);
    expect((await opened.rows('select lease from documents order by n')).map(({ lease }) => lease)).toEqual([
      'x~1',
      'x~1',
      'y~1',
    ]);
  });

  test('one worker at a time reads a container for memories [reading]', async () => {
    await using opened = await open();
    for (const content of ['one', 'two']) await opened.world.add(content);
    await opened.world.index();
    const ns = (await opened.rows('select n::int from documents order by n')).map(({ n }) => Number(n));
    const { waited } = await opened.race(
      (tx) => leaseToRemember(tx, { boot: 'x', lease: 'x~1' }, ns.slice(0, 1)),
      (tx) => leaseToRemember(tx, { boot: 'y', lease: 'y~1' }, ns.slice(1)),
    );
    expect(waited).toBe(true);
    expect(await opened.rows(`select n from documents where memory_lease = 'y~1'`)).toEqual([]);
  });

  test('a fact that is stated twice at once is one memory with two sources [memories]', async () => {
    await using opened = await open();
    const { world } = opened;
    await world.add('before');
    const state = (tx: Db) => {
      const request = { tags: ['a'], documentId: newId(), memories: [prepared(world, 'Ada drinks tea')] };
      return storeDirectMemories({ ...write(tx), spaces: [{ id: world.space, ...SPACE }] }, request, null);
    };
    expect((await opened.race(state, state)).waited).toBe(true);
    expect((await listed(world)).map(({ memory, sourceCount }) => ({ memory, sourceCount }))).toEqual([
      { memory: 'Ada drinks tea', sourceCount: 2 },
    ]);
    expect(await opened.rows('select memories::int, documents::int from containers')).toEqual([
      { memories: 1, documents: 3 },
    ]);
  });

  test('of two revisions of a memory the later one is refused, and what is forgotten is not revised [memories]', async () => {
    await using opened = await open();
    const { world } = opened;
    const revise = (id: string, text: string) => (tx: Db) =>
      reviseMemory({ ...write(tx), spaces: [{ id: world.space, ...SPACE }] }, id, {
        prepared: prepared(world, text),
      });
    const tea = await tell(world, 'Ada drinks tea');
    const both = await opened.race(
      revise(tea.id, 'Ada drinks green tea'),
      revise(tea.id, 'Ada drinks coffee'),
    );
    expect([both.first.outcome, both.second.outcome]).toEqual(['revised', 'superseded']);
    const home = await tell(world, 'Ada lives in Lyon');
    const { second } = await opened.race(
      (tx) => forgetMemories(write(tx), [home.id], { reason: null, batch: null }),
      revise(home.id, 'Ada lives in Paris'),
    );
    expect(second.outcome).toBe('forgotten');
  });

  test('a customId that two documents ask for is given to one [customId]', async () => {
    await using opened = await open();
    const ids = [await opened.world.add('one'), await opened.world.add('two')] as const;
    const name = (id: string) => (tx: Db) => updateDocument(write(tx), id, { customId: 'plan' });
    const { first, second } = await opened.race(name(ids[0]), name(ids[1]));
    expect([first.outcome, second.outcome]).toEqual(['updated', 'taken']);
  });

  test('a vector that a worker writes is not overwritten by an older one that fills a space [chunk row]', async () => {
    await using opened = await open();
    const { world } = opened;
    await world.add('one', { customId: 'plan' });
    await world.index({ spaces: [] });
    const [chunk] = await opened.rows('select n::int from chunks');
    const n = Number(chunk?.n);
    await world.send('one', { customId: 'plan', replace: true, title: 'Plan' });
    await opened.rows(`update documents set step = 'queued', lease = null`);
    const claims = await world.ingest.claim('boot', WIDE_SHARE);
    const spaces = [{ id: world.space, ...SPACE }];
    const documents = claims.map((claim) => {
      const { kept, ...read } = readClaim(claim, { spaces: [world.space], seam: 'newer' });
      return { ...read, kept: kept.map((chunk) => ({ ...chunk, words: WORDS })) };
    });
    const older = [{ n, vector: vectorOf('older') }];
    const { waited } = await opened.race(
      (tx) => commitDocuments(tx, documents, spaces, NOW),
      (tx) => fillMissingVectors(tx, { id: world.space, ...SPACE }, older),
    );
    expect(waited).toBe(true);
    const stored = await world.ingest.vectorsOf({ id: world.space, ...SPACE }, [n]);
    const nearest = (text: string) =>
      vectorOf(text).reduce((sum, x, at) => sum + x * (stored.get(n)?.[at] ?? 0), 0);
    expect(nearest('newerone')).toBeGreaterThan(0.95);
  });

  test('what decides by more than it locks runs alone: the first key, the organisation, a space, settings [alone]', async () => {
    await using opened = await open();
    const alone = ['alone', 'alone'] as const;
    const organisation = (id: string) => (tx: Db) =>
      ensureOrganisation(tx, { id, name: id, createdAt: NOW } as never);
    const both = await opened.race(organisation('x'), organisation('y'), alone);
    expect(both).toMatchObject({ waited: true, second: both.first });
    const space = (tx: Db) =>
      createSpace(tx, { embedder: 'e', model: 'm', dimensions: 8, state: 'filling', calibration: null }, NOW);
    const spaces = await opened.race(space, space, alone);
    expect(spaces.first.id).toBe(spaces.second.id);
    const setting = (value: number) => (tx: Db) => writeSettings(tx, { chosen: value }, NOW);
    await opened.race(setting(1), setting(2), alone);
    expect(await opened.rows('select value from settings')).toEqual([{ value: '2' }]);
    expect((await opened.race(send('one'), setting(3), ['together', 'alone'])).waited).toBe(true);
    expect((await opened.race(setting(4), send('two'), ['alone', 'together'])).waited).toBe(true);
  });

  test('of two first keys one is stored [access]', async () => {
    await using opened = await open();
    const key = (id: string) => ({
      ...{ id, hash: id, start: 'sm_', name: id, permission: 'full', tags: null, enabled: true },
      ...{ expiresAt: null, rateLimitMax: null, rateLimitWindowMs: null, pluginId: null, madeBy: null },
      ...{ ownerId: null, role: null, replacedBy: null, createdAt: NOW, lastUsedAt: null },
    });
    const [one, other] = opened.writers;
    const made = await Promise.all(
      [one, other].map((writer, at) =>
        writer.write((tx) => createFirstKey(tx, key(`k${at}`) as never, false), 'access'),
      ),
    );
    expect(made.filter(Boolean)).toHaveLength(1);
    expect(await opened.rows('select count(*)::int as n from keys')).toEqual([{ n: 1 }]);
  });

  test('two writes that wait for each other are both stored, one of them in a second try', async () => {
    await using opened = await open();
    const ids = [await opened.world.add('one'), await opened.world.add('two')] as const;
    const touch = (tx: Db, id: string) =>
      run(tx, `update documents set attempts = attempts + 1 where id = '${id}'`);
    let tries = 0;
    const met = Promise.withResolvers<void>();
    let arrived = 0;
    const both =
      ([from, to]: readonly [string, string]) =>
      async (tx: Db) => {
        tries += 1;
        await touch(tx, from);
        arrived += 1;
        if (arrived === 2) met.resolve();
        await met.promise;
        await touch(tx, to);
      };
    const [one, other] = opened.writers;
    await Promise.all([one.together(both([ids[0], ids[1]])), other.together(both([ids[1], ids[0]]))]);
    expect(tries).toBe(3);
    expect(await opened.rows('select attempts from documents')).toEqual([{ attempts: 2 }, { attempts: 2 }]);
  });
});

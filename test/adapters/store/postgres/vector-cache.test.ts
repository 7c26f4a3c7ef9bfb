// Tests of the vectors and units that a process keeps in memory: whatever another process stored, changed or removed, a search
// finds what the database holds.
import { expect, test } from 'vitest';
import { engineOf } from '../../../../server/adapters/store/engine/engine.ts';
import { openPool } from '../../../../server/adapters/store/postgres/connection.ts';
import { endWithLink, watchLink } from '../../../../server/adapters/store/postgres/link.ts';
import { createScopedReads } from '../../../../server/adapters/store/postgres/scoped-reads.ts';
import { createPostgresWriter } from '../../../../server/adapters/store/postgres/writer.ts';
import { findKeywordMatches } from '../../../../server/adapters/store/queries/search/keyword.ts';
import { fillMissingVectors } from '../../../../server/adapters/store/queries/spaces/backfill.ts';
import { openPostgresStore } from '../../../../server/adapters/store/request-side/postgres-store.ts';
import type { Db } from '../../../../server/adapters/store/tables/tables.ts';
import { CONTAINER_SPAN, MEMORY_OFFSET } from '../../../../server/core/chunks/chunk-number.ts';
import { encodeTerms } from '../../../../server/lib/text/terms/terms.ts';
import { until } from '../../../support/until.ts';
import { chanceOf } from '../contract/chance.ts';
import { SPACE, vectorOf } from '../contract/reading.ts';
import { purgeAll, revise, tell } from '../contract/telling.ts';
import { contentPatch, everything, only, openWorld, type World } from '../contract/world.ts';
import { migratedPostgres, openPostgresAt } from '../open-postgres.ts';
import { describeOnPostgres } from './with-postgres.ts';

const STEPS = 60;
const TAGS = ['a', 'b'];
const QUERY = vectorOf('query');

await describeOnPostgres('vectors and units in memory', migratedPostgres, (postgres) => {
  const open = async () => {
    const url = await postgres.take();
    const pools = [1, 2].map((most) => openPool({ url, most, lost: () => undefined, pipeline: most === 2 }));
    const [writing, reading] = pools as [(typeof pools)[0], (typeof pools)[0]];
    const worlds = [await openWorld(openPostgresAt(url)), await openWorld(openPostgresAt(url))] as const;
    let statements = 0;
    reading.on('acquire', () => {
      statements += 1;
    });
    return {
      ...{ worlds, url },
      writer: createPostgresWriter(writing),
      reads: createScopedReads(reading, 30_000).of({ reads: null }),
      rows: async (statement: string) => (await writing.query(statement)).rows,
      asked: () => statements,
      async [Symbol.asyncDispose]() {
        for (const pool of pools) await pool.end();
        for (const world of worlds) await world[Symbol.asyncDispose]();
        await postgres.giveBack(url);
      },
    };
  };

  const near = async (db: Db, space: number, container: number): Promise<Map<number, number>> => {
    const found = new Map<number, number>();
    for (const from of [container * CONTAINER_SPAN, container * CONTAINER_SPAN + MEMORY_OFFSET])
      await engineOf(db).vectors.compareRange(
        db,
        { space, from, to: from + MEMORY_OFFSET },
        QUERY,
        (n, cosine) => found.set(n, cosine),
      );
    return found;
  };

  const STEP_KINDS = [
    'add',
    'add',
    'add',
    'replace',
    'remove',
    'tell',
    'revise',
    'unfilled',
    'fill',
  ] as const;

  test('whatever another process does, a comparison finds what is stored', async () => {
    await using opened = await open();
    const { worlds, writer, reads, rows } = opened;
    const chance = chanceOf(5);
    const ids: string[] = [];
    const memories: string[] = [];
    const unfilled: { n: number; vector: Float32Array }[] = [];
    const { space } = worlds[0];

    const step = async (world: World, at: number): Promise<void> => {
      const tags = [chance.pick(TAGS) ?? 'a'];
      const kind = chance.pick(STEP_KINDS);
      if (kind === 'add') ids.push(await world.add(`note ${at}\n\nmore ${at}`, { tags }));
      if (kind === 'replace' && ids.length > 0)
        await world.patch(chance.pick(ids) ?? '', contentPatch(`note ${at}`));
      if (kind === 'remove' && ids.length > 0) {
        const [id = ''] = ids.splice(chance.below(ids.length), 1);
        await world.store.documents.remove(everything, { by: 'ids', ids: [id] });
        await purgeAll(world);
      }
      if (kind === 'tell') memories.push((await tell(world, `Ada sees bird ${at}`, { tags })).id);
      if (kind === 'revise' && memories.length > 0)
        await revise(world, memories.pop() ?? '', `Ada sees no bird ${at}`);
      if (kind === 'unfilled') {
        ids.push(await world.add(`late ${at}`, { tags }));
        await world.index({ spaces: [] });
        const [row] = await rows('select max(n)::bigint as n from chunks');
        unfilled.push({ n: Number(row?.n), vector: vectorOf(`late ${at}`) });
      } else await world.index();
      if (kind === 'fill')
        await writer.together((tx) => fillMissingVectors(tx, { id: space, ...SPACE }, unfilled.splice(0)));
    };

    for (let at = 0; at < STEPS; at++) {
      await step(worlds[at % 2 === 0 ? 0 : 1], at);
      for (const { n } of await rows('select n from containers')) {
        const stored = await writer.together((tx) => near(tx, space, Number(n)));
        expect(await near(reads, space, Number(n)), `after step ${at}`).toEqual(stored);
      }
    }
    const [counted] = await rows('select count(*)::int as n from vector_rows');
    expect(counted?.n).toBeGreaterThan(20);
  });

  test('vectors that did not change are not read again', async () => {
    await using opened = await open();
    const [world] = opened.worlds;
    for (let at = 0; at < 20; at++) await world.add(`note ${at}`);
    await world.index();
    const [row] = await opened.rows('select n from containers');
    const first = await near(opened.reads, world.space, Number(row?.n));
    expect(first.size).toBe(20);
    // The database holds other vectors, but says of none that it was changed.
    await opened.rows(`update vector_rows set data = (select data from vector_rows order by n limit 1)`);
    expect(await near(opened.reads, world.space, Number(row?.n))).toEqual(first);
    const before = opened.asked();
    await near(opened.reads, world.space, Number(row?.n));
    expect(opened.asked() - before).toBe(2);
  });

  test('vectors are read again after the connections ended, because the database may have lost them', async () => {
    await using opened = await open();
    const { worlds, rows, url } = opened;
    const [world] = worlds;
    for (const note of ['one', 'two', 'three']) await world.add(`note ${note}`);
    await world.index();
    const link = watchLink({ url });
    const pool = openPool({ url, most: 1, link, lost: () => undefined, pipeline: true });
    const store = openPostgresStore({
      ...{ pool, link, now: world.clock.now, queryDeadlineMs: 30_000 },
      call: () => Promise.reject(new Error('Nothing is written here.')),
    });
    const cosines = async (): Promise<number[]> => {
      const request = { space: world.space, vector: QUERY, limit: 10, aside: false };
      return (await store.search.scan(only('a'), {}, request)).map(({ cosine }) => cosine);
    };
    const first = await cosines();
    expect(new Set(first).size).toBe(3);
    // As after a crash: other content has the numbers of what was lost, and the counts are those of before.
    await rows('update vector_rows set data = (select data from vector_rows order by n limit 1)');
    expect(await cosines()).toEqual(first);
    await rows(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`);
    await until('the vectors of now', async () => new Set(await cosines().catch(() => first)).size === 1);
    await endWithLink(pool, link);
  });

  test('units that another process changed are read again, and no others', async () => {
    await using opened = await open();
    const [world] = opened.worlds;
    for (let at = 0; at < 5; at++) await world.add(`zebra ${at}`);
    await world.index();
    const look = async () => {
      const before = opened.asked();
      const request = { restriction: {}, terms: ['zebra'], limit: 10 };
      const { matches } = await findKeywordMatches(opened.reads, { reads: null, holds: null }, request);
      const frequencies = matches.map(({ held }) => held.reduce((sum, { frequency }) => sum + frequency, 0));
      return { frequencies: frequencies.sort(), asked: opened.asked() - before };
    };
    const cold = await look();
    expect(cold.frequencies).toEqual([1, 1, 1, 1, 1]);
    const warm = await look();
    expect(warm).toEqual({ frequencies: cold.frequencies, asked: cold.asked - 1 });
    const twice = Buffer.from(encodeTerms({ body: ['zebra', 'zebra'] })).toString('hex');
    const first = '(select min(n) from chunks)';
    await opened.rows(`update chunks set terms = '\\x${twice}' where n = ${first}`);
    await opened.rows(`update chunk_words set words = words where n = ${first}`);
    expect(await look()).toEqual({ frequencies: [1, 1, 1, 1, 2], asked: cold.asked });
    expect((await look()).asked).toBe(warm.asked);
  });
});

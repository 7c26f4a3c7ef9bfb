// Tests of a database that crashes while the worker goes on: the end of a document does not wait for its disk, so the crash takes it
// back, and the lease is there again. Nobody else takes a document of a worker that lives.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { freePort, type PostgresServer, postgresIn } from '../../../support/postgres.ts';
import { readClaim } from '../contract/reading.ts';
import { everything, openWorld, submission, WIDE_SHARE, type World } from '../contract/world.ts';
import { migratedPostgres, openPostgresAt } from '../open-postgres.ts';
import { describeOnPostgres } from './with-postgres.ts';

const BOOT = 'boot';
/** The boot of the side that reads for memories. */
const READER = '';

let folder: string;
let server: PostgresServer;

const crashAndRecover = async (): Promise<void> => {
  await server.crash();
  await server.start();
};

/** A world on the server of these tests, and what its link does when it notices a crash. */
const openLosing = async () => {
  const told: (() => void)[] = [];
  const world = await openWorld(openPostgresAt(server.url, { onLoss: (call) => void told.push(call) }));
  onTestFinished(() => world[Symbol.asyncDispose]());
  await world.meddle('delete from documents');
  return {
    world,
    noticeLoss() {
      for (const call of told) call();
    },
  };
};

/** A write that a caller waits for takes all writes before it to the disk. */
const syncLog = (world: World) => world.store.documents.submit(everything, [submission('A hedge.')]);

const steps = ({ rows }: World) => rows('select content, step from documents order by n');

/** A document whose lease is on the disk, and whose end is not. */
const endedOnPaper = async (world: World): Promise<void> => {
  await world.store.documents.submit(everything, [submission('An oak.')]);
  const [claim] = await world.ingest.claim(BOOT, WIDE_SHARE);
  if (claim === undefined) throw new Error('Nothing was claimed.');
  await syncLog(world);
  expect(await world.ingest.commit([readClaim(claim, { spaces: [world.space] })], [])).toBe(1);
};

const tests = (): void => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'memoir-lost-ends-'));
    // The server itself writes what waits only now and then.
    server = await postgresIn(folder, await freePort(), {
      keeping: true,
      settings: ['wal_writer_delay=10s', 'wal_writer_flush_after=1GB'],
    });
    await server.initialise();
    await server.start();
    await migratedPostgres(server.url);
  });
  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test('a document whose end was lost is read again by the same worker, and that is no crash of it', async () => {
    const { world, noticeLoss } = await openLosing();
    await endedOnPaper(world);
    await crashAndRecover();
    expect(await steps(world)).toMatchObject([{ content: 'An oak.', step: 'extracting' }, {}]);
    await world.ingest.voidFormerLeases(BOOT);
    expect(await world.ingest.claim(BOOT, { documents: 1, containers: 1 })).toMatchObject([
      { content: 'A hedge.' },
    ]);
    noticeLoss();
    await world.ingest.voidFormerLeases(BOOT);
    expect((await world.ingest.claim(BOOT, WIDE_SHARE)).map(({ content }) => content).sort()).toEqual([
      'A hedge.',
      'An oak.',
    ]);
    expect(await world.rows('select distinct crashes from documents')).toEqual([{ crashes: 0 }]);
  });

  test('work that went on over the crash is not stored under its former lease', async () => {
    const { world, noticeLoss } = await openLosing();
    await world.store.documents.submit(everything, [submission('An oak.')]);
    const claims = await world.ingest.claim(BOOT, WIDE_SHARE);
    await syncLog(world);
    await crashAndRecover();
    noticeLoss();
    await world.ingest.voidFormerLeases(BOOT);
    const read = claims.map((claim) => readClaim(claim, { spaces: [world.space] }));
    expect(await world.ingest.commit(read, [])).toBe(0);
    expect(await steps(world)).toMatchObject([{ step: 'queued' }, { step: 'queued' }]);
  });

  test('a document that was read for memories is read again after the crash took the mark', async () => {
    const { world, noticeLoss } = await openLosing();
    await world.add('Anna lives in Graz.');
    await world.index();
    const [job] = await world.remembering.claimToRemember(10);
    if (job === undefined) throw new Error('Nothing waits for memories.');
    await syncLog(world);
    const wanted = { slots: [], abouts: [], ids: [] };
    const harvest = {
      job,
      passages: job.fresh,
      prepared: [],
      chunks: [],
      wanted,
      relationsOf: async () => [],
    };
    await world.remembering.remember(harvest, []);
    await crashAndRecover();
    expect(await world.remembering.claimToRemember(10)).toEqual([]);
    noticeLoss();
    await world.ingest.voidFormerLeases(READER);
    expect(await world.remembering.claimToRemember(10)).toMatchObject([{ document: job.document }]);
  });
};

await describeOnPostgres('a worker that outlives its database', migratedPostgres, tests);

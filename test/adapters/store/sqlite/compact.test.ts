// Tests of giving space back: in slices where the folder is new, by compacting where it is older.
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openIngestSide } from '../../../../server/adapters/store/ingest-side/sqlite-ingest-side.ts';
import type { CompactionStep } from '../../../../server/adapters/store/ports/ingestion/erasing.ts';
import { openSqliteStore } from '../../../../server/adapters/store/request-side/sqlite-store.ts';
import { compactFile } from '../../../../server/adapters/store/sqlite/upkeep/compact.ts';
import { openWritingSide } from '../../../../server/adapters/store/writing-side/sqlite-writing-side.ts';
import { directCall } from '../../../../server/lib/threads/direct-call.ts';
import { newDataFolder } from '../../../support/data-folder.ts';
import { everything, openWorld } from '../contract/world.ts';

let folder = '';
beforeEach(() => {
  folder = newDataFolder('compact');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const file = () => join(folder, 'memoir.db');
const bytes = () => statSync(file()).size;

/** As an earlier release made it: it never gives pages back. */
const makeOlderFolder = (): void => {
  const db = new DatabaseSync(file());
  db.exec('pragma auto_vacuum = none; create table older (x); drop table older;');
  db.close();
};

const openStored = () =>
  openWorld(async ({ now }) => {
    const writing = openWritingSide({ file: file(), now, changed: () => undefined });
    const side = openIngestSide({ file: file(), now, call: directCall(writing.ingest) });
    const store = openSqliteStore({ file: file(), now, call: directCall(writing.commands) });
    return {
      ...{ store, ingest: side.ingest, remembering: side.memories },
      ...{ merges: side.merges, syncing: side.connections, hookDuty: side.hooks },
      rows: async () => [],
      asRequest: async () => [],
      requestSide: async () => ({ tables: [], tricks: [] }),
      meddle: async () => undefined,
      vectors: async () => [],
      words: async () => [],
      bytes: async () => Buffer.alloc(0),
      async close() {
        await store.close();
        side.close();
        await writing.close();
      },
    };
  });

type World = Awaited<ReturnType<typeof openStored>>;

const DOCUMENTS = 560;
const dead = (at: number) => `qz${at}zq`;
const isKept = (at: number) => at % 8 === 0;

/** Most of many documents of different lengths, so that rows move between pages, are deleted and erased. */
const fillAndErase = async (world: World): Promise<void> => {
  for (let at = 0; at < DOCUMENTS; at++) {
    const words = Array.from({ length: 1 + (at % 90) }, () => (isKept(at) ? 'kept' : dead(at)));
    await world.add(words.join(' '), { tags: [isKept(at) ? 'kept' : 'dead'], metadata: { at: dead(at) } });
    if (at % 40 === 39) await world.index();
  }
  await world.store.documents.remove(everything, { by: 'tags', tags: ['dead'] });
  while (await world.ingest.purge(500));
};

const wordsLeft = (): string[] => {
  const files = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'latin1'));
  return Array.from({ length: DOCUMENTS }, (_, at) => at)
    .filter((at) => !isKept(at))
    .map(dead)
    .filter((word) => files.some((content) => content.includes(word)));
};

const check = (statement: string): unknown => {
  const db = new DatabaseSync(file(), { readOnly: true });
  const [value] = Object.values(db.prepare(statement).get() ?? {});
  db.close();
  return value;
};

test('a new folder gives its free pages back when erased text is scrubbed', async () => {
  await using world = await openStored();
  await fillAndErase(world);
  const before = await world.ingest.space();
  expect(before.freeBytes).toBeGreaterThan(before.bytes / 2);
  await world.ingest.scrub();
  const after = await world.ingest.space();
  expect(after.freeBytes).toBeLessThanOrEqual(64 * 4096);
  expect(bytes()).toBeLessThan(before.bytes / 2);
  expect(check('pragma integrity_check')).toBe('ok');
});

test('an older folder keeps its size until it is compacted, and from then on gives pages back too', async () => {
  makeOlderFolder();
  await using world = await openStored();
  await fillAndErase(world);
  await world.ingest.scrub();
  const before = bytes();
  expect((await world.ingest.space()).freeBytes).toBeGreaterThan(before / 2);

  const steps: CompactionStep[] = [];
  const compacting = world.ingest.compact((step) => steps.push(step), new AbortController().signal);
  const meanwhile = world.add('kept while it is compacted', { tags: ['kept'] });
  expect((await world.list()).length).toBe(DOCUMENTS / 8);
  await compacting;
  await meanwhile;

  expect(wordsLeft()).toEqual([]);
  expect(bytes()).toBeLessThan(before / 2);
  expect(readdirSync(folder).filter((name) => name.includes('compact'))).toEqual([]);
  expect(new Set(steps.map(({ step }) => step))).toContain('replacing');
  await world.index();
  expect(await world.list()).toHaveLength(DOCUMENTS / 8 + 1);
  expect(await world.ingest.countVectors(world.space)).toBe(DOCUMENTS / 8 + 1);
  expect([check('pragma auto_vacuum'), check('pragma integrity_check')]).toEqual([2, 'ok']);
  await fillAndErase(world);
  await world.ingest.scrub();
  expect((await world.ingest.space()).freeBytes).toBeLessThanOrEqual(64 * 4096);
  expect(check('pragma integrity_check')).toBe('ok');
});

test('a compaction that is ended early changes nothing, and its copy is removed', async () => {
  await using world = await openStored();
  await world.add('kept');
  await expect(world.ingest.compact(() => undefined, AbortSignal.abort())).rejects.toThrow(
    /nothing was changed/,
  );
  expect(await world.list()).toHaveLength(1);
  expect(readdirSync(folder).filter((name) => name.includes('compact'))).toEqual([]);
});

test('the progress of compacting is the size of the copy', async () => {
  await using world = await openStored();
  await world.add('kept');
  const steps: CompactionStep[] = [];
  const total = 1e12;
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const compacted = compactFile({
    ...{ file: file(), total, signal: undefined },
    report: (step) => steps.push(step),
  });
  vi.advanceTimersByTime(1_000);
  await compacted;
  vi.useRealTimers();
  const [first] = steps;
  expect(first).toEqual({ step: 'copying', done: expect.any(Number), total });
  expect(first?.done).toBeLessThan(total);
});

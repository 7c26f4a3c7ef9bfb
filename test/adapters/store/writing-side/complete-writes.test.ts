// Tests of writes whose relations need statements that nobody has read yet.
import { afterEach, expect, test } from 'vitest';
import { Scope } from '../../../../server/core/scope.ts';
import { prepareStatements } from '../../../../server/domain/memories/prepare-statements.ts';
import { relatingByReadings } from '../../../../server/domain/memories/relating/relating-by-readings.ts';
import { grammar } from '../../../../server/domain/memories/rules/grammar.ts';
import { readEach } from '../../../../server/domain/memories/rules/statement-readings.ts';
import { finish } from '../../../../server/lib/async/steps.ts';
import { newId } from '../../../../server/lib/ids.ts';
import { openTestStore, type TestStore } from '../../../support/store.ts';

const everything = Scope.mint(null, null);
const opened: TestStore[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

const tell = async ({ store }: TestStore, memory: string): Promise<void> => {
  const fact = grammar.factOf(memory);
  const statement = {
    ...{ memory, slot: fact?.slot ?? null, about: fact?.about ?? null, metadata: null, eventDates: [] },
    ...{ isStatic: true, isInference: false, forgetAfter: null, forgetReason: null, documentDate: null },
  };
  const memories = await prepareStatements([statement], []);
  await store.memories.create(everything, { tags: ['a'], documentId: newId(), memories }, []);
};

const current = async ({ store }: TestStore): Promise<string[]> => {
  const query = { forgotten: true, sort: 'createdAt', order: 'asc', limit: 10, offset: 0 } as const;
  const { memories, total } = await store.memories.list(everything, query);
  expect(total).toBe(memories.length);
  return memories.map(({ memory }) => memory);
};

test('a memory that is told directly replaces another when both have been read elsewhere, and each is read once', async () => {
  const asked: (readonly string[])[] = [];
  const relating = relatingByReadings(async (statements) => {
    asked.push(statements);
    return finish(readEach(statements, grammar));
  });
  const store = openTestStore({ relating });
  opened.push(store);
  await tell(store, 'Anna lives in Berlin');
  await tell(store, 'Anna lives in Munich');
  expect(await current(store)).toEqual(['Anna lives in Munich']);
  expect(asked.flat()).toEqual(['Anna lives in Berlin', 'Anna lives in Munich']);
});

test('nothing is stored of a memory whose statements cannot be read', async () => {
  const relating = relatingByReadings(async () => {
    throw new Error('The ingest thread ended.');
  });
  const store = openTestStore({ relating });
  opened.push(store);
  await expect(tell(store, 'Anna lives in Berlin')).rejects.toThrow('The ingest thread ended.');
  expect(await current(store)).toEqual([]);
});

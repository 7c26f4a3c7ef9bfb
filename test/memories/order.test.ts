// Versions over REST: what is said later holds, whenever and by whichever way it comes.
import { describe, expect } from 'vitest';
import {
  create,
  type EntryBody,
  listMemories,
  readForMemories,
  recalled,
  remembered,
  tell,
} from '../rest/support/tell.ts';
import { useMemoir } from '../rest/support/use-memoir.ts';
import { verifies } from '../spec/verifies.ts';

const api = useMemoir();

const said = (tag: string, content: string, date?: string): Promise<string> =>
  readForMemories(api, tag, content, date === undefined ? {} : { metadata: { date } });

/** The one entry that the tag has. */
const only = async (tag: string): Promise<EntryBody> => {
  const { memoryEntries } = await listMemories(api, tag);
  expect(memoryEntries.map(({ memory }) => memory)).toHaveLength(1);
  const [entry] = memoryEntries;
  if (entry === undefined) throw new Error('Nothing is remembered.');
  return entry;
};

/** All versions of the only fact, the first one first. */
const versions = async (tag: string): Promise<string[]> => {
  const { memory, history } = await only(tag);
  return [...history.map((one) => one.memory).reverse(), memory];
};

describe('a document that arrives late', () => {
  verifies(
    'memories:versions:order',
    'a document that arrives late becomes the version before what was said after it',
    async () => {
      const tag = api.newTag();
      await said(tag, 'Anna: I live in Munich.', '2023-09-01');
      const before = await only(tag);
      expect(before).toMatchObject({ version: 1, parentMemoryId: null, rootMemoryId: null });
      const late = await said(tag, 'Anna: I live in Berlin.', '2021-09-01');
      const munich = await only(tag);
      const [berlin] = munich.history;
      expect(munich).toMatchObject({
        ...{ id: before.id, memory: 'Anna lives in Munich', isLatest: true, version: 2 },
        ...{ parentMemoryId: berlin?.id, rootMemoryId: berlin?.id },
        memoryRelations: { [berlin?.id ?? '']: 'updates' },
        history: [
          {
            ...{ memory: 'Anna lives in Berlin', isLatest: false, isForgotten: false, version: 1 },
            ...{ parentMemoryId: null, rootMemoryId: null },
          },
        ],
      });
      expect(await api.read(late)).toMatchObject({
        memories: [{ id: berlin?.id, isLatest: false, version: 1, parentMemoryId: null }],
      });
      expect(await recalled(api, tag, 'Where does Anna live?', { threshold: 0 })).toEqual([
        'Anna lives in Munich',
      ]);
    },
  );

  verifies(
    'memories:versions:order',
    'a document that arrives late stands between an earlier and a later one',
    async () => {
      const tag = api.newTag();
      await said(tag, 'Anna: I live in Paris.', '2019-01-01');
      await said(tag, 'Anna: I live in Munich.', '2023-01-01');
      await said(tag, 'Anna: I live in Berlin.', '2021-01-01');
      expect(await versions(tag)).toEqual([
        'Anna lives in Paris',
        'Anna lives in Berlin',
        'Anna lives in Munich',
      ]);
    },
  );

  verifies(
    'memories:versions:order',
    'a document that arrives late and says what was said before is one more source of it',
    async () => {
      const tag = api.newTag();
      await said(tag, 'Anna: I live in Berlin.', '2020-01-01');
      await said(tag, 'Anna: I live in Munich.', '2023-01-01');
      await said(tag, 'Anna: I live in Berlin.', '2021-01-01');
      expect(await versions(tag)).toEqual(['Anna lives in Berlin', 'Anna lives in Munich']);
    },
  );

  verifies(
    'memories:versions:order',
    'a document that arrives late does not replace what somebody wrote by an update, whenever that was',
    async () => {
      const tag = api.newTag();
      await said(tag, 'Anna: I live in Paris.', '2019-01-01');
      const { id } = await only(tag);
      await api.ask('PATCH', '/v4/memories', { containerTag: tag, id, newContent: 'Anna lives in Rome' });
      await said(tag, 'Anna: I live in Berlin.', '2021-01-01');
      expect(await versions(tag)).toEqual([
        'Anna lives in Paris',
        'Anna lives in Berlin',
        'Anna lives in Rome',
      ]);
    },
  );

  verifies(
    'memories:versions:order',
    'an earlier turn that is edited does not replace what a later one says',
    async () => {
      const tag = api.newTag();
      const customId = `edited of ${tag}`;
      const send = (content: string) => readForMemories(api, tag, content, { customId });
      await send('Anna: I live in Berlin.\nBob: Nice!\nAnna: I moved to Munich last week.');
      await send('Anna: I live in Hamburg.\nBob: Nice!\nAnna: I moved to Munich last week.');
      const homes = (await listMemories(api, tag)).memoryEntries.filter(({ memory }) => /Anna/.test(memory));
      expect(homes.map(({ memory, history }) => [memory, history.map((one) => one.memory)])).toEqual([
        [expect.stringContaining('Munich'), ['Anna lives in Hamburg']],
      ]);
    },
  );
});

describe('a memory that is created directly', () => {
  verifies(
    'memories:create:changes',
    'a memory that is created directly replaces what it changes, in the first person and in the third',
    async () => {
      for (const [first, second] of [
        ['I live in Berlin.', 'I moved to Munich.'],
        ['Ada lives in Berlin.', 'Ada moved to Munich.'],
        ['User works at Siemens', 'The user works for Bosch now.'],
      ] as const) {
        const tag = api.newTag();
        const { id } = await tell(api, tag, first);
        const made = await tell(api, tag, second);
        expect(await only(tag)).toMatchObject({
          ...{ id: made.id, memory: second, version: 2, parentMemoryId: id, rootMemoryId: id },
          history: [{ id, memory: first, isLatest: false, version: 1 }],
        });
      }
    },
  );

  verifies(
    'memories:create:changes',
    'a memory that is created directly leaves alone what may hold beside it',
    async () => {
      const tag = api.newTag();
      const facts = ['Ada likes tea.', 'Ada likes coffee.', 'Ada lives in Rome.', 'Bob lives in Lyon.'];
      for (const fact of facts) await tell(api, tag, fact);
      expect((await remembered(api, tag)).sort()).toEqual([...facts].sort());
    },
  );

  verifies('memories:create:changes', 'within one request a later one replaces an earlier one', async () => {
    const tag = api.newTag();
    const { memories } = await create(api, tag, ['Ada lives in Berlin.', 'Ada moved to Munich.']);
    expect(memories.map(({ memory }) => memory)).toEqual(['Ada lives in Berlin.', 'Ada moved to Munich.']);
    expect(await versions(tag)).toEqual(['Ada lives in Berlin.', 'Ada moved to Munich.']);
  });

  verifies(
    ['memories:create:changes', 'memories:versions:order'],
    'a memory that is created directly with an earlier date becomes an earlier version',
    async () => {
      const tag = api.newTag();
      await tell(api, tag, 'Ada lives in Munich.', { temporalContext: { documentDate: '2024-01-01' } });
      await tell(api, tag, 'Ada lives in Berlin.', { temporalContext: { documentDate: '2020-01-01' } });
      expect(await versions(tag)).toEqual(['Ada lives in Berlin.', 'Ada lives in Munich.']);
    },
  );

  verifies(
    'memories:create:changes',
    'a memory that is created directly replaces what a document said, and a document replaces it',
    async () => {
      const tag = api.newTag();
      await said(tag, 'user: I live in Berlin.');
      await tell(api, tag, 'I moved to Munich.');
      await said(tag, 'user: I moved to Vienna.');
      expect(await versions(tag)).toEqual([
        'The user lives in Berlin',
        'I moved to Munich.',
        'The user moved to Vienna',
      ]);
    },
  );

  verifies(
    'memories:create:changes',
    'a memory that is created directly in other words takes the place of the former wording',
    async () => {
      const tag = api.newTag();
      await tell(api, tag, 'Ada lives in Rome.');
      await tell(api, tag, 'Ada moved to Rome.');
      expect(await versions(tag)).toEqual(['Ada lives in Rome.', 'Ada moved to Rome.']);
    },
  );
});

describe('a version that was written by an update', () => {
  verifies(
    'memories:update:supported',
    'a version that was written by an update outlives the document that stated the one before',
    async () => {
      const tag = api.newTag();
      const document = await said(tag, 'Anna: I live in Berlin.');
      const { id } = await only(tag);
      const body = { containerTag: tag, id, newContent: 'Anna lives in Rome' };
      const patched = await api.ask<{ id: string }>('PATCH', '/v4/memories', body);
      expect((await api.remove(document)).status).toBe(204);
      await expect
        .poll(() => only(tag), { timeout: 10_000 })
        .toMatchObject({
          ...{ id: patched.body.id, memory: 'Anna lives in Rome', version: 1, sourceCount: 1, history: [] },
          ...{ parentMemoryId: null, rootMemoryId: null, memoryRelations: null },
        });
      expect(await recalled(api, tag, 'Where does Anna live?', { threshold: 0 })).toEqual([
        'Anna lives in Rome',
      ]);
    },
  );
});

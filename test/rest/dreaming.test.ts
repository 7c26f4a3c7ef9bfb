// Memories come with the document, or after it; by rules and by a model that takes its time, or is of no use.

import { describe, expect, test } from 'vitest';
import { memories } from '../adapters/language-model/chat-server.ts';
import { openAgent } from '../mcp/support/agents.ts';
import { verifies } from '../spec/verifies.ts';
import { refuse } from '../support/models/servers/behaving-server.ts';
import { listMemories, recalled, remembered } from './support/tell.ts';
import { useChat } from './support/use-chat.ts';
import {
  type DocumentBody,
  type ListBody,
  type Rest,
  useMemoir,
  useOwnMemoir,
} from './support/use-memoir.ts';

const chat = useChat();
const byModel = useOwnMemoir(chat.env);
const byRules = useMemoir();

interface Drawn extends DocumentBody {
  dreamingStatus: string;
  memoryFailure: { code: string; message: string; retryable: boolean } | null;
}

const BERLIN = 'user: I live in Berlin.';
const LIVES = memories({ memory: 'The user lives in Berlin', static: true, from: [1] });
const INSTANT = { dreaming: 'instant' };

const read = async (api: Rest, id: string) => (await api.read(id)) as Drawn;

const listedWith = async (containerTag: string, status: unknown): Promise<string[]> => {
  const ids = ({ memories: documents }: ListBody) => documents.map(({ id }) => id);
  const posted = ids(await byModel.list({ containerTag, status }));
  const query = new URLSearchParams({ containerTag, status: String(status) });
  const { body } = await byModel.ask<ListBody>('GET', `/v3/documents?${query}`);
  expect(ids(body), String(status)).toEqual(posted);
  return posted;
};

const queue = async (containerTag: string): Promise<DocumentBody[]> => {
  const path = `/v3/documents/processing?containerTag=${containerTag}`;
  return (await byModel.ask<{ documents: DocumentBody[] }>('GET', path)).body.documents;
};

/** The number of documents the whole service still works on, as its health reports. */
const inWork = async (): Promise<string | undefined> => {
  const { body } = await byModel.ask<{ parts: { queue: { detail: string } } }>('GET', '/health');
  return /^\d+ queued or processing/.exec(body.parts.queue.detail)?.[0];
};

test('the profile of an agent says while the memories of what was added last are drawn', async () => {
  const containerTag = byModel.newTag();
  const agent = await openAgent('2026', { url: byModel.memoir.url, key: byModel.memoir.key });
  try {
    const profile = async () => (await agent.call('profile', { containerTag })).text;
    using held = chat.hold(LIVES);
    const { body } = await byModel.post({ content: BERLIN, containerTag });
    await held.reached;
    expect(await profile()).toMatch(
      /^Nothing is known yet.\nThe memories of what was added last are still being drawn/,
    );
    held.release();
    await byModel.memoir.remembered(body.id);
    expect(await profile()).not.toContain('still being drawn');
  } finally {
    await agent.close();
  }
});

describe('a document that is sent with dreaming "instant"', () => {
  verifies(
    ['memories:dreaming:instant', 'memories:dreaming:instant-step'],
    'a document that is sent with dreaming "instant" is done only with its memories, found before that, and all that tells of its status agrees',
    async () => {
      const tag = byModel.newTag();
      using held = chat.hold(LIVES);
      const { body } = await byModel.post({ content: BERLIN, containerTag: tag, ...INSTANT });
      await held.reached;
      expect(await read(byModel, body.id)).toMatchObject({
        ...{ status: 'processing', step: 'embedding', progress: null, failure: null },
        ...{ dreamingStatus: 'dreaming', memoryFailure: null },
      });
      expect(await byModel.texts(body.id)).toEqual(['I live in Berlin.']);
      expect(await byModel.found('berlin', tag)).toEqual(['user: I live in Berlin.']);
      for (const status of ['processing', 'embedding', 'indexing', ['queued', 'processing']])
        expect([status, await listedWith(tag, status)]).toEqual([status, [body.id]]);
      for (const status of ['queued', 'done', 'failed', ['done', 'failed']])
        expect([status, await listedWith(tag, status)]).toEqual([status, []]);
      expect(await queue(tag)).toMatchObject([{ id: body.id, status: 'processing', step: 'embedding' }]);
      expect(await inWork()).toBe('1 queued or processing');
      held.release();
      expect(await byModel.settled(body.id)).toMatchObject({
        ...{ status: 'done', step: 'done', dreamingStatus: 'done', memoryFailure: null },
        memories: [{ memory: 'The user lives in Berlin' }],
      });
      expect(await listedWith(tag, 'done')).toEqual([body.id]);
      expect(await listedWith(tag, 'processing')).toEqual([]);
      expect(await queue(tag)).toEqual([]);
      expect(await inWork()).toBe('0 queued or processing');
      expect(await recalled(byModel, tag, 'Where does the user live?')).toEqual(['The user lives in Berlin']);
    },
  );

  verifies(
    'memories:dreaming:instant',
    'a document that is sent with dreaming "instant" has them without a model as well',
    async () => {
      const tag = byRules.newTag();
      for (let turn = 0; turn < 20; turn++) {
        const content = `user: I have a dog called Rex${turn}.`;
        const { id } = await byRules.add({ content, containerTag: tag, ...INSTANT });
        const { memories: drawn } = (await byRules.read(id)) as Drawn & { memories?: { memory: string }[] };
        expect(drawn?.map(({ memory }) => memory).join()).toContain(`Rex${turn}`);
      }
    },
  );

  verifies(
    ['memories:dreaming:instant-step', 'documents:get:memory-failure'],
    'a document that is sent with dreaming "instant" is done all the same when none could be drawn, and says why',
    async () => {
      const tag = byModel.newTag();
      chat.next(refuse(401, 'This key is not known.'));
      const sent = { content: BERLIN, containerTag: tag, customId: `refused in ${tag}`, ...INSTANT };
      const { id } = await byModel.add(sent);
      expect(await read(byModel, id)).toMatchObject({
        ...{ status: 'done', step: 'done', failure: null, dreamingStatus: 'done' },
        memoryFailure: { code: 'memory_auth', retryable: false },
      });
      expect(await listedWith(tag, 'done')).toEqual([id]);
      using held = chat.hold(LIVES);
      expect((await byModel.post(sent)).body).toEqual({ id, status: 'queued' });
      await held.reached;
      expect(await read(byModel, id)).toMatchObject({ status: 'processing', memoryFailure: null });
      held.release();
      expect(await byModel.settled(id)).toMatchObject({ status: 'done', memoryFailure: null });
      expect((await byModel.post(sent)).body).toEqual({ id, status: 'done' });
      expect(await remembered(byModel, tag)).toEqual(['The user lives in Berlin']);
    },
  );

  test('a document that is sent with dreaming "instant" stands behind no other whose memories may come later', async () => {
    const tag = byModel.newTag();
    using held = chat.hold(memories());
    await byModel.add({ content: 'user: I like tea.', containerTag: tag });
    await held.reached;
    chat.next(LIVES);
    const { id } = await byModel.add({ content: BERLIN, containerTag: tag, ...INSTANT });
    expect(await read(byModel, id)).toMatchObject({ status: 'done', dreamingStatus: 'done' });
    expect(await remembered(byModel, tag)).toEqual(['The user lives in Berlin']);
  });

  test('a document that is sent with dreaming "instant" can be deleted meanwhile and does not come back', async () => {
    const tag = byModel.newTag();
    using held = chat.hold(LIVES);
    const { body } = await byModel.post({ content: BERLIN, containerTag: tag, ...INSTANT });
    await held.reached;
    expect((await byModel.remove(body.id)).status).toBe(204);
    held.release();
    await byModel.memoir.idle();
    expect(await remembered(byModel, tag)).toEqual([]);
  });
});

describe('a document that is sent with dreaming "dynamic", or without a word', () => {
  test.each([{}, { dreaming: 'dynamic' }])('%j is done before its memories are there', async (more) => {
    const tag = byModel.newTag();
    using held = chat.hold(LIVES);
    const { id } = await byModel.add({ content: BERLIN, containerTag: tag, ...more });
    await held.reached;
    expect(await read(byModel, id)).toMatchObject({
      status: 'done',
      step: 'done',
      dreamingStatus: 'dreaming',
    });
    expect(await listedWith(tag, 'done')).toEqual([id]);
    expect(await queue(tag)).toEqual([]);
    held.release();
    await byModel.memoir.remembered(id);
    expect(await remembered(byModel, tag)).toEqual(['The user lives in Berlin']);
  });

  verifies(
    'memories:dreaming:kept',
    'a document that is sent with dreaming "dynamic", or without a word becomes instant when it is sent again so, and stays it when nothing is said',
    async () => {
      const [tag, customId] = [byModel.newTag(), 'later instant'];
      chat.next(LIVES);
      const { id } = await byModel.add({ content: BERLIN, containerTag: tag, customId });
      await byModel.memoir.remembered(id);
      for (const [content, more] of [
        ['user: I like tea.', INSTANT],
        ['user: I like jam.', {}],
      ] as const) {
        using held = chat.hold(memories());
        await byModel.post({ content, containerTag: tag, customId, ...more });
        await held.reached;
        expect(await read(byModel, id)).toMatchObject({ status: 'processing', step: 'embedding' });
        held.release();
        await byModel.settled(id);
      }
    },
  );
});

verifies(
  'memories:relations:kinds',
  'a memory that a model draws updates, extends or is derived from the one before',
  async () => {
    for (const kind of ['updates', 'extends', 'derives']) {
      const tag = byModel.newTag();
      chat.next(LIVES);
      const first = await byModel.add({ content: BERLIN, containerTag: tag, ...INSTANT });
      const [before] = (await listMemories(byModel, tag)).memoryEntries;
      chat.next(memories({ memory: 'The user lives in Munich', kind, of: [1], from: [1] }));
      const second = await byModel.add({ content: 'user: I live in Munich.', containerTag: tag, ...INSTANT });
      expect([first.status, second.status]).toEqual(['done', 'done']);
      const { memoryEntries } = await listMemories(byModel, tag);
      const after = memoryEntries.find(({ memory }) => memory === 'The user lives in Munich');
      expect(after?.memoryRelations).toEqual({ [before?.id ?? '']: kind });
    }
  },
);

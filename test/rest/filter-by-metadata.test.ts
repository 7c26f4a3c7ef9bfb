// filterByMetadata: which memories a document that is read may change or add to; it never narrows what is found.
import { describe, expect } from 'vitest';
import { memories } from '../adapters/language-model/chat-server.ts';
import { verifies } from '../spec/verifies.ts';
import { readForMemories, recalled, remembered, tell } from './support/tell.ts';
import { questionOf, useChat } from './support/use-chat.ts';
import { useMemoir, useOwnMemoir } from './support/use-memoir.ts';

const chat = useChat();
const byModel = useOwnMemoir(chat.env);
const api = useMemoir();

const BERLIN = 'user: I live in Berlin.';
const MUNICH = 'user: I moved to Munich.';

/** The memories after both, the second read with this filter. */
const after = async (
  more: Record<string, unknown>,
  first: Record<string, unknown> = { metadata: { trip: 'spring', year: 2026 } },
) => {
  const tag = api.newTag();
  await readForMemories(api, tag, BERLIN, first);
  await readForMemories(api, tag, MUNICH, more);
  const known = await remembered(api, tag);
  expect(await recalled(api, tag, 'Where does the user live?', { threshold: 0 })).toHaveLength(known.length);
  return known.length;
};

const CHANGED = 1;
const APART = 2;

describe('filterByMetadata', () => {
  verifies(
    'documents:add:filter-by-metadata',
    'filterByMetadata leaves memories of other metadata out of what a document may change: of each key one value',
    async () => {
      const expected: [object | undefined, number][] = [
        [undefined, CHANGED],
        [{}, CHANGED],
        [{ trip: 'spring' }, CHANGED],
        [{ trip: ['autumn', 'spring'] }, CHANGED],
        [{ trip: 'spring', year: 2026 }, CHANGED],
        [{ year: ['2026'] }, CHANGED],
        [{ trip: 'autumn' }, APART],
        [{ trip: 'Spring' }, APART],
        [{ trip: ['autumn'] }, APART],
        [{ trip: [] }, APART],
        [{ trip: 'spring', year: 2027 }, APART],
        [{ place: 'Berlin' }, APART],
      ];
      for (const [filterByMetadata, count] of expected)
        expect([filterByMetadata, await after({ filterByMetadata })]).toEqual([filterByMetadata, count]);
    },
  );

  verifies(
    'documents:add:filter-by-metadata',
    'filterByMetadata goes by the own metadata of a memory too',
    async () => {
      for (const [trip, count] of [
        ['spring', CHANGED],
        ['autumn', APART],
      ] as const) {
        const tag = api.newTag();
        await tell(api, tag, 'The user lives in Berlin', { metadata: { trip: 'spring' } });
        await readForMemories(api, tag, MUNICH, { filterByMetadata: { trip } });
        expect(await remembered(api, tag)).toHaveLength(count);
      }
    },
  );

  verifies(
    'documents:add:filter-by-metadata',
    'filterByMetadata is taken in batches and updates as well',
    async () => {
      const tag = api.newTag();
      await readForMemories(api, tag, BERLIN, { metadata: { trip: 'spring' } });
      const batch = await api.ask<{ results: { id: string }[] }>('POST', '/v3/documents/batch', {
        documents: [MUNICH],
        containerTag: tag,
        filterByMetadata: { trip: 'autumn' },
      });
      const id = batch.body.results[0]?.id ?? '';
      await api.memoir.remembered(id);
      expect(await remembered(api, tag)).toHaveLength(2);
      await api.patch(id, { content: 'user: I moved to Rome.', filterByMetadata: { trip: 'spring' } });
      await api.settled(id);
      await api.memoir.remembered(id);
      const known = await remembered(api, tag);
      expect(known).toHaveLength(1);
      expect(known[0]).toContain('Rome');
    },
  );

  verifies(
    'memories:dreaming:kept',
    'filterByMetadata stays with the document when a re-send does not name it',
    async () => {
      const [tag, customId] = [api.newTag(), 'keeps its filter'];
      await readForMemories(api, tag, BERLIN, { metadata: { trip: 'spring' } });
      const sent = { customId, filterByMetadata: { trip: 'autumn' } };
      await readForMemories(api, tag, 'user: I like tea.', sent);
      await readForMemories(api, tag, MUNICH, { customId });
      expect(await remembered(api, tag)).toHaveLength(3);
    },
  );

  verifies('documents:add:filter-by-metadata', 'filterByMetadata bounds what a model is shown', async () => {
    const tag = byModel.newTag();
    const ask = async (content: string, more: Record<string, unknown>) =>
      questionOf((await chat.during(() => readForMemories(byModel, tag, content, more)))[0]);
    chat.next(memories({ memory: 'The user lives in Berlin', static: true, from: [1] }));
    await ask(BERLIN, { metadata: { trip: 'spring' } });
    expect(await ask(MUNICH, { filterByMetadata: { trip: 'autumn' } })).toContain('(nothing yet)');
    expect(await ask(MUNICH, { filterByMetadata: { trip: 'spring' } })).toContain(
      '1. The user lives in Berlin',
    );
  });
});

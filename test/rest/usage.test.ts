// The usage of language models, reported for each document, and summed by container tag and by key.

import { describe, expect, test } from 'vitest';
import { type Behaviour, memories, says } from '../adapters/language-model/chat-server.ts';
import { verifies } from '../spec/verifies.ts';
import { refuse } from '../support/models/servers/behaving-server.ts';
import { agentKey } from './support/keys.ts';
import { readForMemories } from './support/tell.ts';
import { useChat } from './support/use-chat.ts';
import { type Refusal, useOwnMemoir } from './support/use-memoir.ts';

const chat = useChat();
const api = useOwnMemoir(chat.env);

interface Usage {
  inputTokens: number;
  outputTokens: number;
}

/** As many answers of the model as these, each of 100 tokens that it read and 10 that it wrote. */
const answers = (count: number): Usage => ({ inputTokens: 100 * count, outputTokens: 10 * count });

const ofDocument = async (id: string) =>
  (await api.ask<{ usage: Usage }>('GET', `/v3/documents/${id}`)).body.usage;
const ofTag = async (tag: string) =>
  (await api.ask<{ usage: Usage }>('GET', `/v3/container-tags/${tag}`)).body.usage;
const ofKeys = async () => {
  const { body } = await api.ask<{ keys: { id: string; usage: Usage }[]; usage: Usage }>(
    'GET',
    '/v3/auth/keys',
  );
  return { of: (id: string) => body.keys.find((key) => key.id === id)?.usage, all: body.usage };
};

const NONSENSE: Behaviour = says({ content: 'I would rather not.' });
const TEA = memories({ memory: 'The user likes tea', from: [1] });

describe('what a language model takes', () => {
  verifies(
    ['memories:usage:document', 'memories:usage:sums'],
    'what a language model takes is told of each document, and summed for its tags, for the key that sent it and for all',
    async () => {
      const [tag, other] = [api.newTag(), api.newTag()];
      const mine = await agentKey(api, { name: 'mine' });
      const before = (await ofKeys()).all;
      chat.next(TEA, NONSENSE, TEA);
      const send = async (content: string, containerTags: string[]) => {
        const { id } = await api.add({ content, containerTags }, mine);
        await api.memoir.remembered(id);
        return id;
      };
      const one = await send('user: I like tea.', [tag]);
      const two = await send('user: Tea is what I like.', [tag, other]);
      expect([await ofDocument(one), await ofDocument(two)]).toEqual([answers(1), answers(2)]);
      expect([await ofTag(tag), await ofTag(other)]).toEqual([answers(3), answers(2)]);
      const keys = await ofKeys();
      expect(keys.of(mine.id)).toEqual(answers(3));
      expect(keys.all).toEqual({
        inputTokens: before.inputTokens + 300,
        outputTokens: before.outputTokens + 30,
      });
    },
  );

  verifies(
    ['memories:usage:document', 'memories:usage:sums'],
    'what a language model takes counts where nothing came of it: for refusals, and answers of no use before a failure for good',
    async () => {
      const tag = api.newTag();
      const refusal = says({ content: null, refusal: 'No.' });
      chat.next(refusal, refusal);
      const refused = await readForMemories(api, tag, 'user: I like tea.');
      expect((await api.ask('GET', `/v3/documents/${refused}`)).body.memoryFailure).toMatchObject({
        code: 'memory_refused',
      });
      expect(await ofDocument(refused)).toEqual(answers(2));
      chat.next(NONSENSE, refuse(401, 'This key is not known.'));
      const failed = await readForMemories(api, tag, 'user: I like jam.');
      expect(await ofDocument(failed)).toEqual(answers(1));
      expect(await ofTag(tag)).toEqual(answers(3));
    },
  );

  verifies(
    'memories:usage:sums',
    'what a language model takes adds up over the versions of a document, and goes on after a restart',
    async () => {
      const [tag, customId] = [api.newTag(), 'grows'];
      const id = await readForMemories(api, tag, 'user: I like tea.', { customId });
      await readForMemories(api, tag, 'user: I like jam.', { customId });
      await api.memoir.restart();
      await readForMemories(api, tag, 'user: I like figs.', { customId });
      expect([await ofDocument(id), await ofTag(tag)]).toEqual([answers(3), answers(3)]);
      await api.remove(id);
      expect(await ofTag(tag)).toEqual(answers(3));
    },
  );

  test('what a language model takes moves with a merge to the target, and goes with a tag that is deleted', async () => {
    const [source, target] = [api.newTag(), api.newTag()];
    for (const tag of [source, target]) await readForMemories(api, tag, 'user: I like tea.');
    const merge = await api.ask<{ mergeId: string }>('POST', '/v3/container-tags/merge', {
      containerTags: [source],
      targetContainerTag: target,
    });
    const state = async () =>
      (await api.ask('GET', `/v3/container-tags/merge/${merge.body.mergeId}`)).body.status;
    await expect.poll(state, { timeout: 10_000 }).toBe('completed');
    expect(await ofTag(target)).toEqual(answers(2));
    await api.ask('DELETE', `/v3/container-tags/${target}`);
    expect((await api.ask<Refusal>('GET', `/v3/container-tags/${target}`)).status).toBe(404);
    await api.ask('PATCH', `/v3/container-tags/${target}`, { name: 'Anew' });
    expect(await ofTag(target)).toEqual(answers(0));
  });
});

// Categories of the settings: what belongs to one is remembered before other things.
import { describe, expect } from 'vitest';
import { memories } from '../adapters/language-model/chat-server.ts';
import { verifies } from '../spec/verifies.ts';
import { readForMemories, remembered } from './support/tell.ts';
import { questionOf, useChat } from './support/use-chat.ts';
import { type Rest, useMemoir, useOwnMemoir } from './support/use-memoir.ts';

const chat = useChat();
const byModel = useOwnMemoir(chat.env);
const api = useMemoir();

const set = async (of: Rest, categories: string[] | null): Promise<void> => {
  const body = { shouldLLMFilter: true, categories };
  expect((await of.ask('PATCH', '/v3/settings', body)).status).toBe(200);
};

const NAMES = 'Ada Bert Cleo Dora Emil Fritz Gerda Hugo Irma Jonas'.split(' ');
const said = (what: string, count: number): string[] =>
  Array.from({ length: count }, (_, n) => `The ${what} by the ${NAMES[n % 10]} pond was ${n + 7} days old.`);
/** More than one document yields; what the test asks of stands at its end. */
const REPORT = [...said('gate', 140), ...said('heron', 15)].join(' ');

describe('categories', () => {
  verifies(
    'settings:categories:guide',
    'categories decide what is kept of a document that says too much',
    async () => {
      const herons = async (): Promise<number> => {
        const tag = api.newTag();
        await readForMemories(api, tag, REPORT);
        return (await remembered(api, tag)).filter((memory) => memory.includes('heron')).length;
      };
      expect(await herons()).toBe(0);
      await set(api, ['water birds', 'herons']);
      expect(await herons()).toBe(15);
      await set(api, null);
      expect(await herons()).toBe(0);
    },
  );

  verifies(
    'settings:categories:guide',
    'categories are told to a model, while the filter is on',
    async () => {
      const question = async (): Promise<string> => {
        const asked = await chat.during(() => readForMemories(byModel, byModel.newTag(), 'user: I row.'));
        return questionOf(asked[0]);
      };
      chat.always(memories());
      await set(byModel, ['training plans']);
      expect(await question()).toMatch(/categories:\n- training plans/);
      await byModel.ask('PATCH', '/v3/settings', { shouldLLMFilter: false });
      expect(await question()).not.toContain('training plans');
    },
  );
});

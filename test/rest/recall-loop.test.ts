// Statements that Memoir itself handed out come back in a conversation: nothing new was said.
import { afterAll, beforeAll, describe, expect } from 'vitest';
import {
  type ChatServer,
  linesOf,
  memories,
  startChatServer,
} from '../adapters/language-model/chat-server.ts';
import { verifies } from '../spec/verifies.ts';
import { assistant, type Message, talk, user } from './support/talk.ts';
import { listMemories } from './support/tell.ts';
import { type Rest, useMemoir, useOwnMemoir } from './support/use-memoir.ts';

const rules = useMemoir();

/** Each memory with how many documents say it. */
const known = async (api: Rest, tag: string): Promise<string[]> =>
  (await listMemories(api, tag)).memoryEntries.map(({ memory, sourceCount }) => `${sourceCount}× ${memory}`);

const says = async (api: Rest, tag: string, name: string, messages: readonly Message[]): Promise<void> => {
  const { id } = await talk(api, tag, `${name} ${tag}`, messages);
  await api.memoir.remembered(id);
};

/** Two containers with the same memories, of which an agent is told only those of the first. */
const twins = async (api: Rest, messages: readonly Message[]): Promise<[string, string]> => {
  const tags = [api.newTag(), api.newTag()] as const;
  for (const tag of tags) await says(api, tag, 'first', messages);
  return [...tags];
};

const FIRST = [user('My sister Grete lives in Lyon. The office closes at five on Fridays.')];

/** The answer of an agent that was told, and the words of its user beside it. */
const echo = (said: string, more: string[] = []): Message[] => [
  user('What do you know of us?'),
  assistant(`${said} Shall I book something?`),
  { role: 'user', name: 'Notes', content: [said, ...more].join(' ') },
];

/** The several ways in which an agent is told what is remembered. */
const TOLD: Record<string, (tag: string) => Promise<{ status: number; body: unknown }>> = {
  'POST /v4/search': (tag) =>
    rules.ask('POST', '/v4/search', { q: 'When does the office close?', containerTag: tag, threshold: 0 }),
  'POST /v3/search': (tag) =>
    rules.ask('POST', '/v3/search', { q: 'When does the office close?', containerTags: [tag] }),
  'POST /v4/profile': (tag) => rules.ask('POST', '/v4/profile', { containerTag: tag }),
  'POST /ns/{namespace}/profile': (tag) => rules.ask('POST', `/ns/${tag}/profile`),
  'POST /ns/{namespace}/search': (tag) =>
    rules.ask('POST', `/ns/${tag}/search`, { query: 'When does the office close?', threshold: 0 }),
  'GET /v3/container-tags/{tag}/profile': (tag) => rules.ask('GET', `/v3/container-tags/${tag}/profile`),
};

describe('what an agent was told', () => {
  for (const [way, ask] of Object.entries(TOLD))
    verifies(
      'conversations:loop:not-learned',
      `what an agent was told by ${way} is not learned when it is said again`,
      async () => {
        const [told, untold] = await twins(rules, FIRST);
        const before = await known(rules, told);
        expect(before.join()).toContain('office closes at five');
        const answer = await ask(told);
        expect([answer.status, JSON.stringify(answer.body)]).toEqual([
          200,
          expect.stringContaining('closes at five'),
        ]);
        for (const tag of [told, untold])
          await says(
            rules,
            tag,
            'second',
            echo('The office closes at five on Fridays.', ['I adopted a beagle.']),
          );
        const learned = (await known(rules, told)).filter((one) => !before.includes(one));
        expect(learned).toEqual([expect.stringMatching(/^1× .*beagle/)]);
        expect((await known(rules, untold)).join()).toMatch(/2× [^,]*office closes at five/);
      },
    );

  verifies(
    'conversations:loop:not-learned',
    'what an agent was told is learned where nobody was told',
    async () => {
      const [told, untold] = await twins(rules, FIRST);
      await TOLD['POST /v4/search']?.(told);
      const before = await known(rules, untold);
      await says(rules, untold, 'second', echo('The office closes at five on Fridays.'));
      expect(await known(rules, untold)).not.toEqual(before);
    },
  );

  verifies(
    'conversations:loop:not-learned',
    'what an agent was told is learned from a document, and in own words',
    async () => {
      const tag = rules.newTag();
      await says(rules, tag, 'first', FIRST);
      await TOLD['POST /v3/search']?.(tag);
      const { id } = await rules.add({ content: 'The office closes at five on Fridays.', containerTag: tag });
      await rules.memoir.remembered(id);
      await says(rules, tag, 'second', [user('My sister Grete lives in Lyon.')]);
      expect((await known(rules, tag)).sort()).toEqual([
        expect.stringMatching(/^2× .*office closes/),
        expect.stringMatching(/^2× .*Lyon/),
      ]);
    },
  );

  verifies(
    'conversations:loop:not-learned',
    'what an agent was told without a tag is known where it is said without one',
    async () => {
      await says(rules, 'sm_project_default', 'first', FIRST);
      const before = await known(rules, 'sm_project_default');
      await rules.ask('POST', '/v4/search', { q: 'When does the office close?', threshold: 0 });
      await says(rules, 'sm_project_default', 'second', echo('The office closes at five on Fridays.'));
      expect(await known(rules, 'sm_project_default')).toEqual(before);
    },
  );
});

describe('with a model', () => {
  let server: ChatServer | undefined;
  const LINE = /^(?:.*?: )?(.*)$/s;

  beforeAll(async () => {
    // It remembers every line it is shown.
    server = await startChatServer((response, asked) =>
      memories(
        ...linesOf(asked).fresh.map((line, at) => ({
          ...{ memory: LINE.exec(line)?.[1] ?? line, kind: 'new', of: [], static: false, inferred: false },
          ...{ dates: [], forgetAfter: null, from: [at + 1] },
        })),
      )(response, asked),
    );
  });
  afterAll(() => server?.close());
  const api = useOwnMemoir(() => ({ OPENAI_MODEL: 'stand-in', OPENAI_BASE_URL: server?.baseUrl ?? '' }));

  verifies(
    'conversations:loop:not-learned',
    'what an agent was told is not even shown to a model',
    async () => {
      const tag = api.newTag();
      await says(api, tag, 'first', [user('Grete moved to Lyon in May.')]);
      expect(await known(api, tag)).toEqual(['1× Grete moved to Lyon in May.']);
      await api.ask('POST', '/v4/search', { q: 'Where is Grete?', containerTag: tag, threshold: 0 });
      await says(api, tag, 'second', [
        user('Where does my sister live?'),
        assistant('Grete moved to Lyon in May.'),
        user('Her dog is a beagle.'),
      ]);
      const last =
        server?.asked
          .at(-1)
          ?.body.messages.map(({ content }) => content)
          .join('\n') ?? '';
      expect(last.slice(last.indexOf('\nNEW\n'))).not.toContain('Grete moved');
      const learned = await known(api, tag);
      expect(learned.filter((one) => one.includes('Grete'))).toEqual(['1× Grete moved to Lyon in May.']);
      expect(learned.join()).toContain('beagle');
    },
  );
});

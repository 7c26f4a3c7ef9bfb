// Profiles with a language model: in its words where it answers, in those of the memories where it does not.

import { afterEach, describe, expect, test } from 'vitest';
import { type Behaviour, memories, says } from '../adapters/language-model/chat-server.ts';
import { verifies } from '../spec/verifies.ts';
import { hang, refuse } from '../support/models/servers/behaving-server.ts';
import { agentKey } from './support/keys.ts';
import { create } from './support/tell.ts';
import { questionOf, useChat } from './support/use-chat.ts';
import { useOwnMemoir } from './support/use-memoir.ts';

const chat = useChat();
const api = useOwnMemoir(chat.env);

interface Sections {
  static: string[];
  dynamic: string[];
  buckets: Record<string, string[]>;
}

const profile = async (containerTag: string, more: object = {}, as = {}): Promise<Sections> => {
  const answer = await api.ask<{ profile: Sections }>('POST', '/v4/profile', { containerTag, ...more }, as);
  expect(answer.status).toBe(200);
  return answer.body.profile;
};

/** Puts all facts of each section into one line. */
const summing: Behaviour = (response, asked) => {
  const question = questionOf(asked);
  const facts = new Map(
    [...question.matchAll(/^\[(\d+)\] \([^)]*\) (.*)\.$/gm)].map(([, number, text]) => [number, text ?? '']),
  );
  const sections = [...question.matchAll(/^(\S+) \(.*\): ([\d, ]+)$/gm)].map(([, section, numbers = '']) => {
    const of = numbers.split(', ');
    return { section, lines: [{ text: `${of.map((at) => facts.get(at)).join('; ')}.`, of: of.map(Number) }] };
  });
  return says({ content: JSON.stringify({ sections }) })(response, asked);
};
const isSummary = (question: string): boolean => question.includes('\nSECTIONS\n');
/** Other questions of the same time have nothing to do with it. */
const answering =
  (behaviour: Behaviour): Behaviour =>
  (response, asked) =>
    (isSummary(questionOf(asked)) ? behaviour : memories())(response, asked);

const KNOWN = [
  { content: 'Ada lives in Ghent.', isStatic: true },
  { content: 'Ada prefers tea.', isStatic: true },
  { content: 'Ada prefers short answers.', isStatic: true },
  { content: 'Ada is moving a harpsichord.', temporalContext: { documentDate: '2026-03-02T10:00:00Z' } },
  { content: 'Ada visited the mint museum.', temporalContext: { documentDate: '2026-03-01T10:00:00Z' } },
];
const PLAIN: Sections = {
  static: ['Ada lives in Ghent.', 'Ada prefers short answers.', 'Ada prefers tea.'],
  dynamic: [
    '[Recent] [2026-03-02] Ada is moving a harpsichord.',
    '[Recent] [2026-03-01] Ada visited the mint museum.',
  ],
  buckets: { preferences: ['[Recent] Ada prefers short answers.', '[Recent] Ada prefers tea.'] },
};
const SUMMED: Sections = {
  static: ['Ada lives in Ghent; Ada prefers short answers; Ada prefers tea.'],
  dynamic: ['[Recent] [2026-03-02] Ada is moving a harpsichord; Ada visited the mint museum.'],
  buckets: { preferences: ['[Summary] Ada prefers short answers; Ada prefers tea.'] },
};

/** However busy the machine is, sooner or later it is told so. */
const summed = (tag: string, expected: Partial<Sections> = SUMMED, ...more: [object?, object?]) =>
  expect.poll(() => profile(tag, ...more), { timeout: 10_000 }).toMatchObject(expected);

const aboutAda = async (): Promise<string> => {
  const tag = api.newTag();
  await create(api, tag, KNOWN);
  return tag;
};

describe('a profile with a language model', () => {
  verifies(
    'profile:summary:model',
    'a profile with a language model is told in its words, each line marked as it has to be',
    async () => {
      const tag = await aboutAda();
      chat.always(answering(summing));
      await summed(tag);
      const shorter = await api.ask<{ profile: Partial<Sections> }>(
        'GET',
        `/v3/container-tags/${tag}/profile`,
      );
      expect(shorter.body.profile).toEqual({ static: SUMMED.static, dynamic: SUMMED.dynamic });
    },
  );

  verifies(
    'profile:summary:cached',
    'a profile with a language model is asked for once, until something is written',
    async () => {
      const tag = await aboutAda();
      chat.always(answering(summing));
      const asked = await chat.during(async () => {
        await summed(tag);
        for (let times = 0; times < 3; times++) expect(await profile(tag)).toEqual(SUMMED);
      });
      expect(asked.filter((one) => isSummary(questionOf(one)))).toHaveLength(1);
      await create(api, tag, [{ content: 'Ada prefers coffee.', isStatic: true }]);
      await summed(tag, {
        static: ['Ada lives in Ghent; Ada prefers coffee; Ada prefers short answers; Ada prefers tea.'],
      });
      const { memories: all } = await create(api, tag, [{ content: 'Ada prefers coffee.', isStatic: true }]);
      await api.ask('DELETE', '/v4/memories', { containerTag: tag, id: all[0]?.id });
      await summed(tag);
    },
  );

  verifies(
    'profile:summary:usage',
    'a profile with a language model counts for the tag and for the key that asked first',
    async () => {
      const tag = await aboutAda();
      chat.always(answering(summing));
      const reader = await agentKey(api, { permission: 'read', containerTags: [tag] });
      await summed(tag, SUMMED, {}, reader);
      const taken = { inputTokens: 100, outputTokens: 10 };
      const ofTag = async () => (await api.ask('GET', `/v3/container-tags/${tag}`)).body.usage;
      await expect.poll(ofTag).toEqual(taken);
      const { body } = await api.ask<{ keys: { id: string; usage: object }[] }>('GET', '/v3/auth/keys');
      expect(body.keys.find(({ id }) => id === reader.id)?.usage).toEqual(taken);
    },
  );

  verifies(
    'profile:summary:narrow',
    'a profile with a language model is made of what the filters leave alone',
    async () => {
      const tag = api.newTag();
      await create(api, tag, [
        { content: 'Ada rows.', isStatic: true, metadata: { kind: 'sport' } },
        { content: 'Ada swims.', isStatic: true, metadata: { kind: 'sport' } },
        { content: 'Ada owes money.', isStatic: true, metadata: { kind: 'private' } },
      ]);
      chat.always(answering(summing));
      const filters = { AND: [{ key: 'kind', value: 'sport' }] };
      const asked = await chat.during(() => summed(tag, { static: ['Ada swims; Ada rows.'] }, { filters }));
      expect(asked.map(questionOf).join()).not.toContain('money');
    },
  );
});

describe('a profile whose language model is of no use', () => {
  afterEach(() => api.memoir.restart());

  const cases: [string, Behaviour][] = [
    ['fails', refuse(500, 'oops')],
    ['refuses the key', refuse(401, 'no')],
    ['answers with nonsense', says({ content: 'Ada is fine.' })],
    ['will not', says({ content: null, refusal: 'No.' })],
  ];
  for (const [what, behaviour] of cases)
    verifies(
      'profile:summary:plain',
      `a profile whose language model is of no use that ${what}: in the words of the memories, and it is left alone for a while`,
      async () => {
        const tag = await aboutAda();
        chat.always(answering(behaviour));
        const asked = await chat.during(async () => {
          for (const one of [tag, tag, await aboutAda()]) expect(await profile(one)).toEqual(PLAIN);
        });
        expect(asked).toHaveLength(1);
      },
    );

  test('a profile whose language model is of no use says what rests on nothing in the words of the memories', async () => {
    const tag = await aboutAda();
    const lines = [{ text: 'Ada is the queen of Ghent.', of: [99] }];
    chat.always(answering(says({ content: JSON.stringify({ sections: [{ section: 'static', lines }] }) })));
    expect(await profile(tag)).toEqual(PLAIN);
  });

  verifies(
    'profile:summary:in-time',
    'a language model that takes its time is not waited for long, and its words are there when they come',
    async () => {
      const tag = await aboutAda();
      chat.always(answering(summing));
      using held = chat.hold(summing);
      const start = performance.now();
      expect(await profile(tag)).toEqual(PLAIN);
      expect(performance.now() - start).toBeGreaterThan(1_000);
      expect(await profile(tag)).toEqual(PLAIN);
      await held.reached;
      held.release();
      await summed(tag);
    },
  );

  verifies(
    'profile:summary:in-time',
    'what a language model that answers too late says is of yesterday and is not told',
    async () => {
      const tag = await aboutAda();
      chat.always(answering(summing));
      using held = chat.hold(summing);
      expect(await profile(tag)).toEqual(PLAIN);
      await create(api, tag, [{ content: 'Ada prefers coffee.', isStatic: true }]);
      held.release();
      for (let times = 0; times < 3; times++) expect((await profile(tag)).static.join()).toContain('coffee');
    },
  );

  test('a language model that never answers holds up no stop', async () => {
    const tag = await aboutAda();
    chat.always(answering(hang));
    expect(await profile(tag)).toEqual(PLAIN);
    await api.memoir.restart();
    expect(await profile(tag)).toEqual(PLAIN);
  });
});

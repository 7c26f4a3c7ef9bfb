// Tests of summarising profiles with a model.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createOpenAiSummariser,
  openSummariser,
} from '../../../../server/adapters/language-model/openai/summariser.ts';
import type { TokenUsage } from '../../../../server/adapters/language-model/ports/memory-reader.ts';
import type { SummaryRequest } from '../../../../server/adapters/language-model/ports/summariser.ts';
import { hang, refuse } from '../../../support/models/servers/behaving-server.ts';
import { type Behaviour, type ChatServer, says, startChatServer } from '../chat-server.ts';
import { KEY } from '../openai-fixture.ts';

const DAY = Date.UTC(2026, 2, 1);
const REQUEST: SummaryRequest = {
  facts: [
    { text: 'Ada lives in Ghent.', date: DAY },
    { text: 'Ada has a\n cat. \ud83d', date: DAY },
    { text: 'Ada prefers tea.', date: DAY },
  ],
  sections: [
    { name: 'static', about: 'what lasts', facts: [0, 1] },
    { name: 'preferences', about: 'What is preferred.', facts: [0, 2] },
  ],
};

let server: ChatServer;
beforeEach(async () => {
  server = await startChatServer(says({ content: '{"sections": []}' }));
});
afterEach(() => server.close());

const spent: TokenUsage[] = [];
const ask = (
  callLimits = { timeoutMs: 2_000, retries: { attempts: 1, firstWaitMs: 0, longestWaitMs: 0 } },
) => {
  spent.length = 0;
  const summariser = createOpenAiSummariser({
    apiKey: KEY,
    baseUrl: server.baseUrl,
    model: 'sums-1',
    callLimits,
  });
  return summariser.summarise(REQUEST, new AbortController().signal, (usage) => void spent.push(usage));
};

const section = (name: string, ...lines: object[]) => ({ section: name, lines });
const answered = (value: unknown): Behaviour => says({ content: JSON.stringify(value) });
const taken = async (behaviour: Behaviour) => {
  server.next(behaviour);
  return Object.fromEntries(await ask());
};

describe('a summary', () => {
  it('is requested with numbered facts and their sections', async () => {
    await ask();
    const question = server.asked[0]?.body.messages.at(-1)?.content;
    expect(question).toBe(
      [
        'FACTS',
        '[1] (Sunday 1 March 2026) Ada lives in Ghent.',
        '[2] (Sunday 1 March 2026) Ada has a cat. \ufffd',
        '[3] (Sunday 1 March 2026) Ada prefers tea.',
        '',
        'SECTIONS',
        'static (what lasts): 1, 2',
        'preferences (What is preferred.): 1, 3',
      ].join('\n'),
    );
    expect(server.asked[0]).toMatchObject({
      authorization: `Bearer ${KEY}`,
      body: { model: 'sums-1', response_format: { type: 'json_schema' } },
    });
    expect(spent).toEqual([{ inputTokens: 100, outputTokens: 10 }]);
  });

  it('is assigned by the names of the sections and the numbers of the facts', async () => {
    const answer = {
      sections: [
        section('static', { text: ' Ada lives in Ghent\nwith a cat. ', of: [1, 2] }),
        section('preferences', { text: 'Ada prefers tea.', of: ['3'] }),
      ],
    };
    const expected = {
      static: [{ text: 'Ada lives in Ghent with a cat.', of: [0, 1] }],
      preferences: [{ text: 'Ada prefers tea.', of: [2] }],
    };
    expect(await taken(answered(answer))).toEqual(expected);
    expect(await taken(answered(answer.sections))).toEqual(expected);
    const fenced = `Here you are:\n\`\`\`json\n${JSON.stringify(answer)}\n\`\`\``;
    expect(await taken(says({ content: fenced }))).toEqual(expected);
  });

  it('loses lines that rest on nothing, on other sections, or on invented numbers', async () => {
    const lines = [
      { text: 'Made up.', of: [] },
      { text: 'Of another section.', of: [3] },
      { text: 'Invented.', of: [7, 0, -1] },
      { text: '  ', of: [1] },
      { text: 'Half invented.', of: [2, 2, 99] },
    ];
    const answer = { sections: [section('static', ...lines), section('unknown', { text: 'x', of: [1] })] };
    expect(await taken(answered(answer))).toEqual({
      static: [{ text: 'Half invented.', of: [1] }],
      preferences: [],
    });
  });

  it.each([
    ['prose', says({ content: 'Ada is fine.' })],
    ['nothing', says({ content: null })],
    ['another form', answered({ profile: 'Ada' })],
    ['a refusal', says({ content: null, refusal: 'No.' })],
    ['an answer that breaks off', says({ content: '{"sections": [', finish: 'length' })],
  ] satisfies [string, Behaviour][])('of %s fails, and its cost is reported', async (_, behaviour) => {
    server.next(behaviour);
    await expect(ask()).rejects.toThrow('gave no usable answer');
    expect(spent).toHaveLength(1);
    expect(server.asked).toHaveLength(1);
  });

  it.each([
    ['refuses', refuse(401, 'no'), 'memory_auth'],
    ['fails', refuse(500, 'no'), 'memory_unavailable'],
    ['never answers', hang, 'memory_unavailable'],
  ] satisfies [string, Behaviour, string][])(
    'of a service that %s fails at once',
    async (_, behaviour, code) => {
      server.next(behaviour);
      const shortLimits = { timeoutMs: 100, retries: { attempts: 1, firstWaitMs: 0, longestWaitMs: 0 } };
      await expect(ask(shortLimits)).rejects.toMatchObject({ code });
      expect(server.asked).toHaveLength(1);
    },
  );

  it('is not made when no model is set', () => {
    expect(openSummariser(null)).toBeNull();
  });
});

// Tests of rewriting queries and aggregating results with a model.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createOpenAiSearchModel,
  openSearchModel,
} from '../../../../server/adapters/language-model/openai/search-model.ts';
import type { SearchModel } from '../../../../server/adapters/language-model/ports/search-model.ts';
import { refuse } from '../../../support/models/servers/behaving-server.ts';
import { type Behaviour, type ChatServer, says, startChatServer } from '../chat-server.ts';

let server: ChatServer;
let model: SearchModel;
beforeAll(async () => {
  server = await startChatServer(says({ content: '{}' }));
  model = createOpenAiSearchModel({ model: 'searcher', apiKey: 'sk-secret', baseUrl: server.baseUrl });
});
afterAll(() => server.close());

const never = new AbortController().signal;
const today = Date.UTC(2024, 4, 7);
const saying = (value: unknown) =>
  server.next(says({ content: typeof value === 'string' ? value : JSON.stringify(value) }));
const asked = () =>
  server.asked
    .at(-1)
    ?.body.messages.map(({ content }) => content)
    .join('\n') ?? '';

const rewrite = (query: string, most = 3) => model.rewrite(query, { most, today }, never);

describe('rewording a query', () => {
  test('sends one request, with the current day and the number of wordings', async () => {
    saying({ queries: ['Where does Ada live?', 'moved to a new city'] });
    expect(await rewrite('Did Ada move yesterday?', 2)).toEqual([
      'Where does Ada live?',
      'moved to a new city',
    ]);
    expect(asked()).toContain('at most 2 other searches');
    expect(asked()).toContain('TODAY\nTuesday 7 May 2024');
    expect(asked()).toContain('QUERY\nDid Ada move yesterday?');
    expect(server.asked).toHaveLength(1);
  });

  test('uses each wording once, and neither the query itself nor a wording that is too long', async () => {
    const long = 'word '.repeat(200);
    saying({ queries: ['Tea?', ' tea? ', 'green\n tea', 'TEA', '', long, 'cups', 'pots'] });
    expect(await rewrite('tea')).toEqual(['Tea?', 'green tea', 'cups']);
  });

  test('accepts a bare list, and an answer inside thoughts and fences', async () => {
    saying('<think>hm [1]</think>Sure!\n```json\n["a b", "c d"]\n```');
    expect(await rewrite('q')).toEqual(['a b', 'c d']);
    saying({ queries: [] });
    expect(await rewrite('q')).toEqual([]);
  });
});

describe('aggregating results', () => {
  const findings = [
    { text: 'Ada lives in Lyon.', date: null },
    { text: 'Lyon is in France.', date: today },
  ];
  const combine = () => model.combine('Where does Ada live?', findings, { most: 2 }, never);

  test('numbers the results, with their dates, and keeps statements that rest on two of them', async () => {
    saying({
      statements: [
        { statement: 'Ada lives in  France.', from: [1, 2] },
        { statement: 'Ada lives in Lyon.', from: [1] },
        { statement: 'Ada likes wine.', from: [7, 9] },
        { statement: '', from: [1, 2] },
      ],
    });
    expect(await combine()).toEqual([{ statement: 'Ada lives in France.', from: [0, 1] }]);
    expect(asked()).toContain('[1] Ada lives in Lyon.\n[2] (Tuesday 7 May 2024) Lyon is in France.');
  });

  test('yields nothing when the model finds nothing', async () => {
    saying({ statements: [] });
    expect(await combine()).toEqual([]);
  });
});

describe('a model that fails', () => {
  test.each<[string, Behaviour, RegExp]>([
    ['refuses the key', refuse(401, 'sk-secret is wrong'), /could not be asked. Check OPENAI_MODEL/],
    ['is busy', refuse(429, 'slow down'), /does not answer now/],
    ['breaks', refuse(500, 'oh'), /does not answer now/],
    ['takes no such length', refuse(400, 'maximum context length is 10'), /no question of this length/],
    ['talks', says({ content: 'I think so.' }), /no usable answer/],
    ['answers in another form', says({ content: '{"queries": "tea"}' }), /no usable answer/],
    ['will not', says({ content: null, refusal: 'No.' }), /no usable answer/],
  ])('because it %s is reported in a sentence without a secret', async (_how, behaviour, sentence) => {
    server.next(behaviour);
    const error = await rewrite('q').catch((reason: unknown) => reason);
    expect(String(error)).toMatch(sentence);
    expect(String(error)).not.toContain('sk-secret');
  });

  test('is left when the caller aborts', async () => {
    const arrived = Promise.withResolvers<void>();
    server.next(() => arrived.resolve());
    const stop = new AbortController();
    const rewritten = model.rewrite('q', { most: 2, today }, stop.signal);
    const refused = expect(rewritten).rejects.toThrow('time is up');
    await arrived.promise;
    stop.abort(new Error('time is up'));
    await refused;
  });

  test('does not exist without a configuration', () => expect(openSearchModel(null)).toBeNull());
});

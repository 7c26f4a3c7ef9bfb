// Tests of reading memories with a model.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type {
  ReadRequest,
  TokenUsage,
} from '../../../../server/adapters/language-model/ports/memory-reader.ts';
import { refuse } from '../../../support/models/servers/behaving-server.ts';
import { type ChatServer, memories, replaying, says, startChatServer } from '../chat-server.ts';
import { readerContract } from '../contract.ts';
import { KEY, readerBefore } from '../openai-fixture.ts';
import { RECORDED } from '../recorded.ts';
import { known, request, turn, turns } from '../requests.ts';

readerContract('the reader by a model', async () => {
  const server = await startChatServer(replaying(RECORDED));
  return { reader: readerBefore(server), close: server.close };
});

readerContract('the reader by a model that knows no schema and likes to talk', async () => {
  const server = await startChatServer((response, asked) =>
    asked.body.response_format
      ? refuse(400, `response_format ${asked.body.response_format.type} is not supported`)(response, asked)
      : replaying(RECORDED)(response, asked),
  );
  return { reader: readerBefore(server), close: server.close };
});

let server: ChatServer;
beforeEach(async () => {
  server = await startChatServer(memories());
});
afterEach(() => server.close());

const read = async (more: Partial<ReadRequest>, options = {}) =>
  (await readerBefore(server, options).read(request(more))).memories;

const prompt = (at = 0): string =>
  server.asked[at]?.body.messages.map(({ content }) => content).join('\n') ?? '';
const live = turns(['Anna', 'I live in Berlin.']);

describe('a request to the model', () => {
  it('is one chat request with the key and a schema for the answer', async () => {
    await read({ fresh: live });
    expect(server.asked).toHaveLength(1);
    expect(server.asked[0]).toMatchObject({
      path: '/v1/chat/completions',
      authorization: `Bearer ${KEY}`,
      body: { model: 'reads-1', response_format: { type: 'json_schema' } },
    });
  });

  it('contains no key when none is set', async () => {
    await read({ fresh: live }, { apiKey: undefined });
    expect(server.asked[0]?.authorization).toBeUndefined();
  });

  it("contains the date, the title, the owner's wishes and the known memories by short numbers, and no ids of ours", async () => {
    await read({
      fresh: live,
      title: 'Plans',
      guidance: {
        entityContext: ['Anna is a nurse.'],
        workspacePrompt: 'A family kitchen.',
        filterPrompt: 'Remember meals.',
        includeItems: ['recipes'],
        excludeItems: ['salaries'],
        categories: ['allergies'],
      },
      known: [known('secretid123', 'Anna has a dog')],
    });
    for (const words of [
      'Monday 8 May 2023',
      '"Plans"',
      'Anna is a nurse.',
      'A family kitchen.',
      'Remember meals.',
      '- recipes',
      '- salaries',
      '- allergies',
    ])
      expect(prompt()).toContain(words);
    expect(prompt()).toContain('1. Anna has a dog (static)');
    expect(prompt()).toContain('[1] Anna: I live in Berlin.');
    expect(prompt()).not.toContain('secretid123');
  });

  it('contains earlier turns only as context, the nearest of them', async () => {
    const around = Array.from({ length: 30 }, (_, at) =>
      turn('Bob', `Word ${at} of before.`, { position: at }),
    );
    await read({ fresh: [turn('Anna', 'Yes, I am.', { position: 30 })], around });
    expect(prompt()).toMatch(
      /CONTEXT\nBob: Word 22 of before\.[\s\S]*Bob: Word 29 of before\.\n\nNEW\n\[1\] Anna: Yes, I am\./,
    );
    expect(prompt()).not.toContain('Word 21');
  });

  it('is split for a long text, and each part knows the memories of the parts before', async () => {
    server.next(
      memories({ memory: 'Anna lives in Berlin', kind: 'new', static: true, from: [1] }),
      memories({ memory: 'Anna moved to Munich', kind: 'updates', of: [1], static: true, from: [1] }),
    );
    const fresh = turns(['Anna', `I live in Berlin. ${'So. '.repeat(30)}`], ['Anna', 'I moved to Munich.']);
    const drawn = await read({ fresh }, { limits: { charactersPerCall: 100 } });
    expect(server.asked.length).toBeGreaterThan(1);
    expect(prompt(1)).toContain('1. Anna lives in Berlin (static');
    expect(drawn[1]?.relations).toEqual([{ kind: 'updates', to: { drawn: 0 } }]);
  });

  it('is well-formed for any text', async () => {
    await read({ fresh: turns(['Anna', 'half \ud83d a character']) });
    expect(prompt()).toContain('half \ufffd a character');
  });
});

describe('an answer of the model', () => {
  const m1 = known('m1', 'Anna lives in Berlin', { slot: 'anna/home' });

  it('is used without numbers that the model invents', async () => {
    server.next(
      memories(
        { memory: 'Anna moved to Munich', kind: 'updates', of: [7, 1, -3], from: [99] },
        { memory: 'Anna likes tea', kind: 'extends', of: [12], from: [] },
      ),
    );
    const drawn = await read({ fresh: live, known: [m1] });
    expect(drawn[0]).toMatchObject({ relations: [{ kind: 'updates', to: { known: 'm1' } }], positions: [0] });
    expect(drawn[1]).toMatchObject({ memory: 'Anna likes tea', relations: [], positions: [0] });
  });

  it('may let a later memory replace an earlier one of the same answer', async () => {
    server.next(
      memories(
        { memory: 'Anna likes tea', kind: 'new' },
        { memory: 'Anna moved to Munich', kind: 'updates', of: [1] },
        { memory: 'Anna moved to Rome', kind: 'updates', of: [3] },
      ),
    );
    const drawn = await read({ fresh: live, known: [m1] });
    expect(drawn.map(({ relations }) => relations.map(({ to }) => to))).toEqual([
      [],
      [{ known: 'm1' }],
      [{ drawn: 1 }],
    ]);
  });

  it('separates conclusions from statements', async () => {
    server.next(
      memories({ memory: 'Anna may be German', kind: 'derives', of: [1], inferred: true, from: [1] }),
    );
    expect(await read({ fresh: live, known: [m1] })).toMatchObject([
      { isInference: true, relations: [{ kind: 'derives', to: { known: 'm1' } }] },
    ]);
  });

  it('gets the positions of statements that the model leaves out', async () => {
    server.next(memories({ memory: 'Anna has a green parrot' }));
    const fresh = turns(['Anna', 'Hello.'], ['Anna', 'We bought a green parrot.'], ['Bob', 'Nice.']);
    expect(await read({ fresh })).toMatchObject([{ positions: [1] }]);
  });

  it.each([
    ['in a fence', '```json\n{"memories": [{"memory": "Anna lives in Berlin"}]}\n```'],
    ['behind thoughts', '<think>{"memories": 1}</think>{"memories": [{"memory": "Anna lives in Berlin"}]}'],
    ['within a sentence', 'Here it is: {"memories": [{"memory": "Anna lives in Berlin"}]} Anything else?'],
    ['as a bare list', '[{"memory": "Anna lives in Berlin"}]'],
    [
      'with odd members',
      '{"memories": [{"memory": " Anna  lives in\\nBerlin ", "kind": "NEW!", "of": "1", "dates": null, "forgetAfter": 3}]}',
    ],
  ])('is read when it is %s', async (_, content) => {
    server.next(says({ content }));
    expect(await read({ fresh: live })).toMatchObject([{ memory: 'Anna lives in Berlin', relations: [] }]);
    expect(server.asked).toHaveLength(1);
  });

  it('is used without statements that are empty or endless', async () => {
    server.next(memories({ memory: '  ' }, { memory: 'x'.repeat(5000) }, { memory: 'Anna lives in Berlin' }));
    expect((await read({ fresh: live })).map(({ memory }) => memory)).toEqual(['Anna lives in Berlin']);
  });

  it('gets the slots of the rules for its statements, so that both readers agree', async () => {
    server.next(memories({ memory: 'Anna lives in Berlin', static: true }));
    expect(await read({ fresh: live })).toMatchObject([{ slot: 'anna/home' }]);
  });

  it('costs tokens, usable or not, and each answer is counted', async () => {
    const spent: TokenUsage[] = [];
    const spending = (usage: TokenUsage) => void spent.push(usage);
    server.next(says({ content: 'no' }));
    await readerBefore(server).read(request({ fresh: live }), { reportTokens: spending });
    server.next(says({ content: 'no' }), says({ content: 'No!' }));
    const useless = readerBefore(server).read(request({ fresh: live }), { reportTokens: spending });
    await expect(useless).rejects.toThrow('no usable answer');
    expect(spent).toEqual(Array(4).fill({ inputTokens: 100, outputTokens: 10 }));
  });

  it('yields a limited number of memories for a document', async () => {
    server.next(
      memories(...Array.from({ length: 50 }, (_, at) => ({ memory: `Fact number ${at} is here` }))),
    );
    const drawn = await read({ fresh: live, conversation: false }, { limits: { memoriesPerDocument: 10 } });
    expect(drawn).toHaveLength(10);
  });
});

describe('a server with fewer features', () => {
  const noFormat = (type: string) => refuse(400, `'response_format' of type ${type} is not supported`);

  it('gets requests for any JSON when it knows no schema, and for none when it knows neither, and this is remembered', async () => {
    const reader = readerBefore(server);
    server.next(noFormat('json_schema'), noFormat('json_object'));
    await reader.read(request({ fresh: live }));
    await reader.read(request({ fresh: live }));
    expect(server.asked.map(({ body }) => body.response_format?.type)).toEqual([
      'json_schema',
      'json_object',
      undefined,
      undefined,
    ]);
  });
});

describe('a title and a summary', () => {
  const outlined = (more: object = {}) =>
    says({
      content: JSON.stringify({ title: 'Moves', summary: 'Anna moves\nto Berlin.', memories: [], ...more }),
    });
  const readOutline = async (more: Partial<ReadRequest>, options = {}) =>
    (await readerBefore(server, options).read(request(more))).outline;
  const long = turns(...Array.from({ length: 6 }, (_, at) => ['Anna', `I walk ${at} miles.`] as const));

  it('are asked for with the first part of a text that is read from its start', async () => {
    server.next(outlined());
    const outline = await readOutline(
      { fresh: long, fromStart: true },
      { limits: { charactersPerCall: 40 } },
    );
    expect(outline).toEqual({ title: 'Moves', summary: 'Anna moves to Berlin.' });
    expect(server.asked.length).toBeGreaterThan(1);
    expect(server.asked.map((_, at) => prompt(at).includes('"summary"'))).toEqual(
      server.asked.map((_, at) => at === 0),
    );
  });

  it('are not asked for, and not taken, where the text began before', async () => {
    server.next(outlined());
    expect(await readOutline({ fresh: live })).toBeUndefined();
    expect(prompt()).not.toContain('"summary"');
  });

  it('are cut at the end of a word, and left out if one is missing or says what the owner excluded', async () => {
    server.next(outlined({ title: 'word '.repeat(40), summary: 'word '.repeat(100) }));
    const outline = await readOutline({ fresh: live, fromStart: true });
    expect(outline?.title).toMatch(/^(?:word )+word…$/);
    expect(outline?.title.length).toBeLessThanOrEqual(80);
    expect(outline?.summary.length).toBeLessThanOrEqual(300);
    server.next(outlined({ summary: ' ' }));
    expect(await readOutline({ fresh: live, fromStart: true })).toBeUndefined();
    server.next(outlined({ summary: 'Her salary is high.' }));
    const guidance = { ...request().guidance, excludeItems: ['salary'] };
    expect(await readOutline({ fresh: live, fromStart: true, guidance })).toBeUndefined();
  });
});

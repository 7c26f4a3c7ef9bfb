// A document that is deleted in the middle of any step leaves nothing: no row, no word, no vector, in SQL and in Chroma.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Behaviour, Received } from '../adapters/embed/embeddings-server.ts';
import { memories } from '../adapters/language-model/chat-server.ts';
import { type OwnMemoir, startMemoir } from '../support/memoir.ts';
import { until } from '../support/until.ts';
import { heldNumbers } from './support/chroma.ts';
import { pendingIn, unitNumbers } from './support/database.ts';
import { type ExternalChroma, startExternalChroma } from './support/external-chroma.ts';
import { placesOf, straysIn, vectorNumbers } from './support/left.ts';
import { search, textsOf } from './support/memoir.ts';
import { byModel, type Paid, startPaid } from './support/paid.ts';

const KEPT = 'qzkeptzq';

let chroma: ExternalChroma;
let paid: Paid;
let memoir: OwnMemoir;

/** The service in front of the models waits for this before it answers, and counts its requests. */
const gate = { embedding: Promise.resolve(), reading: Promise.resolve() };
const asked = { embedding: 0, reading: 0 };

/** Draws one memory from whatever it is asked about. */
const read = (response: Parameters<Behaviour>[0], request: Received) => {
  const [word = 'nothing'] = /qz\w+zq/.exec(JSON.stringify(request.body)) ?? [];
  const drawn = { memory: `Ada keeps ${word} in a drawer`, kind: 'new', of: [], static: true, from: [1] };
  return memories(drawn)(response, { ...request, body: { model: request.body.model, messages: [] } });
};

const models: Behaviour = async (response, request) => {
  const kind = request.path.endsWith('/embeddings') ? 'embedding' : 'reading';
  asked[kind] += 1;
  await gate[kind];
  await (kind === 'embedding' ? byModel(response, request) : read(response, request));
};

/** Shuts it; the answer opens it again. */
const hold = (kind: keyof typeof gate): (() => void) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  gate[kind] = promise;
  return resolve;
};

beforeAll(async () => {
  chroma = await startExternalChroma();
  paid = await startPaid();
  paid.server.always(models);
  const env = { ...paid.env('meaning-1'), OPENAI_MODEL: 'reads-1', CHROMA_URL: chroma.door.url };
  memoir = await startMemoir(env);
  const { id } = await memoir.add({ content: `user: Ada keeps ${KEPT}.` });
  await memoir.remembered(id);
});
afterAll(async () => {
  await memoir.close();
  await paid.close();
  await chroma.close();
});

const stepOf = async (id: string) => (await memoir.ask('GET', `/v3/documents/${id}`)).body.step;

const sentence = (word: string) => `user: Ada keeps ${word} in a drawer.`;

/** So long that it takes its time to read. */
const page = (word: string) =>
  `<html><head><title>${word}</title></head><body><article>${`<p>Ada keeps ${word} in a drawer, and more.</p>`.repeat(20_000)}</article></body></html>`;

interface Moment {
  content: (word: string) => string;
  /** Does not answer until the document is deleted. */
  holds?: keyof typeof gate;
  /** Resolves in the middle of it. */
  reached: (id: string, before: typeof asked) => Promise<unknown>;
}

const isRemembered = async (id: string) => {
  await memoir.remembered(id);
  await until('its vectors to be handed over', () => pendingIn(memoir.dir) === 0);
};

const MOMENTS: Record<string, Moment> = {
  'before it is looked at': { content: sentence, reached: async () => undefined },
  'while its text is extracted': {
    content: page,
    reached: (id) => until('the extraction', async () => (await stepOf(id)) === 'extracting'),
  },
  'while it is embedded': {
    content: sentence,
    holds: 'embedding',
    reached: (_id, before) => until('the embedding', () => asked.embedding > before.embedding),
  },
  'while memories are drawn from it': {
    content: sentence,
    holds: 'reading',
    reached: (_id, before) => until('the reading', () => asked.reading > before.reading),
  },
  'when it is remembered': { content: sentence, reached: isRemembered },
};

/** Until what is left is what should be, and the same in SQL and in Chroma. */
const expectNothingOf = async (word: string): Promise<void> => {
  await until(`no place that holds ${word}`, () => placesOf(memoir.dir, word).length === 0).catch((cause) => {
    throw new Error(`${word} is left in ${placesOf(memoir.dir, word)}`, { cause });
  });
  await until('everything to be handed over', () => pendingIn(memoir.dir) === 0);
  expect(straysIn(memoir.dir)).toEqual([]);
  const units = unitNumbers(memoir.dir);
  expect(vectorNumbers(memoir.dir)).toEqual(units);
  expect(await heldNumbers(chroma.url())).toEqual(units);
  for (const searchMode of ['keyword', 'semantic', 'memories', 'documents']) {
    const found = await search(memoir, word, { searchMode, include: { forgottenMemories: true } });
    expect(textsOf(found).filter((text) => text.includes(word))).toEqual([]);
  }
};

let words = 0;

const deleteIn = async ({ content, holds, reached }: Moment, whileStopped: boolean): Promise<string> => {
  const word = `qz${words++}zq`;
  const before = { ...asked };
  const release = holds === undefined ? () => undefined : hold(holds);
  try {
    const body = {
      content: content(word),
      dreaming: 'instant',
      metadata: { of: word },
      customId: `c ${word}`,
    };
    const added = await memoir.ask<{ id: string }>('POST', '/v3/documents', body);
    await reached(added.body.id, before);
    if (whileStopped) chroma.door.shut();
    expect((await memoir.ask('DELETE', `/v3/documents/${added.body.id}`)).status).toBe(204);
  } finally {
    release();
  }
  return word;
};

const moments = Object.entries(MOMENTS);

describe('a document that is deleted', () => {
  test.each(moments)('a document that is deleted, %s, leaves nothing in any index', async (_when, moment) => {
    await expectNothingOf(await deleteIn(moment, false));
  });

  test.each(moments)(
    'a document that is deleted, %s, while Chroma is stopped, leaves nothing once it is back',
    async (_when, moment) => {
      const word = await deleteIn(moment, true);
      await until('its rows to be erased', () => placesOf(memoir.dir, word).length === 0);
      chroma.door.open();
      await expectNothingOf(word);
    },
  );

  test('a document that is deleted leaves what others hold', async () => {
    expect(placesOf(memoir.dir, KEPT)).toEqual(
      expect.arrayContaining(['chunks', 'memories', 'chunk_words', 'memory_words']),
    );
    expect(textsOf(await search(memoir, KEPT, { searchMode: 'memories' }))[0]).toContain(KEPT);
  });
});

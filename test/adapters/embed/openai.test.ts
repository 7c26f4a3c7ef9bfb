// Tests of the requests to an embedding service.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type OpenAiOptions,
  openAiEmbedder,
  openOpenAiEmbedder,
} from '../../../server/adapters/embed/openai.ts';
import { embedderContract, embedOne, passage } from './contract.ts';
import { type Behaviour, type EmbeddingsServer, slowly, startEmbeddingsServer } from './embeddings-server.ts';
import { embedderBefore, KEY } from './openai-fixture.ts';

embedderContract(openAiEmbedder, async () => {
  const server = await startEmbeddingsServer();
  const embedding = { apiKey: KEY, baseUrl: server.baseUrl, model: 'meaning-1' };
  return { settings: { embedding }, close: server.close };
});

let server: EmbeddingsServer;
beforeEach(async () => {
  server = await startEmbeddingsServer();
});
afterEach(() => server.close());

const embedderOf = (more: Partial<OpenAiOptions> = {}) => embedderBefore(server, more);

const inputs = (): string[][] => server.received.map(({ body }) => body.input);

describe('a request for embeddings', () => {
  it('contains the model, the text and the format of plain numbers, with the key', async () => {
    await embedOne(embedderOf(), passage('a turn'));
    expect(server.received).toEqual([
      {
        path: '/v1/embeddings',
        authorization: `Bearer ${KEY}`,
        body: { model: 'meaning-1', input: ['a turn'], encoding_format: 'float' },
      },
    ]);
  });

  it('contains no key when none is set', async () => {
    await embedOne(embedderOf({ apiKey: undefined }), passage('a turn'));
    expect(server.received[0]?.authorization).toBeUndefined();
  });

  it('names the dimensions only when they are configured', async () => {
    const embedder = await openOpenAiEmbedder({
      baseUrl: server.baseUrl,
      model: 'meaning-1',
      dimensions: 64,
    });
    expect(server.received).toHaveLength(0);
    expect(await embedOne(embedder, passage('a turn'))).toHaveLength(64);
    expect(server.received[0]?.body.dimensions).toBe(64);
  });

  it('is preceded by one request to learn the dimensions when they are not configured', async () => {
    const embedder = await openOpenAiEmbedder({ baseUrl: server.baseUrl, model: 'meaning-1' });
    expect(embedder.space).toEqual({ embedder: 'openai', model: 'meaning-1', dimensions: 256 });
    expect(server.received).toHaveLength(1);
    await embedOne(embedder, passage('a turn'));
    expect(server.received[1]?.body).not.toHaveProperty('dimensions');
  });

  it('contains the passage below its date, speaker, title and previous turn, and nothing that comes after', async () => {
    await embedOne(
      embedderOf(),
      passage('Yes.', {
        date: 'Monday 8 May 2023',
        speaker: 'Ann',
        title: 'Plans',
        previous: ['Swimming?', 'Hello.'],
        next: ['Good.'],
      }),
    );
    await embedOne(embedderOf(), passage('Alone.', { speaker: 'Ann' }));
    expect(inputs()).toEqual([['Monday 8 May 2023 — Ann\nPlans\nSwimming?\nYes.'], ['Ann\nAlone.']]);
  });

  it('is cut between characters, the context first', async () => {
    const embedder = embedderOf({ limits: { charactersPerPassage: 10 } });
    await embedOne(embedder, passage('seven77', { previous: ['😀😀'] }));
    await embedOne(embedder, passage('exactly ten', { previous: ['dropped'] }));
    await embedOne(embedder, passage('😀'.repeat(20), { previous: ['dropped'] }));
    await embedder.embedQuery(`${'q'.repeat(9)}😀`);
    expect(inputs().flat()).toEqual(['😀\nseven77', 'exactly te', '😀'.repeat(5), 'q'.repeat(9)]);
  });

  it('is never empty nor invalid Unicode, because the protocol refuses both', async () => {
    await embedderOf().embed([passage(''), passage(' \n'), passage('half \ud83d')]);
    expect(inputs()).toEqual([['.', '.', 'half \ufffd']]);
  });

  it('is split by count and by characters', async () => {
    const limited = embedderOf({
      limits: { passagesPerCall: 3, charactersPerPassage: 100, parallelCalls: 1 },
      charactersPerCall: 25,
    });
    const texts = ['a', 'b', 'c', 'd', 'e'.repeat(20), 'f'.repeat(20), 'g'.repeat(40), 'h'];
    await limited.embed(texts.map((text) => passage(text)));
    expect(inputs().map((input) => input.map((text) => text[0]).join(''))).toEqual([
      'abc',
      'de',
      'f',
      'g',
      'h',
    ]);
  });

  it('is reported when its answer arrives', async () => {
    const told: number[] = [];
    const embedder = embedderOf({ limits: { passagesPerCall: 2, parallelCalls: 1 } });
    const passages = ['a', 'b', 'c', 'd', 'e'].map((text) => passage(text));
    await embedder.embed(passages, undefined, (count) => told.push(count));
    expect(told).toEqual([2, 2, 1]);
  });

  it('is one of at most the allowed number at the same time', async () => {
    server.next(...Array<Behaviour>(8).fill(slowly));
    const limited = embedderOf({ limits: { passagesPerCall: 1, parallelCalls: 3 } });
    await limited.embed(Array.from({ length: 8 }, (_, at) => passage(`turn ${at}`)));
    expect(server.received).toHaveLength(8);
    expect(server.mostAtOnce()).toBe(3);
  });
});

describe('invalid settings', () => {
  it.each(['localhost:11434', 'ftp://127.0.0.1/v1', 'not an address'])(
    'are refused at once: %s',
    (baseUrl) => {
      expect(() => embedderOf({ baseUrl })).toThrow(/OPENAI_BASE_URL is no web address/);
      const settings = { address: 'MEMOIR_EMBEDDING_URL', key: 'MEMOIR_EMBEDDING_API_KEY' };
      expect(() => embedderOf({ baseUrl, settings })).toThrow(/MEMOIR_EMBEDDING_URL is no web address/);
    },
  );

  it('are refused when the address contains a password, which the error does not repeat', () => {
    const attempt = () => embedderOf({ baseUrl: 'http://ann:hunter2@127.0.0.1/v1' });
    expect(attempt).toThrow(/put the key into OPENAI_API_KEY/);
    expect(attempt).not.toThrow(/hunter2/);
  });
});

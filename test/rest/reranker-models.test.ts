// Models for reranking on the machine of the server, over REST: a tiny one from a hub on loopback, run by the real packages.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { verifies } from '../spec/verifies.ts';
import { type OwnMemoir, startMemoir } from '../support/memoir.ts';
import { type Hub, startHub } from '../support/models/hub.ts';
import { addRuntime } from '../support/models/runtime.ts';
import { describeModel } from '../support/models/tiny-model.ts';
import { tinyRerankerFiles, tinyRerankerRow } from '../support/models/tiny-reranker.ts';
import { until } from '../support/until.ts';

interface ListedModel {
  name: string;
  for: string;
  dimensions: number | null;
  installed: boolean;
  serves: boolean;
  trouble: string | null;
}

interface Found {
  results: { id: string; chunk: string; similarity: number }[];
  notes?: { about: string; message: string }[];
}

const QUERY = 'ferry to the island';
/** The model counts shared words and prefers this note; words and meaning prefer a shorter one. */
const MANY_SHARED =
  'Mara told us about the weather, about the harbour and the long way to the old house; the way to the island goes by the ferry, and the ferry to the island is old, and the island is far.';
const NOTES = [
  'The ferry to the island sails at noon.',
  'Ferry to the island.',
  MANY_SHARED,
  'A lighthouse.',
];

let hub: Hub;
let memoir: OwnMemoir;
let folder: string;
beforeAll(async () => {
  hub = await startHub();
  folder = mkdtempSync(join(tmpdir(), 'memoir-rest-rerankers-'));
  await addRuntime(folder);
  describeModel(folder, tinyRerankerRow({ mostTokens: 512 }));
  const { weights, tokenizer } = tinyRerankerFiles([...NOTES, QUERY], { mostTokens: 512 });
  hub.put('/memoir/tiny-reranker/resolve/main/onnx/model_quantized.onnx', { content: weights, etag: '"w"' });
  hub.put('/memoir/tiny-reranker/resolve/main/tokenizer.json', { content: tokenizer, etag: '"t"' });
  memoir = await startMemoir({ MEMOIR_MODEL_HUB: hub.url, MEMOIR_MODELS_DIR: folder });
  for (const content of NOTES) await memoir.add({ content, containerTag: 'coast', taskType: 'superrag' });
});
afterAll(async () => {
  await memoir.close();
  await hub.close();
  rmSync(folder, { recursive: true });
});

const listed = async (name: string): Promise<ListedModel | undefined> => {
  const { body } = await memoir.ask<{ models: ListedModel[] }>('GET', '/v3/models');
  return body.models.find((model) => model.name === name);
};

const use = (name: string, body: object = {}) =>
  memoir.ask<{ error?: string; chosen?: object; reindexNeeded?: boolean; reindexing?: object | null }>(
    'POST',
    `/v3/models/${name}/use`,
    body,
  );

const FOR_RERANKING = { for: 'reranking' };

const search = async (more: object = {}): Promise<Found> => {
  const body = { q: QUERY, containerTag: 'coast', searchMode: 'documents', threshold: 0, window: 0, ...more };
  const answer = await memoir.ask<Found & Record<string, unknown>>('POST', '/v4/search', body);
  expect(answer.status).toBe(200);
  return answer.body;
};

const texts = ({ results }: Found): string[] => results.map(({ chunk }) => chunk);

/** The order of the model. The notes come first, because they say why a model gave none. */
const expectOrderOfModel = (found: Found): void => {
  expect(found.notes).toBeUndefined();
  expect(texts(found)[0]).toContain('Mara');
};
const sorted = ({ results }: Found) => results.toSorted((a, b) => a.id.localeCompare(b.id));

/** The usual order, and that a result changed its place by reranking. */
const usual = async (): Promise<Found> => {
  const found = await search();
  expect(texts(found)[0]).not.toContain('Mara');
  expect(found.notes).toBeUndefined();
  return found;
};

describe('models for reranking on the machine of the server', () => {
  verifies('models:list:state', 'the list says what a model is for', async () => {
    expect(await listed('msmarco-minilm')).toMatchObject({
      for: 'reranking',
      dimensions: null,
      serves: false,
    });
    expect(await listed('mmarco-multilingual')).toMatchObject({ for: 'reranking', installed: false });
    expect(await listed('minilm')).toMatchObject({ for: 'embedding', dimensions: 384 });
  });

  verifies('models:use:refused', 'a model that is not installed does not rerank', async () => {
    expect(await use('tiny-reranker')).toMatchObject({
      status: 409,
      body: {
        error: 'The model tiny-reranker is not installed. Install it first: memoir models add tiny-reranker.',
      },
    });
    expect((await search({ rerank: true })).notes?.[0]?.message).toMatch(/no reranker is set/);
  });

  verifies(
    ['models:use:reranker', 'models:add:downloads', 'search:rerank:order-alone'],
    'a chosen model orders searches with rerank at once, without a reindex, and so it does after a restart',
    async () => {
      const before = await usual();
      expect((await memoir.ask('POST', '/v3/models/tiny-reranker', {})).status).toBe(202);
      await until('the model is installed', async () => {
        const model = await listed('tiny-reranker');
        if (model?.trouble) throw new Error(model.trouble);
        return model?.installed === true;
      });
      expect(await use('tiny-reranker')).toMatchObject({
        status: 202,
        body: {
          chosen: { name: 'tiny-reranker', for: 'reranking' },
          reindexNeeded: false,
          reindexing: null,
        },
      });
      expect((await listed('tiny-reranker'))?.serves).toBe(true);
      for (const start of [async () => undefined, () => memoir.restart()]) {
        await start();
        const again = await search({ rerank: true });
        expectOrderOfModel(again);
        expect(sorted(again)).toEqual(sorted(before));
        expect((await usual()).results).toEqual(before.results);
      }
    },
  );

  verifies('search:rerank:every-search', 'a setting reranks searches that do not ask for it', async () => {
    await memoir.restart({ MEMOIR_RERANK_EVERY_SEARCH_MS: '60000' });
    expectOrderOfModel(await search());
    const { body } = await memoir.ask<{ results: { chunks: { content: string }[] }[] }>(
      'POST',
      '/v3/search',
      { q: QUERY, containerTags: ['coast'] },
    );
    expect(body.results[0]?.chunks.map(({ content }) => content).join()).toContain('Mara');
  });

  verifies(
    'search:rerank:every-search',
    'a search keeps its order where the time of the setting is over before the model is loaded',
    async () => {
      await memoir.restart();
      const { results } = await usual();
      await memoir.restart({ MEMOIR_RERANK_EVERY_SEARCH_MS: '10' });
      const hurried = await search();
      expect(hurried.results).toEqual(results);
      expect(hurried.notes).toEqual([
        {
          about: 'rerank',
          message: 'Results are in their usual order. No complete answer came within 0.01 s.',
        },
      ]);
      expectOrderOfModel(await search({ rerank: true }));
    },
  );

  verifies('models:use:reindexes', 'the embedding model stays as it is', async () => {
    const { body } = await memoir.ask<{ active: { embedder: string } }>('GET', '/v3/spaces');
    expect(body.active.embedder).toBe('builtin');
    expect(await use('builtin')).toMatchObject({
      status: 202,
      body: { chosen: { name: 'builtin', for: 'embedding' } },
    });
    expect((await listed('tiny-reranker'))?.serves).toBe(true);
  });

  verifies(
    'search:options:notes',
    'a model whose files are damaged leaves the order, and says so',
    async () => {
      await memoir.restart({}, () => writeFileSync(join(folder, 'tiny-reranker', 'tokenizer.json'), '{'));
      const before = await usual();
      const found = await search({ rerank: true });
      expect(found.results).toEqual(before.results);
      expect(found.notes?.[0]?.message).toMatch(
        /^Results are in their usual order\. The model tiny-reranker cannot rerank; .*memoir models add tiny-reranker/,
      );
      expect(found.notes?.[0]?.message).not.toContain(folder);
    },
  );

  verifies('models:use:refused', 'a service of the settings decides', async () => {
    await memoir.restart({ MEMOIR_RERANK_URL: 'http://127.0.0.1:9/rerank' });
    expect((await listed('tiny-reranker'))?.serves).toBe(false);
    for (const name of ['tiny-reranker', 'builtin'])
      expect(await use(name, FOR_RERANKING)).toMatchObject({
        status: 409,
        body: {
          error:
            'MEMOIR_RERANK_URL is set and decides. Remove it from the settings and restart Memoir, then choose a model here.',
        },
      });
  });

  verifies('models:use:refused', 'a model is refused for a purpose that is not its own', async () => {
    await memoir.restart();
    const refused: readonly [string, string, RegExp][] = [
      ['tiny-reranker', 'embedding', /^tiny-reranker is no embedding model\. /],
      ['tiny-reranker', 'chat', /^tiny-reranker is no chat model\. /],
      ['minilm', 'reranking', /^minilm is no model for reranking\. /],
      ['ollama:phi', 'reranking', /^Memoir does not rerank with servers on this machine\. /],
    ];
    for (const [name, purpose, error] of refused)
      expect(await use(name, { for: purpose })).toMatchObject({
        status: 400,
        body: { error: expect.stringMatching(error) },
      });
    expect((await listed('tiny-reranker'))?.serves).toBe(true);
  });

  verifies(
    ['models:remove:in-use', 'models:use:reranker'],
    'a model that reranks is not removed, and is after going back',
    async () => {
      await memoir.restart();
      const remove = () => memoir.ask<{ error?: string }>('DELETE', '/v3/models/tiny-reranker');
      expect(await remove()).toMatchObject({
        status: 409,
        body: {
          error:
            'Searches use the model tiny-reranker. Go back first: memoir models use builtin --for reranking.',
        },
      });
      expect(await use('builtin', FOR_RERANKING)).toMatchObject({
        status: 202,
        body: { chosen: { name: 'builtin', for: 'reranking' } },
      });
      expect((await search({ rerank: true })).notes?.[0]?.message).toMatch(/no reranker is set/);
      expect((await remove()).status).toBe(200);
      expect(await listed('tiny-reranker')).toMatchObject({ installed: false, serves: false });
    },
  );
});

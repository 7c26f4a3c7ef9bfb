// Tests of embedding models on this machine: a tiny one that the test builds, run by the real packages.
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LocalEmbedding, localEmbedder } from '../../../server/adapters/embed/local.ts';
import { requestedSpace } from '../../../server/adapters/embed/open.ts';
import { recordInstalled, useModel } from '../../../server/lib/models/model-folder.ts';
import type { RunnableRow } from '../../../server/lib/models/model-row.ts';
import { folderWithRuntime } from '../../support/models/runtime.ts';
import { tinyRow, writeTinyModel } from '../../support/models/tiny-model.ts';
import { installTinyReranker } from '../../support/models/tiny-reranker.ts';
import { CONTRACT_TEXTS, cosine, embedderContract, embedOne, passage } from './contract.ts';

const newFolder = async (): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), 'memoir-local-'));
  cpSync(join(await folderWithRuntime(), 'runtime'), join(folder, 'runtime'), { recursive: true });
  return folder;
};

const install = (folder: string, row: RunnableRow): void => {
  const path = join(folder, row.name);
  writeTinyModel(path, CONTRACT_TEXTS, row);
  const files = { [row.files.weights]: 'w', [row.files.tokenizer]: 't' };
  recordInstalled(path, { row, files, installedAt: '2026-01-01T00:00:00Z', source: 'a test' });
};

const settingsOf = (folder: string, more: Partial<LocalEmbedding> = {}) => ({
  embedding: null,
  localServers: [],
  local: { folder, setting: 'tiny', threads: 1, batchTokens: 512, ...more },
});

embedderContract(localEmbedder, async () => {
  const folder = await newFolder();
  install(folder, tinyRow());
  return {
    settings: settingsOf(folder),
    close: async () => rmSync(folder, { recursive: true }),
  };
});

describe('a model on this machine', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await newFolder();
    install(folder, tinyRow());
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('finds a text that says in other words what is asked', async () => {
    const embedder = await localEmbedder.open(settingsOf(folder));
    const query = await embedder.embedQuery('food to avoid');
    const right = await embedOne(embedder, passage('Anna is allergic to peanuts.'));
    const wrong = await embedOne(embedder, passage('Ben owns a car.'));
    expect(cosine(query, right)).toBeGreaterThan(cosine(query, wrong) + 0.1);
  });

  it('writes the prefixes of its row before the texts', async () => {
    install(folder, tinyRow({ name: 'prefixed', prefixes: { query: 'car ', passage: '' } }));
    const embedder = await localEmbedder.open(settingsOf(folder, { setting: 'prefixed' }));
    const query = await embedder.embedQuery('office');
    const plain = await embedOne(embedder, passage('office'));
    const together = await embedOne(embedder, passage('car office'));
    expect(cosine(query, together)).toBeCloseTo(1, 5);
    expect(cosine(query, plain)).toBeLessThan(0.95);
  });

  it('takes the first token alone where its row says so', async () => {
    install(folder, tinyRow({ name: 'first', pooling: 'first' }));
    const embedder = await localEmbedder.open(settingsOf(folder, { setting: 'first' }));
    const one = await embedOne(embedder, passage('office car'));
    expect(cosine(one, await embedder.embedQuery('office'))).toBeCloseTo(1, 5);
  });

  it('gives the same vectors however few tokens one step may have', async () => {
    const texts = ['office', 'a long text about a car, an office and some food to eat', ''].map((text) =>
      passage(text),
    );
    const wide = await (await localEmbedder.open(settingsOf(folder))).embed(texts);
    const narrow = await (await localEmbedder.open(settingsOf(folder, { batchTokens: 4 }))).embed(texts);
    for (const [at, vector] of wide.entries()) expect(cosine(vector, narrow[at] ?? vector)).toBeCloseTo(1, 5);
  });

  it('is used when a person chose it and the settings name no other embedder', () => {
    useModel(folder, 'embedding', 'tiny');
    const chosen = settingsOf(folder, { setting: null });
    expect(requestedSpace(chosen).embedder).toBe('local');
    expect(requestedSpace(settingsOf(folder, { setting: '' })).embedder).toBe('builtin');
    const service = { model: 'm', baseUrl: 'http://127.0.0.1:1/v1' };
    expect(requestedSpace({ ...settingsOf(folder, { setting: '' }), embedding: service }).embedder).toBe(
      'openai',
    );
    useModel(folder, 'embedding', null);
    expect(requestedSpace(chosen).embedder).toBe('builtin');
  });

  it('opens no vectors that other files made', () => {
    const { model = '', dimensions } = localEmbedder.requestedSpace(settingsOf(folder)) ?? {};
    const space = { embedder: 'local', model, dimensions: dimensions ?? 0 };
    expect(localEmbedder.openStored(settingsOf(folder), space)?.space).toEqual(space);
    install(folder, tinyRow({ pooling: 'first' }));
    expect(localEmbedder.openStored(settingsOf(folder), space)).toBeNull();
    install(folder, tinyRow());
  });

  it('says what to do when it is chosen and not installed', async () => {
    await expect(localEmbedder.open(settingsOf(folder, { setting: 'minilm' }))).rejects.toThrow(
      'The model minilm is chosen and not installed. Install it with "memoir models add minilm", or go back with "memoir models use builtin".',
    );
  });

  it('refuses a model for reranking', async () => {
    installTinyReranker(folder, ['car']);
    await expect(localEmbedder.open(settingsOf(folder, { setting: 'tiny-reranker' }))).rejects.toThrow(
      'The model tiny-reranker is for reranking and makes no vectors. Name an embedding model instead ("memoir models list" shows them), or go back with "memoir models use builtin".',
    );
  });

  it('says what to do when its files are damaged, and works again when they are whole', async () => {
    install(folder, tinyRow({ name: 'broken' }));
    writeFileSync(join(folder, 'broken', 'onnx', 'model_quantized.onnx'), 'half a file');
    const embedder = await localEmbedder.open(settingsOf(folder, { setting: 'broken' }));
    await expect(embedder.embedQuery('car')).rejects.toThrow(
      /^The model broken cannot run: .* Install it again with "memoir models add broken", or go back/,
    );
    writeTinyModel(join(folder, 'broken'), CONTRACT_TEXTS);
    expect(await embedder.embedQuery('car')).toHaveLength(64);
  });

  it('refuses a row whose dimensions do not fit its files', async () => {
    install(folder, tinyRow({ name: 'misfit', dimensions: 32 }));
    const embedder = await localEmbedder.open(settingsOf(folder, { setting: 'misfit' }));
    await expect(embedder.embedQuery('car')).rejects.toThrow(/gives vectors of 64 dimensions and not of 32/);
  });
});

// Tests of reranking with a cross-encoder on this machine.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { createCrossEncoder } from '../../../server/adapters/rerank/cross-encoder.ts';
import { writeOverlapModel } from './fixtures/overlap-model.ts';

const STAND_IN = pathToFileURL(join(import.meta.dirname, 'fixtures', 'library.ts')).href;
const REAL = '@huggingface/transformers';

const never = new AbortController().signal;
const texts = ['Ada likes green tea', 'Anna owns a big dog', 'the cat'];

const root = mkdtempSync(join(tmpdir(), 'memoir-rerank-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let folders = 0;
const folderWith = (files: Record<string, string>): string => {
  const folder = join(root, `model-${++folders}`);
  mkdirSync(join(folder, 'onnx'), { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
};
const modelFolder = (config: object = {}): string =>
  folderWith({
    'config.json': JSON.stringify({ labels: 1, delayMs: 0, ...config }),
    'tokenizer.json': '{}',
    'onnx/model_quantized.onnx': '',
    'onnx/model.onnx': '',
  });

const open = (folder: string, library = STAND_IN) => {
  const reranker = createCrossEncoder({ folder, library });
  onTestFinished(() => reranker.close());
  return reranker;
};

describe('a cross-encoder on this machine', () => {
  test('judges each text with the query, without the network', async () => {
    const [tea = 0, dog = 0, cat = 0] = await open(modelFolder()).score('Who owns the dog?', texts, never);
    expect(tea).toBe(0);
    expect(dog).toBeGreaterThan(0);
    expect(cat).toBeGreaterThan(0);
  });

  test('may answer yes and no in two numbers', async () => {
    const [tea = 0, dog = 0] = await open(modelFolder({ labels: 2 })).score('a big dog', texts, never);
    expect(dog).toBeGreaterThan(tea);
  });

  test('accepts more texts than it judges in one step', async () => {
    const many = Array.from({ length: 40 }, (_, at) => `text ${at === 33 ? 'dog' : 'cat'}`);
    const scores = await open(modelFolder()).score('dog', many, never);
    expect([scores.length, scores.findIndex((score) => score > 0)]).toEqual([40, 33]);
  });

  test('stops when its caller aborts, and refuses further calls at once when too many wait', async () => {
    const slow = open(modelFolder({ delayMs: 300 }));
    const stop = new AbortController();
    const judged = Array.from({ length: 4 }, () => slow.score('dog', texts, stop.signal));
    await expect(slow.score('dog', texts, never)).rejects.toThrow(/busy with other searches/);
    stop.abort(new Error('time is up'));
    for (const one of judged) await expect(one).rejects.toThrow('time is up');
  });
});

describe('a cross-encoder that fails', () => {
  const refusal = async (folder: string, library = STAND_IN): Promise<string> => {
    const error = await open(folder, library)
      .score('dog', texts, never)
      .catch((reason: unknown) => reason);
    if (!(error instanceof Error)) throw new Error('It was used.');
    expect(error.message, 'no path of the machine').not.toContain(root);
    return error.message;
  };

  test('because the package is missing names the package to install', async () => {
    expect(await refusal(modelFolder(), '@huggingface/not-there')).toBe(
      'Reranking on this machine needs the package @huggingface/not-there. Install it beside Memoir (npm install @huggingface/not-there), or set MEMOIR_RERANK_URL instead.',
    );
  });

  test('because the folder contains no model names the expected files', async () => {
    expect(await refusal(join(root, 'nowhere'))).toContain('MEMOIR_RERANK_FOLDER does not exist');
    expect(await refusal(folderWith({ 'config.json': '{}' }))).toContain('holds no tokenizer.json');
    expect(await refusal(folderWith({ 'config.json': '{}', 'tokenizer.json': '{}' }))).toContain(
      'holds no onnx/model.onnx',
    );
  });

  test('because the model is invalid reports it, and tries again at the next search', async () => {
    const folder = modelFolder();
    writeFileSync(join(folder, 'config.json'), 'no JSON');
    expect(await refusal(folder)).toContain('cannot be used');
    const reranker = open(folder);
    await expect(reranker.score('dog', texts, never)).rejects.toThrow(/cannot be used/);
    writeFileSync(join(folder, 'config.json'), JSON.stringify({ labels: 1, delayMs: 0 }));
    expect(await reranker.score('dog', ['dog'], never)).toEqual([1]);
  });
});

const isInstalled = (): boolean => {
  try {
    import.meta.resolve(REAL);
    return true;
  } catch {
    return false;
  }
};

test.skipIf(!isInstalled())(
  'the package itself runs a model (skipped where it is not installed)',
  async () => {
    const folder = folderWith({});
    writeOverlapModel(folder);
    expect(await open(folder, REAL).score('Who owns the dog?', texts, never)).toEqual([0, 2, 1]);
  },
);

// Tests of reranking with a model on this machine: a tiny cross-encoder, run by the real packages.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createLocalReranker, type LocalReranking } from '../../../server/adapters/rerank/local.ts';
import type { Reranker } from '../../../server/adapters/rerank/port.ts';
import { type InstalledModel, useModel } from '../../../server/lib/models/model-folder.ts';

import { addRuntime } from '../../support/models/runtime.ts';
import { tinyFiles, writeModelFiles } from '../../support/models/tiny-model.ts';
import {
  installTinyReranker,
  tinyRerankerFiles,
  tinyRerankerRow,
} from '../../support/models/tiny-reranker.ts';
import { allScores } from './all-scores.ts';

const QUERY = 'Who owns the dog?';
const TEXTS = ['Ada likes green tea.', 'Anna owns a big dog.', 'The dog sleeps where the dog eats.', 'Bees.'];

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'memoir-reranker-'));
  await addRuntime(folder);
  installTinyReranker(folder, [QUERY, ...TEXTS]);
});
afterAll(() => rmSync(folder, { recursive: true }));

const chosen = (name: string | null, more: Partial<LocalReranking> = {}) => {
  useModel(folder, 'reranking', name);
  const reranker = createLocalReranker({ folder, threads: 1, batchTokens: 512, ...more });
  onTestFinished(() => reranker.close());
  return reranker;
};

const open = (name = 'tiny-reranker', more: Partial<LocalReranking> = {}): Reranker => {
  const reranker = chosen(name, more).current();
  if (reranker === null) throw new Error('Nothing is chosen.');
  return reranker;
};

const install = (
  more: Partial<InstalledModel<'reranking'>['row']> & { name: string },
  labels: 1 | 2 = 1,
): void => installTinyReranker(folder, [QUERY, ...TEXTS], tinyRerankerRow(more), labels);

describe('a reranker on this machine', () => {
  it('scores each text together with the query', async () => {
    expect(await allScores(open(), QUERY, TEXTS)).toEqual([0, 2, 4, 0]);
  });

  it('may answer no and yes in two numbers', async () => {
    install({ name: 'two-labels' }, 2);
    expect(await allScores(open('two-labels'), QUERY, TEXTS)).toEqual([0, 2, 4, 0]);
  });

  it('gives texts of all lengths together the scores that each has alone, however small a step is', async () => {
    const texts = Array.from(
      { length: 40 },
      (_, at) => `${'the dog '.repeat(at % 7)}likes ${'tea '.repeat(at % 5)}`,
    );
    const model = open();
    const alone: number[] = [];
    for (const text of texts) alone.push(...(await allScores(model, QUERY, [text])));
    expect(new Set(alone).size).toBe(7);
    expect(await allScores(model, QUERY, texts)).toEqual(alone);
    expect(await allScores(open('tiny-reranker', { batchTokens: 8 }), QUERY, texts)).toEqual(alone);
  });

  it('cuts a pair that is longer than the model reads', async () => {
    const long = `dog ${'tea '.repeat(500)} dog`;
    expect(await allScores(open(), 'dog', [long])).toEqual([1]);
    expect(await allScores(open(), 'dog '.repeat(500), ['tea dog'])).toEqual([59]);
  });

  it('gives the scores of the first texts before it has read the others, and stops when its caller aborts', async () => {
    const stop = new AbortController();
    const scores: number[] = [];
    const asked = async () => {
      for await (const some of open().score('dog', Array(40).fill('dog'), stop.signal)) {
        scores.push(...some);
        stop.abort(new Error('time is up'));
      }
    };
    await expect(asked()).rejects.toThrow('time is up');
    expect(scores).toEqual(Array(8).fill(1));
  });

  it('refuses a search at once while too many wait, and accepts one when they are done', async () => {
    const busy = open();
    const waiting = Array.from({ length: 4 }, () => allScores(busy, 'dog', TEXTS));
    await expect(allScores(busy, 'dog', TEXTS)).rejects.toMatchObject({
      status: 503,
      message: 'The model for reranking is busy with other searches. Try again in a moment.',
    });
    await Promise.all(waiting);
    expect(await allScores(busy, 'dog', TEXTS)).toEqual([0, 1, 2, 0]);
  });

  it('counts a search whose caller went away until its call is done', async () => {
    const busy = open();
    const stop = new AbortController();
    const left = Array.from({ length: 4 }, () => allScores(busy, 'dog', TEXTS, stop.signal));
    stop.abort(new Error('gone'));
    for (const one of left) await expect(one).rejects.toThrow('gone');
    await expect(allScores(busy, 'dog', TEXTS)).rejects.toThrow(/busy with other searches/);
    await expect.poll(() => allScores(busy, 'dog', TEXTS).catch(() => null)).toEqual([0, 1, 2, 0]);
  });

  it('gives a search under way its scores when it is closed, and starts again at the next search', async () => {
    const reranker = chosen('tiny-reranker');
    const model = reranker.current();
    if (model === null) throw new Error('Nothing is chosen.');
    const underWay = allScores(model, QUERY, TEXTS);
    await reranker.close();
    expect(await underWay).toEqual([0, 2, 4, 0]);
    expect(await allScores(model, QUERY, TEXTS)).toEqual([0, 2, 4, 0]);
  });

  it('is the one that was chosen last, and none after going back', async () => {
    install({ name: 'another' });
    const reranker = chosen(null);
    expect(reranker.current()).toBeNull();
    useModel(folder, 'reranking', 'tiny-reranker');
    expect(reranker.current()?.name).toBe('local:tiny-reranker');
    expect(reranker.current()).toBe(reranker.current());
    useModel(folder, 'reranking', 'another');
    expect(reranker.current()?.name).toBe('local:another');
    useModel(folder, 'embedding', 'minilm');
    expect(reranker.current()?.name).toBe('local:another');
    useModel(folder, 'reranking', null);
    expect(reranker.current()).toBeNull();
  });
});

describe('a reranker on this machine that fails', () => {
  it('because it is not installed says what to do', async () => {
    const sentence =
      'The model msmarco-minilm is chosen and not installed. Install it with "memoir models add msmarco-minilm", or go back with "memoir models use builtin --for reranking".';
    await expect(allScores(open('msmarco-minilm'), QUERY, TEXTS)).rejects.toThrow(sentence);
  });

  it('because its files are damaged says so without a path, and works again when they are whole', async () => {
    install({ name: 'broken' });
    const weights = join(folder, 'broken', 'onnx', 'model_quantized.onnx');
    writeFileSync(weights, 'half a file');
    const reranker = open('broken');
    await expect(allScores(reranker, QUERY, TEXTS)).rejects.toThrow(
      /^The model broken cannot rerank; the log of the server says why\. Install it again with "memoir models add broken", or go back with "memoir models use builtin --for reranking"\.$/,
    );
    writeFileSync(weights, tinyRerankerFiles([QUERY, ...TEXTS]).weights);
    expect(await allScores(reranker, QUERY, TEXTS)).toEqual([0, 2, 4, 0]);
  });

  it('because its files are those of an embedding model keeps the reason for the log', async () => {
    install({ name: 'misfit' });
    writeModelFiles(join(folder, 'misfit'), tinyRerankerRow(), tinyFiles(TEXTS));
    await expect(allScores(open('misfit'), QUERY, TEXTS)).rejects.toMatchObject({
      cause: {
        message: 'The model misfit gives no score for each text: its row does not fit its files.',
      },
    });
  });

  it('does not begin for a caller that is gone', async () => {
    await expect(allScores(open(), QUERY, TEXTS, AbortSignal.abort(new Error('gone')))).rejects.toThrow(
      'gone',
    );
  });
});

// memoir models, as a person on a machine without internet uses it: install from a folder, search, go back, remove.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { CALIBRATION_CASES } from '../../server/domain/search/similarity/calibration-cases.ts';
import { addRuntime } from '../support/models/runtime.ts';
import { describeModel, tinyRow, writeModelFiles, writeTinyModel } from '../support/models/tiny-model.ts';
import { tinyRerankerFiles, tinyRerankerRow } from '../support/models/tiny-reranker.ts';
import { newPlace, type Place, run, type Server, serve } from './memoir-process.ts';

vi.setConfig({ testTimeout: 60_000 });

const CALIBRATION_TEXTS = CALIBRATION_CASES.flatMap(({ query, related, unrelated }) => [
  query,
  related,
  ...unrelated,
]);

const NOTES = ['Ferry to the island.', 'The old ferry is the ferry that goes to the far side of the island.'];

let place: Place;
let server: Server;
beforeAll(async () => {
  place = newPlace();
  const models = join(place.cwd, '.memoir', 'models');
  mkdirSync(models, { recursive: true, mode: 0o700 });
  await addRuntime(models);
  describeModel(models, tinyRow(), tinyRerankerRow());
  writeTinyModel(join(place.cwd, 'tiny-files'), ['Ben owns a red Toyota.', ...CALIBRATION_TEXTS]);
  writeModelFiles(join(place.cwd, 'reranker-files'), tinyRerankerRow(), tinyRerankerFiles(NOTES));
  server = await serve(place);
  for (const note of NOTES) await run(['add', note, '--tag', 'coast'], place);
  await run(['add', 'Ben owns a red Toyota.'], place);
});
afterAll(async () => {
  await server.stop();
  place.remove();
});

describe('memoir models, beside a server and without one', () => {
  test('a search that finds nothing names the command that helps', async () => {
    const { stdout } = await run(['search', 'which vehicle does he drive'], place);
    expect(stdout).toContain('memoir models add minilm, then memoir models use minilm');
  });

  test('list shows what there is, and that none is in use', async () => {
    const { code, stdout } = await run(['models', 'list'], place);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^minilm {2}\(24 MB, English, Apache-2\.0\) — not installed\n/);
    expect(stdout).toMatch(
      /^msmarco-minilm {2}\(24 MB, English, Apache-2\.0, for reranking\) — not installed$/m,
    );
    expect(stdout).toContain('Searches use builtin words-and-meaning-1.');
  });

  test('use before add says what to do first', async () => {
    expect(await run(['models', 'use', 'tiny'], place)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(
        'The model tiny is not installed. Install it first: memoir models add tiny.',
      ),
    });
  });

  test('add from a folder without the files says which it lacks', async () => {
    const { code, stderr } = await run(['models', 'add', 'tiny', '--from', '.'], place);
    expect(code).toBe(1);
    expect(stderr).toContain(
      'does not hold the files of the model tiny: onnx/model_quantized.onnx, tokenizer.json',
    );
  });

  test('add from a folder belongs to this machine', async () => {
    const remote = ['--url', 'http://127.0.0.1:9', '--api-key', 'sm_12345678901234567'];
    expect(await run(['models', 'add', 'tiny', '--from', '.', ...remote], place)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--from names a folder of this machine'),
    });
  });

  test('add, use, search in other words, go back, remove', async () => {
    const added = await run(['models', 'add', 'tiny', '--from', 'tiny-files'], place);
    expect(added).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('To search with it: memoir models use tiny'),
    });
    const used = await run(['models', 'use', 'tiny'], place);
    expect(used.stdout).toMatch(
      /^Done: searches now use local tiny@[0-9a-f]{8}\.\nTo go back: memoir models use builtin\n$/,
    );
    const search = ['search', 'which vehicle does he drive', '--mode', 'semantic', '--threshold', '0.1'];
    expect((await run(search, place)).stdout).toContain('Ben owns a red Toyota');
    expect((await run(['models', 'list'], place)).stdout).toMatch(
      /^tiny .* — in use\n.*\n {4}onnx\/model_quantized\.onnx {2}sha256 [0-9a-f]{64}$/m,
    );
    expect(await run(['models', 'remove', 'tiny'], place)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Searches use the model tiny. Go back first'),
    });
    expect((await run(['models', 'use', 'builtin'], place)).stdout).toBe(
      'Done: searches now use builtin words-and-meaning-1.\n',
    );
    expect((await run(['models', 'remove', 'tiny'], place)).stdout).toBe('The model tiny is removed.\n');
  });

  test('add, use, search with rerank: a model for reranking', async () => {
    const search = ['search', 'ferry to the island', '--tag', 'coast', '--rerank', '--json'];
    const added = await run(['models', 'add', 'tiny-reranker', '--from', 'reranker-files'], place);
    expect(added.stdout).toContain('To rerank with it: memoir models use tiny-reranker');
    expect((await run(search, place)).stdout).toContain('no reranker is set');
    expect(await run(['models', 'use', 'tiny-reranker'], place)).toMatchObject({
      code: 0,
      stdout:
        'Done: tiny-reranker reranks from the next search.\nTo go back: memoir models use builtin --for reranking\n',
    });
    const found = JSON.parse((await run(search, place)).stdout);
    expect(found).not.toHaveProperty('notes');
    expect(JSON.stringify(found.results[0])).toContain('old ferry');
  });

  test('doctor and list name the model for reranking', async () => {
    expect((await run(['doctor'], place)).stdout).toMatch(
      /model +builtin words-and-meaning-1, and tiny-reranker for reranking;/,
    );
    const list = await run(['models', 'list'], place);
    expect(list.stdout).toMatch(/^tiny-reranker .* for reranking\) — in use$/m);
    expect(list.stdout).toContain(
      'Searches use builtin words-and-meaning-1, and tiny-reranker for reranking.',
    );
  });

  test('without a server the commands work on the folder themselves', async () => {
    await server.stop();
    const search = ['search', 'ferry to the island', '--tag', 'coast', '--rerank', '--json'];
    const found = JSON.parse((await run(search, place)).stdout);
    expect(JSON.stringify(found.results[0])).toContain('old ferry');
    expect((await run(['models', 'use', 'builtin', '--for', 'reranking'], place)).stdout).toBe(
      'Done: no model on this machine reranks.\n',
    );
    expect((await run(['models', 'remove', 'tiny-reranker'], place)).stdout).toBe(
      'The model tiny-reranker is removed.\n',
    );
  });
});

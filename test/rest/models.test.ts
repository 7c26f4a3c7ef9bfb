// Models on the machine of the server, over REST: a tiny model from a hub on loopback, run by the real packages.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { CALIBRATION_CASES } from '../../server/domain/search/similarity/calibration-cases.ts';
import { verifies } from '../spec/verifies.ts';
import { type OwnMemoir, startMemoir } from '../support/memoir.ts';
import { type Hub, startHub } from '../support/models/hub.ts';
import { addRuntime } from '../support/models/runtime.ts';
import { describeModel, tinyFiles, tinyRow } from '../support/models/tiny-model.ts';
import { type OwnChroma, takeChroma } from '../support/on-postgres.ts';
import { until } from '../support/until.ts';

/** A model that does not tell these apart is refused as useless. */
const CALIBRATION_TEXTS = CALIBRATION_CASES.flatMap(({ query, related, unrelated }) => [
  query,
  related,
  ...unrelated,
]);

interface ListedModel {
  name: string;
  installed: boolean;
  serves: boolean;
  source: string | null;
  files: Record<string, string> | null;
  installing: object | null;
  trouble: string | null;
}

interface Spaces {
  active: { embedder: string; model: string };
  reindexing: object | null;
  reindexNeeded: boolean;
}

const NOTES = [
  'Anna is allergic to peanuts.',
  'Ben owns a red Toyota.',
  'The office is closed on Friday.',
  'Rosa sings in a choir.',
  'A fox crossed the garden.',
];

let hub: Hub;
let chroma: OwnChroma;
let memoir: OwnMemoir;
let folder: string;
beforeAll(async () => {
  hub = await startHub();
  folder = mkdtempSync(join(tmpdir(), 'memoir-rest-models-'));
  await addRuntime(folder);
  describeModel(folder, tinyRow());
  const { weights, tokenizer } = tinyFiles([...NOTES, 'food to avoid', ...CALIBRATION_TEXTS]);
  hub.put('/memoir/tiny/resolve/main/onnx/model_quantized.onnx', { content: weights, etag: '"w"' });
  hub.put('/memoir/tiny/resolve/main/tokenizer.json', { content: tokenizer, etag: '"t"' });
  chroma = await takeChroma();
  memoir = await startMemoir({ MEMOIR_MODEL_HUB: hub.url, MEMOIR_MODELS_DIR: folder, ...chroma.env });
  for (const content of NOTES) await memoir.add({ content, containerTag: 'notes' });
});
afterAll(async () => {
  await memoir.close();
  await chroma.close();
  await hub.close();
  rmSync(folder, { recursive: true });
});

const listed = async (name: string): Promise<ListedModel | undefined> => {
  const { body } = await memoir.ask<{ models: ListedModel[] }>('GET', '/v3/models');
  return body.models.find((model) => model.name === name);
};

const installed = (name: string) =>
  until(`${name} is installed`, async () => {
    const model = await listed(name);
    if (model?.trouble) throw new Error(model.trouble);
    return model?.installed === true && model.installing === null;
  });

const serves = (embedder: string) =>
  until(`${embedder} serves`, async () => {
    const { body } = await memoir.ask<Spaces>('GET', '/v3/spaces');
    return body.active.embedder === embedder && body.reindexing === null;
  });

const nearest = async (q: string): Promise<string | undefined> => {
  const body = { q, containerTag: 'notes', searchMode: 'semantic', threshold: 0, limit: 1 };
  const answer = await memoir.ask<{ results: { memory?: string; chunk?: string }[] }>(
    'POST',
    '/v4/search',
    body,
  );
  expect(answer.status).toBe(200);
  return answer.body.results[0]?.chunk ?? answer.body.results[0]?.memory;
};

describe('models on the machine of the server', () => {
  verifies(
    'models:list:state',
    'a list of models says what each is for, and that none is installed',
    async () => {
      const { status, body } = await memoir.ask<{ models: ListedModel[] }>('GET', '/v3/models');
      expect(status).toBe(200);
      expect(body.models.map(({ name }) => name)).toEqual(
        expect.arrayContaining(['minilm', 'e5-small', 'tiny']),
      );
      expect(body.models.filter((model) => model.installed || model.serves)).toEqual([]);
    },
  );

  verifies('models:use:refused', 'choosing a model that is not installed changes nothing', async () => {
    const { status, body } = await memoir.ask<{ error: string }>('POST', '/v3/models/tiny/use', {});
    expect([status, body.error]).toEqual([
      409,
      'The model tiny is not installed. Install it first: memoir models add tiny.',
    ]);
    expect((await memoir.ask<Spaces>('GET', '/v3/spaces')).body.reindexNeeded).toBe(false);
  });

  verifies(
    'models:add:downloads',
    'a model that nobody knows fails with 404 that names the others',
    async () => {
      const { status, body } = await memoir.ask<{ error: string }>('POST', '/v3/models/huge/use', {});
      expect(status).toBe(404);
      expect(body.error).toMatch(/There is no model "huge"\. There are: .*minilm.*docs\/models\.md/);
      expect((await memoir.ask('POST', '/v3/models/huge', {})).status).toBe(404);
    },
  );

  verifies('models:add:folder', 'a key may not name a folder of the machine', async () => {
    const { status, body } = await memoir.ask<{ error: string }>('POST', '/v3/models/tiny', { from: '/etc' });
    expect(status).toBe(400);
    expect(body.error).toMatch(/a folder of the machine of the server, so it is for its owner alone/);
  });

  verifies(
    'models:add:downloads',
    'a failed download is told in the list, and the next one goes on',
    async () => {
      hub.answer(404);
      expect((await memoir.ask('POST', '/v3/models/tiny', {})).status).toBe(202);
      await until('the failure is told', async () => (await listed('tiny'))?.trouble != null);
      expect((await listed('tiny'))?.trouble).toMatch(/answered 404/);
      expect((await memoir.ask('POST', '/v3/models/tiny', {})).status).toBe(202);
      await installed('tiny');
      const model = await listed('tiny');
      expect(model?.source).toBe(`${hub.url}/memoir/tiny`);
      expect(Object.values(model?.files ?? {})).toEqual([
        expect.stringMatching(/^[0-9a-f]{64}$/),
        expect.stringMatching(/^[0-9a-f]{64}$/),
      ]);
    },
  );

  verifies(
    'models:use:reindexes',
    'a chosen model finds a text without a common word, and so it does after a restart, and going back works',
    async () => {
      expect((await memoir.ask('POST', '/v3/models/tiny/use', {})).status).toBe(202);
      await serves('local');
      expect((await listed('tiny'))?.serves).toBe(true);
      expect(await nearest('food to avoid')).toContain('peanuts');
      await memoir.restart();
      expect(await nearest('which vehicle does he drive')).toContain('Toyota');
      await memoir.add({ content: 'Tom has no job.', containerTag: 'notes' });
      expect(await nearest('does Tom work')).toContain('Tom has no job');
      expect((await memoir.ask('POST', '/v3/models/builtin/use', {})).status).toBe(202);
      await serves('builtin');
      expect(await nearest('Rosa choir')).toContain('Rosa');
    },
  );

  verifies('models:use:reindexes', 'of two choices at once the later one stands', async () => {
    const choose = (name: string) => memoir.ask('POST', `/v3/models/${name}/use`, {});
    const answers = await Promise.all([choose('tiny'), choose('builtin'), choose('tiny')]);
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202]);
    await serves('local');
    await Promise.all([choose('builtin'), choose('tiny'), choose('builtin')]);
    await serves('builtin');
    expect((await memoir.ask<Spaces>('GET', '/v3/spaces')).body.reindexNeeded).toBe(false);
  });

  verifies('models:remove:in-use', 'a model that searches use is not removed, another one is', async () => {
    await memoir.ask('POST', '/v3/models/tiny/use', {});
    const refused = await memoir.ask<{ error: string }>('DELETE', '/v3/models/tiny');
    expect([refused.status, refused.body.error]).toEqual([
      409,
      'Searches use the model tiny. Go back first: memoir models use builtin; when its reindex is done, remove the model.',
    ]);
    await serves('local');
    await memoir.ask('POST', '/v3/models/builtin/use', {});
    await serves('builtin');
    expect((await memoir.ask('DELETE', '/v3/models/tiny')).status).toBe(200);
    expect((await listed('tiny'))?.installed).toBe(false);
    expect((await memoir.ask('DELETE', '/v3/models/tiny')).status).toBe(409);
  });

  verifies('models:use:refused', 'a model that the settings name is not changed by a call', async () => {
    await memoir.restart({ MEMOIR_EMBEDDING_MODEL: 'builtin' });
    const { status, body } = await memoir.ask<{ error: string }>('POST', '/v3/models/builtin/use', {});
    expect(status).toBe(409);
    expect(body.error).toMatch(
      /^MEMOIR_EMBEDDING_MODEL is "builtin" and decides\. Remove it from the settings/,
    );
  });
});

// Tests of shares of documents: while the commit of one is waited for, the next one is claimed and read.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createBuiltinEmbedder } from '../../../server/adapters/embed/builtin.ts';
import type { Pipeline } from '../../../server/domain/ingestion/pipeline.ts';
import { everything, submission } from '../../adapters/store/contract/world.ts';
import { openTestStore, type TestStore } from '../../support/store.ts';
import { until } from '../../support/until.ts';
import { createTestPipeline } from './fixtures/pipeline.ts';

const DOCUMENTS = 150;
const GRACE_MS = 50;

let world: TestStore;
let pipeline: Pipeline;
let claimed: number;
/** Commits wait until it is opened. */
let gate: PromiseWithResolvers<void>;

beforeEach(async () => {
  world = openTestStore();
  claimed = 0;
  gate = Promise.withResolvers();
  const { store, ingest } = world;
  pipeline = createTestPipeline({
    store: {
      ...ingest,
      async claim(...asked) {
        const claims = await ingest.claim(...asked);
        claimed += claims.length;
        return claims;
      },
      async commit(...given) {
        await gate.promise;
        return ingest.commit(...given);
      },
    },
    spaces: () => [],
    embedder: createBuiltinEmbedder(),
  });
  const sent = Array.from({ length: DOCUMENTS }, (_, at) => submission(`Oak ${at} dropped its acorns.`));
  await store.documents.submit(everything, sent);
  pipeline.start();
});

afterEach(async () => {
  gate.resolve();
  await pipeline.stop(1000);
  await world.close();
});

const queued = async (): Promise<number> => (await world.store.counts()).queued;

test('further shares are claimed while the first one waits for its commit', async () => {
  await until('a second share', () => claimed > 64);
  gate.resolve();
  await until('an empty queue', async () => (await queued()) === 0);
  expect(claimed).toBe(DOCUMENTS);
});

test('a stop gives back the shares that wait for a commit and the one that was claimed ahead', async () => {
  await until('a second share', () => claimed > 64);
  await pipeline.stop(GRACE_MS);
  const free = await world.ingest.claim('later', { documents: DOCUMENTS, containers: 1 });
  expect(free).toHaveLength(DOCUMENTS);
});

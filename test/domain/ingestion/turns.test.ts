// Tests that reading many documents lets other work of the thread have its turns.
import { expect, test, vi } from 'vitest';
import { createBuiltinEmbedder } from '../../../server/adapters/embed/builtin.ts';
import { everything, submission } from '../../adapters/store/contract/world.ts';
import { openTestStore } from '../../support/store.ts';
import { until } from '../../support/until.ts';
import { createTestPipeline } from './fixtures/pipeline.ts';

const DOCUMENTS = 20;

const LONG_MS = 300;

/** The turns of the thread until it is asked. */
const countTurns = () => {
  let turns = 0;
  let next = setImmediate(function turn() {
    turns++;
    next = setImmediate(turn);
  });
  return () => {
    clearImmediate(next);
    return turns;
  };
};

test('between documents that take long to read, other work has a turn', async () => {
  const { store, ingest, close } = openTestStore();
  let clock = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (clock += LONG_MS));
  let counted = () => 0;
  let turns = 0;
  const pipeline = createTestPipeline({
    store: {
      ...ingest,
      async claim(...asked) {
        const claims = await ingest.claim(...asked);
        if (claims.length === DOCUMENTS) counted = countTurns();
        return claims;
      },
      // The documents of a share are reported together once all of them are read.
      async report(news) {
        if (news.length === DOCUMENTS && turns === 0) turns = counted();
      },
    },
    spaces: () => [],
    embedder: createBuiltinEmbedder(),
  });
  const sent = Array.from({ length: DOCUMENTS }, (_, at) => submission(`Oak ${at} dropped its acorns.`));
  await store.documents.submit(everything, sent);
  pipeline.start();
  await until('an empty queue', async () => (await store.counts()).queued === 0);
  await pipeline.stop(1000);
  vi.restoreAllMocks();
  await close();
  expect(turns).toBeGreaterThanOrEqual(DOCUMENTS - 1);
});

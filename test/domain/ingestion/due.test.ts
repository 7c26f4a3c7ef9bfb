// Tests of when the pipeline looks for documents again: when one is due, and rarely where none is known.
import { afterEach, expect, test, vi } from 'vitest';
import { createBuiltinEmbedder } from '../../../server/adapters/embed/builtin.ts';
import { openTestStore } from '../../support/store.ts';
import { until } from '../../support/until.ts';
import { createTestPipeline } from './fixtures/pipeline.ts';

afterEach(() => vi.useRealTimers());

test.each<[string, number | null, number]>([
  ['a document that waits is looked for when it is due', 5_000, 5_000],
  ['a document that is overdue is looked for a moment later', -5_000, 20],
  ['a document that is due much later is looked for every half minute', 3_600_000, 30_000],
  ['where no document waits, one is looked for every half minute', null, 30_000],
])('%s', async (_name, dueInMs, looksAfterMs) => {
  const { ingest, close } = openTestStore();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  const claim = vi.fn(async () => []);
  const pipeline = createTestPipeline({
    store: { ...ingest, claim, nextDue: async () => (dueInMs === null ? null : Date.now() + dueInMs) },
    spaces: () => [],
    embedder: createBuiltinEmbedder(),
  });
  pipeline.start();
  await until(
    'the sleep after the first look',
    () => claim.mock.calls.length === 1 && vi.getTimerCount() > 0,
  );
  await vi.advanceTimersByTimeAsync(looksAfterMs - 1);
  expect(claim).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1);
  await until('the second look', () => claim.mock.calls.length === 2);
  vi.useRealTimers();
  await pipeline.stop(1_000);
  await close();
});

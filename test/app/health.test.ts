import { expect, it } from 'vitest';
import { createHealth } from '../../server/app/health.ts';

const COUNTS = { documents: 3, chunks: 9, queued: 2, failed: 0, outbox: 0 };

const healthWith = (slowedKeys: string[], trouble: string | null = null) =>
  createHealth({
    counts: async () => COUNTS,
    ingest: async () => ({
      chroma: { status: 'ready', detail: null },
      indexer: { status: 'ready' },
      slowedKeys,
      trouble,
    }),
    space: async () => ({ active: null }),
    chroma: () => null,
    draining: () => false,
  } as unknown as Parameters<typeof createHealth>[0])();

it('the health of the queue names the keys whose files are read behind those of others', async () => {
  expect((await healthWith([])).parts.queue?.detail).not.toContain('slowed');
  expect((await healthWith(['k1', 'k2'])).parts.queue).toEqual({
    status: 'ok',
    detail: expect.stringMatching(/; slowed, because they used much reading time: k1, k2$/),
  });
});

it('the health of the queue says that the ingest thread ended by itself and starts again', async () => {
  expect((await healthWith([], 'out of memory')).parts.queue).toEqual({
    status: 'degraded',
    detail: expect.stringMatching(
      /; the ingest thread ended by itself and starts again, and what is sent is stored and waits: out of memory$/,
    ),
  });
});

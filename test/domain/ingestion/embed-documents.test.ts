// Tests of the step in which documents are embedded.
import { expect, test } from 'vitest';
import type { IngestContext } from '../../../server/domain/ingestion/context.ts';
import { embedDocuments } from '../../../server/domain/ingestion/embed-documents.ts';
import type { Plan } from '../../../server/domain/ingestion/reconcile.ts';

/** A context that notes the steps that are measured. */
const measuring = () => {
  const steps: string[] = [];
  const context = {
    deps: {
      store: { vectorsOf: async () => new Map() },
      spaces: () => [{ id: 1, serves: true, keepExact: true, embedder: { context: 'both' } }],
      watch: async (step: string, work: () => Promise<unknown>) => {
        steps.push(step);
        return work();
      },
      outage: { answered: () => undefined },
    },
    reports: { tell: async () => undefined },
    signal: new AbortController().signal,
  } as unknown as IngestContext;
  return { context, steps };
};

test('a round without a document, and one that needs no new vector, count as no embedding', async () => {
  const { context, steps } = measuring();
  expect(await embedDocuments(context, [])).toEqual([]);
  const unchanged = { prepared: { claim: { chunks: [] }, drafts: [] }, matches: [] } as unknown as Plan;
  expect(await embedDocuments(context, [unchanged])).toHaveLength(1);
  expect(steps).toEqual([]);
});

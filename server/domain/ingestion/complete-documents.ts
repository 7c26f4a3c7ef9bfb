// Completes documents that were read: plans them against the stored chunks, embeds and commits them.
import type { Embedder } from '../../adapters/embed/port.ts';
import { nextTurn } from '../../lib/async/wait.ts';
import type { IngestContext } from './context.ts';
import { embedDocuments } from './embed-documents.ts';
import { completeByWindows, isLong } from './long-documents.ts';
import type { Prepared } from './prepare.ts';
import { type Plan, planChunks } from './reconcile.ts';
import { commitOrRetry, retryOrFail } from './settle-claims.ts';

/** Work on the ingest thread yields to waiting adds at least this often. */
export const SLICE_MS = 4;

const contextOf = ({ deps }: IngestContext): Embedder['context'] =>
  deps.spaces()[0]?.embedder.context ?? 'both';

const planDocuments = async (context: IngestContext, prepared: readonly Prepared[]): Promise<Plan[]> => {
  const plans: Plan[] = [];
  const chunking = prepared.map(({ claim }) => ({ claim, step: 'chunking' as const }));
  await context.reports.tell(chunking);
  let since = performance.now();
  for (const each of prepared) {
    try {
      plans.push(planChunks(each, contextOf(context)));
    } catch (error) {
      await retryOrFail(context, each.claim, error);
    }
    if (performance.now() - since > SLICE_MS) {
      await context.reports.tell(chunking);
      await nextTurn();
      since = performance.now();
    }
  }
  return plans;
};

/** A service that embeds keeps no core busy, and what waits for it holds up nothing else. */
const searchesFirst = <T>({ deps }: IngestContext, step: () => Promise<T>): Promise<T> => {
  const isComputed = deps.spaces().every(({ embedder }) => embedder.limits.parallelCalls === 1);
  return isComputed ? deps.searchesFirst.run(step) : step();
};

const completeLongDocument = async (context: IngestContext, prepared: Prepared): Promise<void> => {
  try {
    await completeByWindows(prepared, {
      context: () => contextOf(context),
      embed: async (window) =>
        (await searchesFirst(context, () => embedDocuments(context, [window])))[0] ?? null,
      async commit(document) {
        await searchesFirst(context, () => commitOrRetry(context, [document]));
        return document.slice?.last === true || context.inHand.has(document.claim);
      },
    });
  } catch (error) {
    await retryOrFail(context, prepared.claim, error);
  }
};

export const completeDocuments = async (context: IngestContext, all: readonly Prepared[]): Promise<void> => {
  await searchesFirst(context, async () => {
    const plans = await planDocuments(
      context,
      all.filter((each) => !isLong(each)),
    );
    await commitOrRetry(context, await embedDocuments(context, plans));
  });
  for (const each of all.filter(isLong)) await completeLongDocument(context, each);
};

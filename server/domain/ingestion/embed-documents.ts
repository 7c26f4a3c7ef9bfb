// Embeds planned documents into every space that takes new content.
import type { DocumentToCommit } from '../../adapters/store/ports/ingestion/commits.ts';
import { providerFault } from '../../core/job-failure.ts';
import type { IngestContext } from './context.ts';
import { documentToCommit, type FilledSpace, type Plan, type Vectors } from './reconcile.ts';
import { holdBack, retryOrFail } from './settle-claims.ts';
import { embeddingNews, supplyVectors, vectorDemand } from './supply-vectors.ts';

const embedInto = async (
  { deps, reports, signal }: IngestContext,
  space: FilledSpace,
  plans: readonly Plan[],
): Promise<Vectors> => {
  const demand = await vectorDemand(deps.store, space, plans);
  // Nothing is left to embed where all documents of a share failed, or have their vectors already.
  if (demand.wanted.length === 0) return demand.reused;
  await reports.tell(embeddingNews(demand, 0), space.keepExact);
  let embedded = 0;
  const work = () =>
    supplyVectors(space, demand, signal, (count) => {
      embedded += count;
      void reports.tell(embeddingNews(demand, embedded));
    });
  const facts = { documents: plans.length, passages: demand.wanted.length };
  const vectors = await deps.watch('embedding', work, { facts });
  deps.outage.answered();
  return vectors;
};

const embedAll = async (context: IngestContext, plans: readonly Plan[]): Promise<DocumentToCommit[]> => {
  const filled: { id: number; vectors: Vectors }[] = [];
  for (const space of context.deps.spaces()) {
    const vectors = space.serves
      ? await embedInto(context, space, plans)
      : await context.fillingVectors.vectorsFor(space, plans);
    filled.push({ id: space.id, vectors });
  }
  return plans.map((each) => documentToCommit(each, filled));
};

/** The failure of one text must not affect other documents of the batch: after one, each is embedded alone. */
export const embedDocuments = async (
  context: IngestContext,
  plans: readonly Plan[],
): Promise<DocumentToCommit[]> => {
  try {
    return await embedAll(context, plans);
  } catch (error) {
    const fault = providerFault(error);
    if (fault !== null) {
      const claims = plans.map(({ prepared }) => prepared.claim);
      await holdBack(context, claims, fault);
      return [];
    }
    const [only, ...others] = plans;
    if (only && others.length === 0) {
      await retryOrFail(context, only.prepared.claim, error);
      return [];
    }
    const documents: DocumentToCommit[] = [];
    for (const each of plans) documents.push(...(await embedDocuments(context, [each])));
    return documents;
  }
};

// Whole searches on a query worker, over a store of its own thread.
import { builtinEmbedder } from '../../adapters/embed/builtin.ts';
import type { Embedder } from '../../adapters/embed/port.ts';
import { createReader } from '../../adapters/store/request-side/reader.ts';
import type { DbOf } from '../../adapters/store/request-side/reads.ts';
import { createRequestStore } from '../../adapters/store/request-side/store.ts';
import { MemoirError } from '../../core/errors.ts';
import type { Reach } from '../../core/scope.ts';
import type { SpaceName } from '../../core/space.ts';
import { authorizedElsewhere } from '../../domain/access/scope.ts';
import { searchDocuments } from '../../domain/search/document-search.ts';
import { searchMemories } from '../../domain/search/memory-search.ts';
import type { WholeSearch } from '../../domain/search/places.ts';
import type { SearchContext, SearchServices } from '../../domain/search/search-context.ts';
import { createSkippedOptions } from '../../domain/search/skipped-options.ts';

/** Only the thread that asks can run this search. */
class NeedsMore extends Error {}

const refuse = (): never => {
  throw new NeedsMore('This search needs more than a query worker has.');
};

const refuseLater = async (): Promise<never> => refuse();

/** The parts that a query worker lacks: the index of wide scopes, and models of other processes. */
const WITHOUT: Pick<SearchServices, 'index' | 'isIndexComplete' | 'reranker' | 'model' | 'warn'> = {
  index: { nearest: refuseLater },
  isIndexComplete: refuse,
  reranker: () => null,
  model: null,
  warn: refuse,
};

const opened = new Map<string, Embedder | null>();

/** Null: it runs in another process or on another thread. */
const openEmbedder = (name: SpaceName): Embedder | null => {
  if (name.embedder !== builtinEmbedder.name) return null;
  const key = JSON.stringify([name.model, name.dimensions]);
  const known = opened.get(key);
  if (known !== undefined) return known;
  const embedder = builtinEmbedder.openStored({}, name);
  opened.set(key, embedder);
  return embedder;
};

/** The space with an embedder of this thread. */
const openSpace = ({ space }: WholeSearch): ReturnType<SearchServices['space']> =>
  space && { ...space, embedder: openEmbedder(space.name) ?? refuse() };

const NEVER = new AbortController().signal;

/** Null: the thread that asks has to run this search. A search that is refused runs there again, which words the refusal. */
const unlessRefused = async (work: () => Promise<readonly unknown[]>): Promise<readonly unknown[] | null> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof NeedsMore || error instanceof MemoirError) return null;
    throw error;
  }
};

export const createWholeSearches = (dbOf: DbOf) => ({
  search: (reach: Reach, whole: WholeSearch) =>
    unlessRefused(async () => {
      const now = () => whole.now;
      const { search, memories, recall } = createRequestStore(
        dbOf,
        createReader(dbOf, { workers: null, now }),
        refuseLater,
      );
      const context: SearchContext = {
        ...WITHOUT,
        ...{ store: search, memories, recall, now, limits: whole.limits },
        ...{ signal: NEVER, skipped: createSkippedOptions(), trace: null },
        space: () => openSpace(whole),
        scope: authorizedElsewhere(reach, { principal: 'caller', signal: NEVER }),
      };
      return whole.kind === 'documents'
        ? searchDocuments(context, whole.input)
        : searchMemories(context, whole.input);
    }),
});

/** The commands of a query worker beside the reads. */
export type WholeSearches = ReturnType<typeof createWholeSearches>;

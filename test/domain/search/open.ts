// Opens search over a real store: added documents go through the real pipeline and the builtin embedder, or the model in
// the folder of models that MEMOIR_TEST_MODEL and MEMOIR_MODELS_DIR name.
import { createBuiltinEmbedder } from '../../../server/adapters/embed/builtin.ts';
import { localEmbedder } from '../../../server/adapters/embed/local.ts';
import type { Embedder } from '../../../server/adapters/embed/port.ts';
import type { SearchModel } from '../../../server/adapters/language-model/ports/search-model.ts';
import type { Reranker } from '../../../server/adapters/rerank/port.ts';
import type { Metadata } from '../../../server/adapters/store/ports/metadata.ts';
import type { SearchStore } from '../../../server/adapters/store/ports/search.ts';
import type { VectorIndex } from '../../../server/adapters/vectors/port.ts';
import type { Caller } from '../../../server/core/principal.ts';
import { Scope } from '../../../server/core/scope.ts';
import { type NewStatement, prepareStatements } from '../../../server/domain/memories/prepare-statements.ts';
import type { SearchSpace } from '../../../server/domain/search/evidence/semantic-evidence.ts';
import type { MemoryQuery } from '../../../server/domain/search/find-memories.ts';
import type { SearchElsewhere } from '../../../server/domain/search/places.ts';
import type { SearchLimits } from '../../../server/domain/search/query/plan.ts';
import { createSearch, type Search } from '../../../server/domain/search/search.ts';
import { fitCalibration } from '../../../server/domain/search/similarity/fit-calibration.ts';
import { sha256 } from '../../../server/lib/hash.ts';
import { newId } from '../../../server/lib/ids.ts';
import { searchDocumentsInput, searchMemoriesInput } from '../../../tools/search/schemas/inputs.ts';
import { searchDocumentsOutput, searchMemoriesOutput } from '../../../tools/search/schemas/outputs.ts';
import { openTestStore } from '../../support/store.ts';
import { until } from '../../support/until.ts';
import { createTestPipeline } from '../ingestion/fixtures/pipeline.ts';

export interface Item {
  content: string;
  customId?: string;
  metadata?: Metadata;
  filepath?: string;
  title?: string;
}

export type Said = Partial<NewStatement> & { memory: string };

const UNDATED = {
  isStatic: false,
  isInference: false,
  slot: null,
  about: null,
  forgetAfter: null,
  forgetReason: null,
  metadata: null,
  documentDate: null,
  eventDates: [],
};

export interface SearchOptions {
  index?: VectorIndex | null;
  limits?: Partial<SearchLimits>;
  /** Null: no embedding space serves. */
  space?: SearchSpace | null;
  reranker?: Reranker | null;
  model?: SearchModel | null;
  now?: () => number;
  /** Other threads that search; none by default. */
  elsewhere?: SearchElsewhere;
  /** Sees and may change what the store answers. */
  through?: (store: SearchStore) => SearchStore;
}

const chosenEmbedder = async (): Promise<Embedder> => {
  const { MEMOIR_TEST_MODEL: setting, MEMOIR_MODELS_DIR: folder } = process.env;
  if (setting === undefined || folder === undefined) return createBuiltinEmbedder();
  const local = { folder, setting, threads: 1, batchTokens: 2_048 };
  return localEmbedder.open({ embedding: null, localServers: [], local } as Parameters<
    typeof localEmbedder.open
  >[0]);
};

const embedder = await chosenEmbedder();
const calibration = fitCalibration(embedder);

const reader = (tags: readonly string[] | null): Caller => ({
  keyId: 'k',
  keyName: 'test',
  permission: 'read',
  tags,
  role: 'member',
  expiresAt: null,
  rateLimit: null,
  scope: Scope.mint(tags, tags),
});

const untilDone = async (counts: () => Promise<{ queued: number }>): Promise<void> => {
  await until('an empty queue', async () => (await counts()).queued === 0);
};

/** Answers are checked against the contract's schema before they are handed on. */
const checked = (search: Search) => (tags: readonly string[] | null) => {
  const caller = reader(tags);
  const never = new AbortController().signal;
  return {
    documents: async (q: string, more: object = {}, signal = never) =>
      searchDocumentsOutput.parse(
        await search.documents(caller, searchDocumentsInput.parse({ q, ...more }), signal),
      ),
    memories: async (q: string, more: object = {}, signal = never) =>
      searchMemoriesOutput.parse(
        await search.memories(caller, searchMemoriesInput.parse({ q, threshold: 0, ...more }), signal),
      ),
    find: (query: Partial<MemoryQuery> & { q: string }, signal = never) =>
      search.findMemories(
        caller,
        { tags: tags ?? [], threshold: 0, limit: 10, forgotten: false, ...query },
        signal,
      ),
  };
};

export async function openSearch() {
  const opened = openTestStore();
  const { store, ingest } = opened;
  const made = await store.spaces.create({
    ...embedder.space,
    state: 'active',
    calibration: await calibration,
  });
  const space: SearchSpace = { id: made.id, name: embedder.space, calibration: await calibration, embedder };
  const filled = {
    id: made.id,
    dimensions: embedder.space.dimensions,
    keepExact: embedder.keepExact,
    serves: true,
    embedder,
  };
  const troubles: string[] = [];
  const pipeline = createTestPipeline({
    store: ingest,
    spaces: () => [filled],
    embedder,
    troubled: (...error) => troubles.push(JSON.stringify(error)),
  });
  pipeline.start();

  const searching = (options: SearchOptions = {}) =>
    checked(
      createSearch({
        store: options.through?.(store.search) ?? store.search,
        memories: store.memories,
        recall: store.recall,
        index: options.index ?? null,
        space: () => (options.space === undefined ? space : options.space),
        reranker: () => options.reranker ?? null,
        model: () => options.model ?? null,
        now: options.now ?? Date.now,
        warn: (sentence) => void troubles.push(sentence),
        ...(options.elsewhere ? { elsewhere: options.elsewhere } : {}),
        ...(options.limits ? { limits: options.limits } : {}),
      }),
    );

  return {
    space,
    file: opened.file,
    troubles,
    store,
    searching,
    /** Everything at once, then waits until it can be found. */
    async add(tag: string, items: readonly (Item | string)[]): Promise<string[]> {
      const tags = [tag];
      const answers = await store.documents.submit(
        Scope.mint(null, null),
        items.map((given) => {
          const item = typeof given === 'string' ? { content: given } : given;
          return {
            id: newId(),
            customId: null,
            tags,
            defaultTags: tags,
            hash: sha256(item.content),
            type: 'text',
            replace: false,
            metadata: null,
            title: null,
            filepath: null,
            url: null,
            source: null,
            taskType: 'memory',
            dreaming: 'dynamic',
            entityContext: null,
            ...item,
          };
        }),
      );
      pipeline.wake();
      await untilDone(() => store.counts());
      return answers.map((answer) => (answer.outcome === 'accepted' ? answer.id : ''));
    },
    /** Stores memories as if they had been stated directly; returns their ids. */
    async remember(tag: string, said: readonly (string | Said)[]): Promise<string[]> {
      const statements = said.map((one) => ({
        ...UNDATED,
        ...(typeof one === 'string' ? { memory: one } : one),
      }));
      const made = await store.memories.create(
        Scope.mint(null, null),
        { tags: [tag], documentId: newId(), memories: await prepareStatements(statements, [filled]) },
        [filled],
      );
      return made.memories.map(({ id }) => id);
    },
    async [Symbol.asyncDispose]() {
      await pipeline.stop(1_000);
      await opened.close();
    },
  };
}

export type OpenSearch = Awaited<ReturnType<typeof openSearch>>;

/** An embedder that cannot be reached. */
export const silentEmbedder = (): Embedder => ({
  ...embedder,
  embedQuery: () => Promise.reject(new Error('connection refused')),
});

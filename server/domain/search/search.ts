// The search that operations call: the document search of /v3 and the memory search of /v4.
import type { Explanation } from '../../../tools/search/schemas/explain.ts';
import type { SearchDocumentsInput, SearchMemoriesInput } from '../../../tools/search/schemas/inputs.ts';
import type { SearchNote } from '../../../tools/search/schemas/notes.ts';
import type { SearchDocumentsOutput, SearchMemoriesOutput } from '../../../tools/search/schemas/outputs.ts';
import type { Caller } from '../../core/principal.ts';
import { searchDocuments } from './document-search.ts';
import { createResultExplainer, explainSearches } from './explain/explain.ts';
import { createSearchTrace } from './explain/trace.ts';
import { type SearchedRestrictions, whyNotFound } from './explain/why-not-found.ts';
import { type FoundMemory, findMemories, type MemoryQuery } from './find-memories.ts';
import { searchMemories } from './memory-search.ts';
import { memorySearchRestrictions } from './memory-search-targets.ts';
import { createPlaces, type Places, type SearchElsewhere, type WholeSearch } from './places.ts';
import { SEARCH_LIMITS, type SearchLimits } from './query/plan.ts';
import { restrictionOf } from './query/restriction.ts';
import { repeatAfterSpaceChange } from './repeat-after-space-change.ts';
import type { SearchContext, SearchServices } from './search-context.ts';
import { createSkippedOptions } from './skipped-options.ts';

export interface Search {
  documents(caller: Caller, input: SearchDocumentsInput, signal: AbortSignal): Promise<SearchDocumentsOutput>;
  memories(caller: Caller, input: SearchMemoriesInput, signal: AbortSignal): Promise<SearchMemoriesOutput>;
  /** For other parts of the service: the memories themselves, best first. */
  findMemories(caller: Caller, query: MemoryQuery, signal: AbortSignal): Promise<FoundMemory[]>;
}

export interface SearchDeps extends Omit<SearchServices, 'reranker' | 'model' | 'limits'> {
  /** Default: none. */
  readonly reranker?: SearchServices['reranker'];
  /** The language model that is chosen now. Default: none. */
  readonly model?: () => SearchServices['model'];
  readonly limits?: Partial<SearchLimits>;
  /** Runs whole searches on other threads. Default: none does. */
  readonly elsewhere?: SearchElsewhere | null;
}

type SearchInput = SearchDocumentsInput | SearchMemoriesInput;

/** One kind of search. */
interface SearchKind<Input extends SearchInput, Result> {
  readonly name: WholeSearch['kind'];
  readonly search: (context: SearchContext, input: Input) => Promise<Result[]>;
  readonly restrictions: (context: SearchContext, input: Input) => SearchedRestrictions;
}

const documentSearch: SearchKind<SearchDocumentsInput, SearchDocumentsOutput['results'][number]> = {
  name: 'documents',
  search: searchDocuments,
  restrictions: (_, input) => ({ chunks: restrictionOf(input), memories: null }),
};

const memorySearch: SearchKind<SearchMemoriesInput, SearchMemoriesOutput['results'][number]> = {
  name: 'memories',
  search: searchMemories,
  restrictions: memorySearchRestrictions,
};

type SharedServices = Omit<SearchServices, 'model'> & { readonly model: () => SearchServices['model'] };

const startContext = (
  services: SharedServices,
  caller: Caller,
  signal: AbortSignal,
  explains: boolean,
): SearchContext => ({
  ...services,
  model: services.model(),
  scope: caller.scope,
  signal,
  skipped: createSkippedOptions(),
  trace: explains ? createSearchTrace() : null,
});

const explain = async <Input extends SearchInput>(
  context: SearchContext,
  input: Input,
  restrictions: SearchKind<Input, unknown>['restrictions'],
): Promise<{ explain?: Explanation }> => {
  const { trace } = context;
  if (trace === null) return {};
  const { explainId: id } = input.include;
  if (id === undefined) return { explain: explainSearches(trace) };
  const about = await whyNotFound(context, {
    id,
    input,
    trace,
    restrictions: restrictions(context, input),
    explain: createResultExplainer(trace),
  });
  return { explain: { ...explainSearches(trace), about } };
};

interface SearchAnswer<Result> {
  results: Result[];
  timing: number;
  total: number;
  notes?: SearchNote[];
  explain?: Explanation;
}

/** A search and the place where it runs. */
interface Searching<Input extends SearchInput, Result> {
  readonly kind: SearchKind<Input, Result>;
  /** Null: every search runs on this thread. */
  readonly places: Places | null;
}

/** True: the search needs nothing but the store and an embedder, so another thread can run it. */
const isPlain = ({ trace, limits, reranker }: SearchContext, input: SearchInput): boolean => {
  const { rerank, rewriteQuery } = input;
  const isReranked = rerank || (limits.rerankEverySearchMs !== null && reranker() !== null);
  return trace === null && !isReranked && !rewriteQuery && !('aggregate' in input && input.aggregate);
};

const spaceOf = (context: SearchContext): WholeSearch['space'] => {
  const space = context.space();
  return space && { id: space.id, name: space.name, calibration: space.calibration };
};

/** Runs the search on this thread or on another one: the results are the same. */
const findResults = async <Input extends SearchInput, Result>(
  context: SearchContext,
  input: Input,
  { kind: { name, search }, places }: Searching<Input, Result>,
): Promise<readonly Result[]> => {
  const here = () => search(context, input);
  if (places === null || !isPlain(context, input)) return here();
  const { scope, limits } = context;
  const whole = { kind: name, input, space: spaceOf(context), now: context.now(), limits } as WholeSearch;
  return places.run(scope, whole, here);
};

const answer = async <Input extends SearchInput, Result>(
  context: SearchContext,
  input: Input,
  searching: Searching<Input, Result>,
): Promise<SearchAnswer<Result>> => {
  const start = context.now();
  const results = await findResults(context, input, searching);
  const explanation = await explain(context, input, searching.kind.restrictions);
  const { all: skipped } = context.skipped;
  return {
    results: [...results],
    timing: Math.max(0, context.now() - start),
    total: results.length,
    ...(skipped.length === 0 ? {} : { notes: [...skipped] }),
    ...explanation,
  };
};

const wantsExplanation = ({ include }: SearchInput): boolean =>
  include.explain || include.explainId !== undefined;

export const createSearch = ({
  limits,
  elsewhere = null,
  reranker = () => null,
  model = () => null,
  ...parts
}: SearchDeps): Search => {
  const bounds = { ...SEARCH_LIMITS, ...limits };
  const services: SharedServices = { ...parts, reranker, model, limits: bounds };
  const repeated = repeatAfterSpaceChange(() => services.space()?.id ?? null);
  const places = elsewhere && createPlaces(elsewhere);
  const answered =
    <Input extends SearchInput, Result>(kind: SearchKind<Input, Result>) =>
    (caller: Caller, input: Input, signal: AbortSignal): Promise<SearchAnswer<Result>> =>
      repeated(() => {
        const context = startContext(services, caller, signal, wantsExplanation(input));
        return answer(context, input, { kind, places });
      });
  return {
    documents: answered(documentSearch),
    memories: answered(memorySearch),
    findMemories: (caller, query, signal) =>
      repeated(() => findMemories(startContext(services, caller, signal, false), query)),
  };
};

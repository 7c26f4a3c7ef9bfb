// The profile of a container tag: what is known of whom or what it stands for, as short lines for a prompt.
import type { ProfileInput, ProfileOutput, TagProfileOutput } from '../../../tools/shared/profile.ts';
import type { SearchMemoriesInput } from '../../../tools/shared/search.ts';
import type { Filter } from '../../adapters/store/port.ts';
import type { RecalledMemory, RecallStore } from '../../adapters/store/recall-port.ts';
import type { Scope } from '../../lib/scope.ts';
import type { Caller } from '../access/caller.ts';
import type { Search } from '../search/search.ts';
import type { Bucket } from './assign.ts';
import { createCache, type Kept } from './cache.ts';
import { bucketSection, dynamicSection, staticSection } from './sections.ts';

export interface Profile {
  read(caller: Caller, input: ProfileInput, signal: AbortSignal): Promise<ProfileOutput>;
  /** The older, shorter form. */
  ofTag(caller: Caller, tag: string): Promise<TagProfileOutput>;
  /** The buckets that a profile of the tag has: the organisation's, then the tag's own. */
  buckets(caller: Caller, tag: string): Promise<{ buckets: Bucket[] }>;
}

export interface ProfileDeps {
  recall: RecallStore;
  search: Pick<Search, 'memories'>;
  buckets: (caller: Caller, tag: string) => Promise<readonly Bucket[]>;
  now: () => number;
}

/** What is read of each kind, the last changed first: enough for all sections, however much there is. */
const LASTING_READ = 500;
const RECENT_READ = 1_000;

interface Sections {
  static: string[];
  dynamic: string[];
  buckets: Record<string, string[]>;
}

interface Wanted {
  scope: Scope;
  filter: Filter | undefined;
  /** Empty: no buckets are wanted. */
  buckets: readonly Bucket[];
}

/** Whatever may make two profiles of one version differ. */
const keyOf = (tag: string, { scope, filter, buckets }: Wanted): string =>
  JSON.stringify([
    tag,
    scope.reads,
    filter ?? null,
    buckets.map(({ key, description }) => [key, description]),
  ]);

/** The first moment at which one of these counts as forgotten. */
const firstEnd = (memories: readonly RecalledMemory[]): number =>
  memories.reduce(
    (first, { forgetAfter }) => Math.min(first, forgetAfter ?? first),
    Number.POSITIVE_INFINITY,
  );

const charactersIn = ({ static: lasting, dynamic, buckets }: Sections): number =>
  [...lasting, ...dynamic, ...Object.values(buckets).flat()].reduce((sum, line) => sum + line.length, 0);

async function make({ recall }: ProfileDeps, wanted: Wanted): Promise<Kept<Sections>> {
  const { scope, filter, buckets } = wanted;
  const narrowed = filter === undefined ? {} : { filter };
  const lasting = await recall.remembered(scope, { ...narrowed, isStatic: true, limit: LASTING_READ });
  const recent = await recall.remembered(scope, { ...narrowed, isStatic: false, limit: RECENT_READ });
  const all = [...lasting, ...recent];
  const value: Sections = {
    static: staticSection(lasting),
    dynamic: dynamicSection(recent),
    buckets: bucketSection(all, buckets),
  };
  return { value, size: charactersIn(value), until: firstEnd(all) };
}

const empty = (buckets: readonly Bucket[]): Sections => ({
  static: [],
  dynamic: [],
  buckets: Object.fromEntries(buckets.map(({ key }) => [key, []])),
});

/** The fields of a search that a profile says nothing of, as a search has them by itself. */
const searchInput = ({ q, tag, threshold, filters }: ProfileInput & { q: string }): SearchMemoriesInput => ({
  q,
  tags: [tag],
  threshold,
  filters,
  docId: undefined,
  endUserId: undefined,
  filepath: undefined,
  searchMode: 'memories',
  limit: 10,
  chunkThreshold: 0,
  documentThreshold: 0,
  rerank: false,
  rewriteQuery: false,
  window: 0,
  aggregate: false,
  include: {
    documents: false,
    summaries: false,
    relatedMemories: false,
    forgottenMemories: false,
    chunks: false,
    explain: false,
  },
});

export function createProfile(deps: ProfileDeps): Profile {
  const { recall, search } = deps;
  const cache = createCache<Sections>({ now: deps.now });

  async function sections(tag: string, wanted: Wanted): Promise<Sections> {
    const version = await recall.changes(wanted.scope, tag);
    if (version === null) return empty(wanted.buckets);
    return cache.get(keyOf(tag, wanted), version, () => make(deps, wanted));
  }

  async function bucketsFor(
    caller: Caller,
    { tag, include, buckets: keys }: ProfileInput,
  ): Promise<readonly Bucket[]> {
    if (!include.includes('buckets')) return [];
    const all = await deps.buckets(caller, tag);
    return keys === undefined ? all : all.filter(({ key }) => keys.includes(key));
  }

  const results = (caller: Caller, input: ProfileInput, signal: AbortSignal) =>
    input.q === undefined
      ? undefined
      : search.memories(caller, searchInput({ ...input, q: input.q }), signal);

  return {
    async read(caller, input, signal) {
      const buckets = await bucketsFor(caller, input);
      const [made, searchResults] = await Promise.all([
        sections(input.tag, { scope: caller.scope, filter: input.filters, buckets }),
        results(caller, input, signal),
      ]);
      const profile = Object.fromEntries(input.include.map((section) => [section, made[section]]));
      return { profile, ...(searchResults === undefined ? {} : { searchResults }) };
    },

    async ofTag(caller, tag) {
      const made = await sections(tag, { scope: caller.scope, filter: undefined, buckets: [] });
      return { profile: { static: made.static, dynamic: made.dynamic } };
    },

    buckets: async (caller, tag) => ({ buckets: [...(await deps.buckets(caller, tag))] }),
  };
}

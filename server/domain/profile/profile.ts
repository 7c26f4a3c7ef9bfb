// The profile of a container tag: what is known of whom or what it stands for, as short lines for a prompt.
import type { ProfileInput, ProfileOutput, TagProfileOutput } from '../../../tools/shared/profile.ts';
import type { SearchMemoriesInput } from '../../../tools/shared/search.ts';
import type { Spending } from '../../adapters/model/port.ts';
import type { Summariser } from '../../adapters/model/summary-port.ts';
import type { Filter } from '../../adapters/store/port.ts';
import type { RecalledMemory, RecallStore } from '../../adapters/store/recall-port.ts';
import type { Spent, TokenCount } from '../../adapters/store/usage-port.ts';
import type { Logger } from '../../lib/logger.ts';
import type { Scope } from '../../lib/scope.ts';
import type { Caller } from '../access/caller.ts';
import type { Search } from '../search/search.ts';
import type { Bucket } from './assign.ts';
import { createCache, type Kept } from './cache.ts';
import { bucketSections, dynamicSection, linesOf, type Section, staticSection } from './sections.ts';
import { createSummaries } from './summaries.ts';

export interface Profile {
  read(caller: Caller, input: ProfileInput, signal: AbortSignal): Promise<ProfileOutput>;
  /** The older, shorter form. */
  ofTag(caller: Caller, tag: string): Promise<TagProfileOutput>;
  /** The buckets that a profile of the tag has: the organisation's, then the tag's own. */
  buckets(caller: Caller, tag: string): Promise<{ buckets: Bucket[] }>;
  /** Nobody waits for what a model has not answered yet. */
  close(): void;
}

export interface ProfileDeps {
  recall: RecallStore;
  search: Pick<Search, 'memories'>;
  buckets: (caller: Caller, tag: string) => Promise<readonly Bucket[]>;
  /** Null: profiles are told in the words of the memories. */
  summariser: Summariser | null;
  /** Notes what a summary took. */
  spent: (what: Spent, tokens: TokenCount) => Promise<void>;
  now: () => number;
  log: Pick<Logger, 'warn'>;
}

/** What is read of each kind, the last changed first: enough for all sections, however much there is. */
const LASTING_READ = 500;
const RECENT_READ = 1_000;

interface Sections {
  static: string[];
  dynamic: string[];
  buckets: Record<string, string[]>;
}

/** Where a profile is kept, and for whom it was made. */
interface Place {
  key: string;
  version: string;
  caller: Caller;
  tag: string;
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

type LinesOf = (section: Section) => readonly string[];

/** What was read for a profile, and how it is put into lines. */
interface Material {
  lasting: Section;
  recent: Section;
  topics: readonly Section[];
  until: number;
}

async function read({ recall }: ProfileDeps, { scope, filter, buckets }: Wanted): Promise<Material> {
  const narrowed = filter === undefined ? {} : { filter };
  const lasting = await recall.remembered(scope, { ...narrowed, isStatic: true, limit: LASTING_READ });
  const recent = await recall.remembered(scope, { ...narrowed, isStatic: false, limit: RECENT_READ });
  const all = [...lasting, ...recent];
  return {
    lasting: staticSection(lasting),
    recent: dynamicSection(recent),
    topics: bucketSections(all, buckets),
    until: firstEnd(all),
  };
}

function written({ lasting, recent, topics, until }: Material, lines: LinesOf): Kept<Sections> {
  const value: Sections = {
    static: [...lines(lasting)],
    dynamic: [...lines(recent)],
    buckets: Object.fromEntries(topics.map((topic) => [topic.name, [...lines(topic)]])),
  };
  return { value, size: charactersIn(value), until };
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

  const summaries =
    deps.summariser === null
      ? null
      : createSummaries({ summariser: deps.summariser, now: deps.now, log: deps.log });

  const spendingOf =
    (caller: Caller, tag: string): Spending =>
    (tokens) =>
      void deps
        .spent({ key: caller.keyId, tags: [tag] }, tokens)
        .catch((err: unknown) => deps.log.warn({ err }, 'What a summary took could not be noted.'));

  /** In a model's words where they are there in time; else later, for those who come then. */
  async function improved(place: Place, material: Material, plain: Sections): Promise<Sections> {
    if (summaries === null) return plain;
    const { key, version, caller, tag } = place;
    const all = [material.lasting, material.recent, ...material.topics];
    const work = summaries.of(`${key} ${version}`, all, spendingOf(caller, tag)).then((summed) => {
      const better =
        'lines' in summed
          ? written(material, (section) => summed.lines.get(section.name) ?? linesOf(section))
          : written({ ...material, until: Math.min(material.until, summed.again) }, linesOf);
      cache.improve(key, version, better);
      return better.value;
    });
    return (await summaries.inTime(work)) ?? plain;
  }

  async function sections(caller: Caller, tag: string, wanted: Omit<Wanted, 'scope'>): Promise<Sections> {
    const asked: Wanted = { ...wanted, scope: caller.scope };
    const version = await recall.changes(asked.scope, tag);
    if (version === null) return empty(asked.buckets);
    const key = keyOf(tag, asked);
    const fresh: { material?: Material } = {};
    const known = await cache.get(key, version, async () => {
      fresh.material = await read(deps, asked);
      return written(fresh.material, linesOf);
    });
    return fresh.material ? improved({ key, version, caller, tag }, fresh.material, known) : known;
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
        sections(caller, input.tag, { filter: input.filters, buckets }),
        results(caller, input, signal),
      ]);
      const profile = Object.fromEntries(input.include.map((section) => [section, made[section]]));
      return { profile, ...(searchResults === undefined ? {} : { searchResults }) };
    },

    async ofTag(caller, tag) {
      const made = await sections(caller, tag, { filter: undefined, buckets: [] });
      return { profile: { static: made.static, dynamic: made.dynamic } };
    },

    buckets: async (caller, tag) => ({ buckets: [...(await deps.buckets(caller, tag))] }),
    close: () => summaries?.close(),
  };
}

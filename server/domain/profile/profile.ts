// Writes the profile of a container tag: its lasting and recent facts as short lines for a prompt.
import type {
  ProfileInput,
  ProfileOutput,
  TagProfileOutput,
} from '../../../tools/profile/schemas/profile.ts';
import type { SearchMemoriesInput } from '../../../tools/search/schemas/inputs.ts';
import type { ReportTokens } from '../../adapters/language-model/ports/memory-reader.ts';
import type { Summariser } from '../../adapters/language-model/ports/summariser.ts';
import type { MetadataFilter } from '../../adapters/store/ports/filters.ts';
import type { RecallStore, WeighedMemory } from '../../adapters/store/ports/memories/recall.ts';
import type { Spent, TokenCount } from '../../adapters/store/ports/usage/usage.ts';
import type { Logger } from '../../core/log.ts';
import type { Caller } from '../../core/principal.ts';
import type { Scope } from '../../core/scope.ts';
import type { Search } from '../search/search.ts';
import { type BackgroundSummaries, createBackgroundSummaries } from './background-summaries.ts';
import type { Bucket } from './bucket-assignment.ts';
import { type CachedProfile, createProfileCache, type ProfileCache } from './profile-cache.ts';
import {
  bucketSections,
  dynamicSection,
  type ProfileSection,
  sectionEntries,
  sectionLines,
  staticSection,
} from './sections.ts';

/** A memory of a section. */
export interface ProfileEntry {
  id: string;
  memory: string;
}

export interface ProfileEntries {
  static: ProfileEntry[];
  dynamic: ProfileEntry[];
  buckets: Record<string, ProfileEntry[]>;
}

export type EntriesRequest = Pick<ProfileInput, 'tag' | 'filters' | 'buckets'>;

export interface Profile {
  read(caller: Caller, input: ProfileInput, signal: AbortSignal): Promise<ProfileOutput>;
  /** The memories behind the lines, without summaries. */
  entries(caller: Caller, input: EntriesRequest): Promise<ProfileEntries>;
  /** The older form, without buckets and search. */
  ofTag(caller: Caller, tag: string): Promise<TagProfileOutput>;
  /** The buckets of the tag's profile: the organisation's, then the tag's own. */
  buckets(caller: Caller, tag: string): Promise<{ buckets: Bucket[] }>;
  /** Aborts running summaries. */
  close(): void;
}

export interface ProfileDeps {
  recall: RecallStore;
  search: Pick<Search, 'memories'>;
  buckets: (caller: Caller, tag: string) => Promise<readonly Bucket[]>;
  /** Null: the lines are the memories themselves. */
  /** The model that is chosen now; null: none. */
  summariser: () => Summariser | null;
  /** Records the tokens of a summary. */
  spent: (what: Spent, tokens: TokenCount) => Promise<void>;
  now: () => number;
  log: Pick<Logger, 'warn'>;
}

/** The most memories of each kind that are read, the last changed first: enough for all sections. */
const MOST_LASTING = 500;
const MOST_RECENT = 1_000;

interface Sections {
  static: string[];
  dynamic: string[];
  buckets: Record<string, string[]>;
}

/** The cache entry of a profile, and the caller to whom its tokens are charged. */
interface ProfilePlace {
  key: string;
  version: string;
  caller: Caller;
  tag: string;
}

interface SectionRequest {
  scope: Scope;
  filter: MetadataFilter | undefined;
  /** Empty: the profile has no buckets. */
  buckets: readonly Bucket[];
}

/** Holds everything by which two profiles of one version can differ. */
const profileKey = (tag: string, { scope, filter, buckets }: SectionRequest): string =>
  JSON.stringify([
    tag,
    scope.reads,
    filter ?? null,
    buckets.map(({ key, description }) => [key, description]),
  ]);

/** The earliest time at which one of these memories counts as forgotten. */
const earliestExpiry = (memories: readonly WeighedMemory[]): number =>
  memories.reduce(
    (first, { forgetAfter }) => Math.min(first, forgetAfter ?? first),
    Number.POSITIVE_INFINITY,
  );

const charactersIn = ({ static: lasting, dynamic, buckets }: Sections): number =>
  [...lasting, ...dynamic, ...Object.values(buckets).flat()].reduce((sum, line) => sum + line.length, 0);

type LinesOf = (section: ProfileSection) => readonly string[];

/** The memories of a profile, grouped into sections. */
interface Material {
  lasting: ProfileSection;
  recent: ProfileSection;
  topics: readonly ProfileSection[];
  until: number;
}

const readMaterial = async (
  { recall }: ProfileDeps,
  { scope, filter, buckets }: SectionRequest,
): Promise<Material> => {
  const narrowed = filter === undefined ? {} : { filter };
  const lasting = await recall.remembered(scope, { ...narrowed, isStatic: true, limit: MOST_LASTING });
  const recent = await recall.remembered(scope, { ...narrowed, isStatic: false, limit: MOST_RECENT });
  const all = [...lasting, ...recent];
  // The later of two memories is shown alone already where it only perhaps replaces the other.
  const inDoubt = await recall.inDoubt(
    scope,
    all.map(({ n }) => n),
    'doubts',
  );
  const isShown = ({ n }: WeighedMemory): boolean => !inDoubt.has(n);
  return {
    lasting: staticSection(lasting.filter(isShown)),
    recent: dynamicSection(recent.filter(isShown)),
    topics: bucketSections(all.filter(isShown), buckets),
    until: earliestExpiry(all),
  };
};

const writeSections = (
  { lasting, recent, topics, until }: Material,
  lines: LinesOf,
): CachedProfile<Sections> => {
  const value: Sections = {
    static: [...lines(lasting)],
    dynamic: [...lines(recent)],
    buckets: Object.fromEntries(topics.map((topic) => [topic.name, [...lines(topic)]])),
  };
  return { value, size: charactersIn(value), until };
};

const emptySections = (buckets: readonly Bucket[]): Sections => ({
  static: [],
  dynamic: [],
  buckets: Object.fromEntries(buckets.map(({ key }) => [key, []])),
});

const readProfileEntries = async (
  deps: ProfileDeps,
  caller: Caller,
  { tag, filters: filter, buckets: keys }: EntriesRequest,
): Promise<ProfileEntries> => {
  const buckets = await requestedBuckets(deps, caller, { tag, include: ['buckets'], buckets: keys });
  const { lasting, recent, topics } = await readMaterial(deps, { scope: caller.scope, filter, buckets });
  return {
    static: sectionEntries(lasting),
    dynamic: sectionEntries(recent),
    buckets: Object.fromEntries(topics.map((topic) => [topic.name, sectionEntries(topic)])),
  };
};

/** A search with the defaults for all fields that a profile request does not have. */
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

interface ProfileContext {
  readonly deps: ProfileDeps;
  readonly cache: ProfileCache<Sections>;
  /** Null: no model writes summaries. */
  readonly summaries: () => BackgroundSummaries | null;
}

const reportTokensFor =
  ({ spent, log }: ProfileDeps, { caller, tag }: ProfilePlace): ReportTokens =>
  (tokens) =>
    void spent({ key: caller.keyId, tags: [tag] }, tokens).catch((err: unknown) =>
      log.warn({ err }, 'The tokens of a summary could not be recorded.'),
    );

/** The sections as summarised by a model. If it answers late, the plain ones; later readers get the summary. */
const summarisedProfile = async (
  { deps, cache, summaries: summariesNow }: ProfileContext,
  place: ProfilePlace,
  material: Material,
  plain: Sections,
): Promise<Sections> => {
  const summaries = summariesNow();
  if (summaries === null) return plain;
  const { key, version } = place;
  const all = [material.lasting, material.recent, ...material.topics];
  const work = summaries.summarise(`${key} ${version}`, all, reportTokensFor(deps, place)).then((summary) => {
    const better =
      'lines' in summary
        ? writeSections(material, (section) => summary.lines.get(section.name) ?? sectionLines(section))
        : writeSections({ ...material, until: Math.min(material.until, summary.retryAt) }, sectionLines);
    cache.replace(key, version, better);
    return better.value;
  });
  return (await summaries.withinWait(work)) ?? plain;
};

const readSections = async (
  context: ProfileContext,
  caller: Caller,
  tag: string,
  request: SectionRequest,
): Promise<Sections> => {
  const { deps, cache } = context;
  const version = await deps.recall.changes(request.scope, tag);
  if (version === null) return emptySections(request.buckets);
  const key = profileKey(tag, request);
  const fresh: { material?: Material } = {};
  const known = await cache.get(key, version, async () => {
    fresh.material = await readMaterial(deps, request);
    return writeSections(fresh.material, sectionLines);
  });
  return fresh.material
    ? summarisedProfile(context, { key, version, caller, tag }, fresh.material, known)
    : known;
};

const requestedBuckets = async (
  deps: ProfileDeps,
  caller: Caller,
  { tag, include, buckets: keys }: Pick<ProfileInput, 'tag' | 'include' | 'buckets'>,
): Promise<readonly Bucket[]> => {
  if (!include.includes('buckets')) return [];
  const all = await deps.buckets(caller, tag);
  return keys === undefined ? all : all.filter(({ key }) => keys.includes(key));
};

const profileWithSearch = async (
  context: ProfileContext,
  caller: Caller,
  input: ProfileInput,
  signal: AbortSignal,
): Promise<ProfileOutput> => {
  const { deps } = context;
  const { q, tag, filters: filter } = input;
  const buckets = await requestedBuckets(deps, caller, input);
  const [sections, searchResults] = await Promise.all([
    readSections(context, caller, tag, { scope: caller.scope, filter, buckets }),
    q === undefined ? undefined : deps.search.memories(caller, searchInput({ ...input, q }), signal),
  ]);
  const profile = Object.fromEntries(input.include.map((name) => [name, sections[name]]));
  return { profile, ...(searchResults === undefined ? {} : { searchResults }) };
};

/** The summaries by the model that is chosen now; those by a former model end. */
const followSummariser = ({ summariser, now, log }: ProfileDeps) => {
  let current: { readonly by: Summariser; readonly summaries: BackgroundSummaries } | null = null;
  return (): BackgroundSummaries | null => {
    const by = summariser();
    if (by !== (current?.by ?? null)) {
      current?.summaries.close();
      current = by && { by, summaries: createBackgroundSummaries({ summariser: by, now, log }) };
    }
    return current?.summaries ?? null;
  };
};

export const createProfile = (deps: ProfileDeps): Profile => {
  const { now } = deps;
  const context: ProfileContext = {
    deps,
    cache: createProfileCache<Sections>({ now }),
    summaries: followSummariser(deps),
  };
  return {
    read: (caller, input, signal) => profileWithSearch(context, caller, input, signal),
    async ofTag(caller, tag) {
      const request = { scope: caller.scope, filter: undefined, buckets: [] };
      const sections = await readSections(context, caller, tag, request);
      return { profile: { static: sections.static, dynamic: sections.dynamic } };
    },
    entries: (caller, input) => readProfileEntries(deps, caller, input),
    buckets: async (caller, tag) => ({ buckets: [...(await deps.buckets(caller, tag))] }),
    close: () => context.summaries()?.close(),
  };
};

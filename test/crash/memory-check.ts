// After a crash: every acknowledged fact is remembered once, and no forgotten one.
import type { Ask } from './api.ts';
import { type Story, type Telling, tokensOf, wordsIn } from './stories.ts';

interface Version {
  id: string;
  memory: string;
  version: number;
  isLatest: boolean;
  isForgotten: boolean;
}

interface Entry extends Version {
  history: Version[];
  documentIds: string[];
}

const PAGE = 1000;
const TAGS_AT_ONCE = 100;

const underTags = async (ask: Ask, containerTags: readonly string[]): Promise<Entry[]> => {
  const all: Entry[] = [];
  for (let page = 1; ; page++) {
    const query = { containerTags, page, limit: PAGE, sort: 'createdAt', order: 'asc' };
    const { body } = await ask<{ memoryEntries: Entry[] }>('POST', '/v4/memories/list', query);
    all.push(...body.memoryEntries);
    if (body.memoryEntries.length < PAGE) return all;
  }
};

const everyMemory = async (ask: Ask, tags: readonly string[]): Promise<Entry[]> => {
  const byId = new Map<string, Entry>();
  for (let at = 0; at < tags.length; at += TAGS_AT_ONCE)
    for (const entry of await underTags(ask, tags.slice(at, at + TAGS_AT_ONCE))) byId.set(entry.id, entry);
  return [...byId.values()];
};

interface Said extends Version {
  entry: Entry;
}

const byWord = (entries: readonly Entry[]): Map<string, Said[]> => {
  const said = new Map<string, Said[]>();
  for (const entry of entries)
    for (const version of [entry, ...entry.history])
      for (const word of new Set(wordsIn(version.memory)))
        said.set(word, [...(said.get(word) ?? []), { ...version, entry }]);
  return said;
};

const fail = (what: string, ...seen: unknown[]): never => {
  throw new Error(`${what}: ${seen.map((each) => JSON.stringify(each)).join(' — ')}`);
};

const idsOf = (stories: readonly Story[]): string[] => stories.flatMap(({ id }) => id ?? []).sort();

/** Checks that one memory has this word and exactly these documents as sources. */
const checkOnce = (word: string, said: ReadonlyMap<string, Said[]>, stories: readonly Story[]): void => {
  const [only, ...more] = said.get(word) ?? [];
  if (only === undefined || more.length > 0) fail(`${word} is not remembered once`, said.get(word), stories);
  const entry = only?.entry;
  const isLatest = entry?.id === only?.id;
  if (isLatest && JSON.stringify(entry?.documentIds.toSorted()) !== JSON.stringify(idsOf(stories)))
    fail(`${word} is remembered for other documents than state it`, entry, stories);
};

const MUST_BE: Record<Story['kind'], boolean> = {
  note: false,
  unreadable: false,
  file: false,
  upload: false,
  telling: true,
  talk: true,
};

const checkOwn = (story: Story, said: ReadonlyMap<string, Said[]>): void => {
  for (const word of tokensOf(story)) {
    const times = said.get(word)?.length ?? 0;
    if (story.deletion === 'done' && times > 0) fail('What was deleted is remembered', story, said.get(word));
    if (story.deletion === 'done') continue;
    if (MUST_BE[story.kind] || times > 0) checkOnce(word, said, [story]);
  }
};

const isTelling = (story: Story): story is Telling => story.kind === 'telling';

/** A fact is one memory under the same tags, whoever states it, and another one under other tags. */
const checkFacts = (stories: readonly Story[], said: ReadonlyMap<string, Said[]>): void => {
  const tellings = stories.filter(isTelling);
  for (const [fact, all] of Map.groupBy(tellings, (telling) => telling.fact)) {
    const living = all.filter(({ deletion }) => deletion === 'no');
    const groups = Map.groupBy(living, ({ tags }) => JSON.stringify(tags.toSorted()));
    const wanted = [...groups.values()].map((group) => idsOf(group).join()).sort();
    const held = said.get(fact) ?? [];
    const isOneChain = all[0]?.says === 'home';
    const seen = isOneChain
      ? held.map(() => wanted[0])
      : held.map(({ entry }) => entry.documentIds.toSorted().join()).sort();
    if (JSON.stringify(seen) !== JSON.stringify(wanted))
      fail(`The fact ${fact} is not remembered once where it stands`, held, living);
  }
};

/** A person who moved again and again lives in one place, and lived in the others. */
const checkHomes = (stories: readonly Story[], entries: readonly Entry[]): void => {
  const homes = stories
    .filter(isTelling)
    .filter(({ says, deletion }) => says === 'home' && deletion === 'no');
  for (const [tag, tellings] of Map.groupBy(homes, ({ tags }) => tags[0])) {
    const facts = new Set(tellings.map(({ fact }) => fact));
    const chains = entries.filter((entry) => wordsIn(entry.memory).some((word) => facts.has(word)));
    const versions = chains[0]?.history.length ?? 0;
    if (chains.length !== 1 || versions + 1 !== facts.size)
      fail(`The homes of ${tag} are not one chain of ${facts.size}`, chains);
  }
};

/** Memories whose forgetting was acknowledged stay forgotten, and no others are. */
const checkForgotten = (stories: readonly Story[], said: ReadonlyMap<string, Said[]>): void => {
  const slips = stories
    .filter(isTelling)
    .filter(({ says, deletion }) => says === 'slip' && deletion === 'no');
  for (const slip of slips) {
    const isForgotten = said.get(slip.fact)?.[0]?.isForgotten ?? false;
    if (slip.forgotten !== 'asked' && isForgotten !== (slip.forgotten === 'done'))
      fail('A memory is forgotten and should not be, or the other way round', slip, said.get(slip.fact));
    slip.forgotten = isForgotten ? 'done' : 'no';
  }
};

/** Called when the server is idle and the result of each story is known. Returns the number of memories. */
export const checkMemories = async (
  ask: Ask,
  stories: readonly Story[],
  tags: ReadonlySet<string>,
): Promise<number> => {
  const entries = await everyMemory(ask, [...tags]);
  const said = byWord(entries);
  for (const story of stories) checkOwn(story, said);
  checkFacts(stories, said);
  checkHomes(stories, entries);
  checkForgotten(stories, said);
  return entries.length;
};

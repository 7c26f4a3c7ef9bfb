// After a crash: every acknowledged document is there once, done and found, and no deleted one is.
import { mapBounded } from '../../server/lib/async/bounded.ts';
import type { Chance } from '../adapters/store/contract/chance.ts';
import type { Ask } from './api.ts';
import type { Client } from './clients.ts';
import { checkMemories } from './memory-check.ts';
import { checkTags, listTags, resolvePlaces, type Tagged } from './resolve.ts';
import { type Story, tellingText, tokensOf } from './stories.ts';
import { checkLink, settleUpload } from './uploads.ts';

interface Stored extends Tagged {
  customId: string | null;
  status: string;
  content: string;
  metadata: Record<string, unknown> | null;
}

const PAGE = 1000;
/** As many as the server has query workers on two cores. */
const SEARCHED_AT_ONCE = 3;

const everything = async (ask: Ask): Promise<Stored[]> => {
  const all: Stored[] = [];
  for (let page = 1; ; page++) {
    const query = { page, limit: PAGE, includeContent: true, sort: 'createdAt', order: 'asc' };
    const { body } = await ask<{ memories: Stored[] }>('POST', '/v3/documents/list', query);
    all.push(...body.memories);
    if (body.memories.length < PAGE) return all;
  }
};

const times = (text: string, word: string): number => text.split(word).length - 1;

const fail = (story: Story, what: string, seen?: unknown): never => {
  throw new Error(
    `${what}: ${JSON.stringify(story)}${seen === undefined ? '' : ` — stored: ${JSON.stringify(seen)}`}`,
  );
};

const checkText = (story: Story, stored: Stored): void => {
  if (story.kind === 'telling' && stored.content !== tellingText(story))
    fail(story, 'A telling is not what was sent', stored);
  if (story.kind === 'note' && times(stored.content, story.token) !== 1)
    fail(story, 'A text is not what was sent', stored);
  if (story.kind === 'file') {
    const held = [story.token, story.unsure].find(
      (token) => token !== null && stored.content === `File of ${token}.`,
    );
    if (!held) fail(story, 'A file holds neither its last content nor the one before', stored);
    story.token = held ?? story.token;
    story.unsure = null;
  }
  if (story.kind === 'upload') {
    const wrong = settleUpload(story, stored.content);
    if (wrong !== null) fail(story, wrong, stored);
  }
  if (story.kind !== 'talk') return;
  const sure = story.unsure ? story.turns.slice(0, -1) : story.turns;
  for (const turn of sure)
    if (times(stored.content, turn) !== 1) fail(story, `Turn ${turn} is not there once`, stored);
  const last = story.turns.at(-1) ?? '';
  if (times(stored.content, last) > 1) fail(story, `Turn ${last} is there twice`, stored);
  const places = story.turns.map((turn) => stored.content.indexOf(turn)).filter((place) => place >= 0);
  if (places.some((place, at) => place < (places[at - 1] ?? 0)))
    fail(story, 'Turns lost their order', stored);
  if (story.unsure && !stored.content.includes(last)) story.turns.pop();
  story.unsure = false;
};

const checkMark = (story: Story, stored: Stored): void => {
  const mark = (stored.metadata?.mark ?? null) as number | null;
  if (mark !== story.mark && mark !== story.asked)
    fail(story, 'Metadata is not what was acknowledged', stored);
  story.mark = mark;
  story.asked = mark;
};

const checkPlace = (story: Story, { containerTags }: Stored): void => {
  if (JSON.stringify(story.tags.toSorted()) !== JSON.stringify(containerTags.toSorted()))
    fail(story, 'A document is under other tags than it should be', containerTags);
};

/** A document without an answer is searched by its words or its customId: it may exist, but only once. */
const lookFor = (story: Story, all: readonly Stored[]): Stored | undefined => {
  if (story.id !== null) return all.find((stored) => stored.id === story.id);
  const found = all.filter((stored) =>
    'customId' in story ? stored.customId === story.customId : stored.content.includes(story.token),
  );
  if (found.length > 1) fail(story, 'It is there twice', found);
  return found[0];
};

/** Records the results of interrupted calls, and returns the remaining documents. */
const compare = (stories: readonly Story[], all: readonly Stored[]): Map<string, Story> => {
  const live = new Map<string, Story>();
  const byId = new Map(all.map((stored) => [stored.id, stored]));
  for (const story of stories) {
    const stored = story.id === null ? lookFor(story, all) : byId.get(story.id);
    if (stored === undefined) {
      if (story.id !== null && story.deletion === 'no') fail(story, 'An acknowledged document is gone');
      story.deletion = 'done';
      continue;
    }
    if (story.deletion === 'done') fail(story, 'A deleted document is back', stored);
    const expected = story.kind === 'unreadable' ? 'failed' : 'done';
    if (stored.status !== expected) fail(story, `A document is not ${expected}`, stored);
    story.deletion = 'no';
    story.id = stored.id;
    checkText(story, stored);
    checkMark(story, stored);
    checkPlace(story, stored);
    live.set(stored.id, story);
  }
  return live;
};

interface Found {
  documentId: string;
  chunks: { content: string }[];
}

const findToken = async (ask: Ask, token: string, containerTags: readonly string[]): Promise<string[]> => {
  const query = {
    q: token,
    searchMode: 'keyword',
    limit: 20,
    ...(containerTags.length > 0 && { containerTags }),
  };
  const { body } = await ask<{ results: Found[] }>('POST', '/v3/search', query);
  return body.results.flatMap(({ documentId, chunks }) =>
    chunks.filter(({ content }) => content.includes(token)).map(() => documentId),
  );
};

const checkSearch = async (ask: Ask, story: Story): Promise<void> => {
  const isFound = story.deletion !== 'done' && story.kind !== 'unreadable';
  const expected = isFound ? [story.id] : [];
  for (const token of tokensOf(story).slice(-3)) {
    for (const tags of [[], story.tags.slice(0, 1)]) {
      const hits = await findToken(ask, token, tags);
      if (JSON.stringify(hits) !== JSON.stringify(expected))
        fail(story, `A search for ${token} in [${tags}] found ${hits}`);
    }
  }
};

export interface Checked {
  documents: number;
  memories: number;
  searched: number;
}

/** The newest stories, and random others. */
const chosen = (stories: readonly Story[], searches: number, chance: Chance): readonly Story[] => {
  if (searches >= stories.length) return stories;
  const newest = stories.slice(-Math.ceil(searches / 2));
  const others = Array.from({ length: searches - newest.length }, () => chance.pick(stories));
  return [...newest, ...others.filter((story) => story !== undefined)];
};

/** Called when the server is idle. `searches`: the number of stories that are searched for; Infinity for all. */
export const check = async (
  ask: Ask,
  clients: readonly Client[],
  options: { searches: number; chance: Chance },
): Promise<Checked> => {
  const all = await everything(ask);
  const tags = await listTags(ask);
  const byId = new Map(all.map((stored) => [stored.id, stored]));
  for (const client of clients) resolvePlaces(client, tags, byId);
  const stories = clients.flatMap((client) => client.stories);
  const live = compare(stories, all);
  const unknown = all.filter((stored) => !live.has(stored.id));
  if (unknown.length > 0)
    throw new Error(`Documents that nobody sent, or duplicates: ${JSON.stringify(unknown.slice(0, 3))}`);
  if (byId.size !== all.length) throw new Error('A list shows a document twice');
  checkTags(clients, tags);
  const searched = chosen(stories, options.searches, options.chance);
  await mapBounded(searched, SEARCHED_AT_ONCE, async (story) => {
    if (story.id !== null) await checkSearch(ask, story);
  });
  for (const story of searched)
    if (story.kind === 'upload' && story.deletion === 'no') await checkLink(ask, story);
  const memories = await checkMemories(ask, stories, tags);
  return { documents: all.length, memories, searched: searched.length };
};

// After a crash: everything that was acknowledged is there once, done, found, and what was deleted is not.
import type { Chance } from '../adapters/store/contract/chance.ts';
import { type Ask, until } from './api.ts';
import { type Story, tokensOf } from './stories.ts';

interface Stored {
  id: string;
  customId: string | null;
  status: string;
  content: string;
  metadata: Record<string, unknown> | null;
}

const SETTLE_MS = 60_000;
const PAGE = 1000;

export const settle = async (ask: Ask): Promise<void> => {
  let waiting: unknown;
  const look = async () => {
    const { body } = await ask<{ totalCount: number; documents: unknown[] }>(
      'GET',
      '/v3/documents/processing',
    );
    waiting = body.documents.slice(0, 3);
    return body.totalCount === 0;
  };
  await until('every document is done', SETTLE_MS, look).catch((cause: unknown) => {
    throw new Error(`Documents are stuck, among them ${JSON.stringify(waiting)}`, { cause });
  });
};

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

/** Whose add was not answered is looked for by its words or its customId: it may be there, but once. */
const lookFor = (story: Story, all: readonly Stored[]): Stored | undefined => {
  if (story.id !== null) return all.find((stored) => stored.id === story.id);
  const found = all.filter((stored) =>
    story.kind === 'note' ? stored.content.includes(story.token) : stored.customId === story.customId,
  );
  if (found.length > 1) fail(story, 'It is there twice', found);
  return found[0];
};

/** Takes note of what became of calls that were cut off; the documents that are left. */
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
    if (stored.status !== 'done') fail(story, 'A document is not done', stored);
    story.deletion = 'no';
    story.id = stored.id;
    checkText(story, stored);
    checkMark(story, stored);
    live.set(stored.id, story);
  }
  return live;
};

interface Found {
  documentId: string;
  chunks: { content: string }[];
}

const checkSearch = async (ask: Ask, story: Story): Promise<void> => {
  for (const token of tokensOf(story).slice(-3)) {
    const query = { q: token, searchMode: 'keyword', limit: 20 };
    const { body } = await ask<{ results: Found[] }>('POST', '/v3/search', query);
    const hits = body.results.flatMap(({ documentId, chunks }) =>
      chunks.filter(({ content }) => content.includes(token)).map(() => documentId),
    );
    const expected = story.deletion === 'done' ? [] : [story.id];
    if (JSON.stringify(hits) !== JSON.stringify(expected)) fail(story, `A search for ${token} found ${hits}`);
  }
};

export interface Checked {
  documents: number;
  searched: number;
}

/** `searches`: how many of the stories are searched for, the newest and others by chance; Infinity: all. */
export const check = async (
  ask: Ask,
  stories: readonly Story[],
  options: { searches: number; chance: Chance },
): Promise<Checked> => {
  await settle(ask);
  const all = await everything(ask);
  const live = compare(stories, all);
  const unknown = all.filter((stored) => !live.has(stored.id));
  if (unknown.length > 0)
    throw new Error(`Documents that nobody sent, or duplicates: ${JSON.stringify(unknown.slice(0, 3))}`);
  if (new Set(all.map(({ id }) => id)).size !== all.length) throw new Error('A list shows a document twice');
  const { searches, chance } = options;
  const newest = stories.slice(-Math.ceil(searches / 2));
  const others = Array.from({ length: Math.min(searches, stories.length) - newest.length }, () =>
    chance.pick(stories),
  );
  const chosen =
    searches >= stories.length ? stories : [...newest, ...others.filter((story) => story !== undefined)];
  for (const story of chosen) if (story.id !== null) await checkSearch(ask, story);
  return { documents: all.length, searched: chosen.length };
};

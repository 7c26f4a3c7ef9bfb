// Plays a scenario through a running service over REST, under a container tag of its own, and reads its book from there.
import type { EntryBody } from '../rest/support/tell.ts';
import type { Rest } from '../rest/support/use-memoir.ts';
import { until } from '../support/until.ts';
import type { Book, Link, Row } from './book.ts';
import { type AddStep, matches, type Scenario, type Step } from './scenario.ts';

const DAY_MS = 86_400_000;
const PATIENCE_MS = 10_000;
const ROLES = new Set(['user', 'assistant', 'system', 'tool']);
/** Tells what was forgotten from what expired since: scenarios have a time of their own. */
const FORGOTTEN = 'the scenario says so';

type Graph = { documents: { id: string; memoryEntries: EntryBody[] }[] };

interface Playing {
  readonly api: Rest;
  readonly tag: string;
  /** The ids of documents, by the names of the steps that added them. */
  readonly documents: Map<string, string>;
  readonly book: Book;
}

const ms = (date: string): number => Date.parse(`${date}T12:00:00Z`);

const ok = async <T>(api: Rest, method: string, path: string, body?: unknown): Promise<T> => {
  const answer = await api.ask<T>(method, path, body);
  if (answer.status >= 300)
    throw new Error(`${method} ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body;
};

// --- what is sent ------------------------------------------------------------------------------------

/** Lines with their roles, as most people send them; as JSON where lines would not tell who spoke, or when. */
export const contentOf = ({ turns, text = '' }: AddStep): string => {
  if (turns === undefined) return text;
  const isPlain = turns.every(
    ([who, said, date]) => ROLES.has(who) && date === undefined && !said.includes('\n'),
  );
  if (isPlain) return turns.map(([who, said]) => `${who}: ${said}`).join('\n');
  const messages = turns.map(([who, content, createdAt]) => ({
    ...(ROLES.has(who) ? { role: who } : { role: 'user', name: who }),
    content,
    ...(createdAt === undefined ? {} : { createdAt }),
  }));
  return JSON.stringify(messages);
};

/** Hands these texts to an agent: they are there when it searches, and nowhere afterwards. */
const serve = async ({ api, tag }: Playing, texts: readonly string[]): Promise<void> => {
  for (const content of texts) {
    const asked = { containerTag: tag, memories: [{ content }] };
    const { documentId } = await ok<{ documentId: string }>(api, 'POST', '/v4/memories', asked);
    const found = { q: content, containerTag: tag, threshold: 0, limit: 20 };
    await ok(api, 'POST', '/v4/search', found);
    await api.remove(documentId);
  }
};

// --- what is there -----------------------------------------------------------------------------------

const entriesOf = async ({
  api,
  tag,
}: Playing): Promise<{ entries: Map<string, EntryBody>; graph: Graph }> => {
  const asked = { containerTags: [tag], limit: 100, order: 'asc' };
  const graph = await ok<Graph>(api, 'POST', '/v3/documents/documents', asked);
  const list = { containerTags: [tag], limit: 1000, order: 'asc' };
  const { memoryEntries } = await ok<{ memoryEntries: EntryBody[] }>(api, 'POST', '/v4/memories/list', list);
  const entries = new Map<string, EntryBody>();
  for (const { memoryEntries: stated } of graph.documents)
    for (const entry of stated) entries.set(entry.id, entry);
  for (const entry of memoryEntries) entries.set(entry.id, entry);
  return { entries, graph };
};

/** An erased memory is hidden at once; the version before holds again after a moment. */
const isSettled = (entries: Iterable<EntryBody>): boolean => {
  const chains = Map.groupBy(entries, ({ id, rootMemoryId }) => rootMemoryId ?? id);
  return chains.values().every((chain) => chain.filter(({ isLatest }) => isLatest).length === 1);
};

const settled = async (playing: Playing): ReturnType<typeof entriesOf> => {
  const isOver = async () => isSettled((await entriesOf(playing)).entries.values());
  // A chain that stays apart is for the caller to judge.
  await until('one latest version of each memory', isOver, PATIENCE_MS).catch(() => undefined);
  return entriesOf(playing);
};

const datesOf = ({ metadata }: EntryBody): number[] => {
  const { eventDate = [] } = (metadata?.temporalContext ?? {}) as { eventDate?: string[] };
  return eventDate.map((date) => Date.parse(date));
};

const rowOf = (entry: EntryBody, sources: Set<string>): Row => {
  const { id, memory, isStatic, isLatest, isForgotten, forgetReason } = entry;
  return {
    ...{ id, memory, isStatic, slot: null, about: null, eventDates: datesOf(entry), sources },
    forgetAfter: entry.forgetAfter === null ? null : Date.parse(entry.forgetAfter),
    saidAt: null,
    createdAt: Date.parse(entry.createdAt),
    parent: null,
    isLatest,
    isForgotten: isForgotten && (entry.forgetAfter === null || forgetReason === FORGOTTEN),
  };
};

const linksIn = (entries: Iterable<EntryBody>, rows: ReadonlyMap<string, Row>): Link[] =>
  [...entries].flatMap(({ id, memoryRelations }) =>
    Object.entries(memoryRelations ?? {}).flatMap(([other, kind]) => {
      const [from, to] = [rows.get(id), rows.get(other)];
      return from && to ? [{ from, kind: kind as Link['kind'], to }] : [];
    }),
  );

const look = async (playing: Playing): Promise<void> => {
  const { book, documents } = playing;
  const { entries, graph } = await settled(playing);
  const names = new Map([...documents].map(([name, id]) => [id, name]));
  const sources = new Map<string, Set<string>>();
  for (const { id, memoryEntries } of graph.documents)
    for (const { id: memory } of memoryEntries)
      sources.set(memory, new Set([...(sources.get(memory) ?? []), names.get(id) ?? id]));
  const rows = new Map(
    [...entries.values()].map((entry) => [entry.id, rowOf(entry, sources.get(entry.id) ?? new Set())]),
  );
  for (const { id, parentMemoryId } of entries.values()) {
    const row = rows.get(id);
    if (row) row.parent = rows.get(parentMemoryId ?? '') ?? null;
  }
  book.rows = [...rows.values()];
  book.links = linksIn(entries.values(), rows);
  const known = new Set(book.everDrawn.map(({ id }) => id));
  book.everDrawn.push(...book.rows.filter(({ id }) => !known.has(id)));
};

// --- steps -------------------------------------------------------------------------------------------

const add = async (step: AddStep, scenario: Scenario, playing: Playing): Promise<void> => {
  const { api, tag, documents, book } = playing;
  if (step.date !== undefined) book.now = Math.max(book.now, ms(step.date));
  if (step.served) await serve(playing, step.served);
  const [entityContext] = scenario.guidance?.entityContext ?? [];
  const { id } = await api.add({
    content: contentOf(step),
    containerTag: tag,
    ...(step.title === undefined ? {} : { title: step.title }),
    ...(step.date === undefined ? {} : { metadata: { date: step.date } }),
    ...(entityContext === undefined ? {} : { entityContext }),
  });
  documents.set(step.add, id);
  await api.memoir.remembered(id);
};

const forget = async (words: string[], { api, tag, book }: Playing): Promise<void> => {
  const ids = book.rows
    .filter(
      ({ isLatest, isForgotten, memory }) => isLatest && !isForgotten && matches({ says: words }, memory),
    )
    .map(({ id }) => id);
  const asked = { containerTag: tag, ids, reason: FORGOTTEN };
  await ok(api, 'POST', '/v4/memories/forget-matching', asked);
};

const take = async (step: Step, scenario: Scenario, playing: Playing): Promise<void> => {
  if ('add' in step) await add(step, scenario, playing);
  else if ('delete' in step) await playing.api.remove(playing.documents.get(step.delete) ?? '');
  else if ('forget' in step) await forget(step.forget, playing);
  else playing.book.now = ms(step.now) + DAY_MS / 2;
  await look(playing);
};

/** The book after all steps, as the service shows it. */
export async function playThrough(api: Rest, scenario: Scenario): Promise<Book> {
  const book: Book = { rows: [], everDrawn: [], links: [], now: 0 };
  const playing = { api, tag: `scenario ${scenario.id}`, documents: new Map<string, string>(), book };
  for (const step of scenario.steps) await take(step, scenario, playing);
  return book;
}

/** Memories that a search finds although they do not hold any more, or misses although they hold. */
export async function searchProblems(api: Rest, scenario: Scenario, book: Book): Promise<string[]> {
  const problems: string[] = [];
  const isOver = ({ forgetAfter }: Row): boolean => forgetAfter !== null && forgetAfter <= Date.now();
  for (const row of book.rows) {
    const asked = { q: row.memory, containerTag: `scenario ${scenario.id}`, threshold: 0, limit: 100 };
    const { results } = await ok<{ results: { id: string }[] }>(api, 'POST', '/v4/search', asked);
    const isFound = results.some(({ id }) => id === row.id);
    const holds = row.isLatest && !row.isForgotten && !isOver(row);
    if (isFound !== holds) problems.push(`"${row.memory}" is ${holds ? 'not ' : ''}found`);
  }
  return problems;
}

// The memories of one tag, kept by the book in memory: what a store does with the results of a reader.
import type {
  DrawnMemory,
  KnownMemory,
  MemoryReader,
  ReadSource,
} from '../../server/adapters/language-model/ports/memory-reader.ts';
import { finish } from '../../server/lib/async/steps.ts';
import { type AddStep, type Matcher, matches, type Scenario, type Step } from './scenario.ts';

export interface Row {
  readonly id: string;
  readonly memory: string;
  readonly isStatic: boolean;
  readonly slot: string | null;
  readonly about: string | null;
  readonly eventDates: readonly number[];
  readonly forgetAfter: number | null;
  readonly saidAt: number | null;
  readonly createdAt: number;
  readonly sources: Set<string>;
  parent: Row | null;
  isLatest: boolean;
  isForgotten: boolean;
}

export interface Link {
  readonly from: Row;
  readonly kind: 'updates' | 'extends' | 'derives';
  readonly to: Row;
}

export interface Book {
  rows: Row[];
  /** Also those that were drawn and are erased by now. */
  readonly everDrawn: Row[];
  links: Link[];
  now: number;
}

const DAY_MS = 86_400_000;
const ms = (date: string): number => Date.parse(`${date}T12:00:00Z`);
const ROLES = new Set(['user', 'assistant', 'system', 'tool']);

export function sourceOf(step: AddStep, scenario: Scenario): ReadSource {
  const utterances = step.turns ?? [[null, step.text ?? ''] as const];
  const {
    entityContext = [],
    filterPrompt = null,
    includeItems = [],
    excludeItems = [],
  } = scenario.guidance ?? {};
  return {
    fresh: utterances.map(([who, text, date], position) => ({
      text,
      role: who !== null && ROLES.has(who) ? (who as 'user') : null,
      speaker: who === null || ROLES.has(who) ? null : who,
      position,
      date: date === undefined ? null : ms(date),
    })),
    around: [],
    conversation: step.turns !== undefined,
    title: step.title ?? null,
    documentDate: step.date === undefined ? null : ms(step.date),
    guidance: { entityContext, filterPrompt, includeItems, excludeItems },
    served: step.served ?? [],
  };
}

const isLive = (row: Row): boolean => row.isLatest && !row.isForgotten;

const words = (text: string): Set<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);

function nearness(one: string, two: string): number {
  const first = words(one);
  const second = words(two);
  return (
    [...first].filter((word) => second.has(word)).length / Math.max(1, Math.min(first.size, second.size))
  );
}

/** The memories that a store would find: by slot, by thing, and the nearest by their words. */
function knownFor(reader: MemoryReader, source: ReadSource, book: Book): KnownMemory[] {
  const { slots, abouts, nearestTo } = finish(reader.lookupFor(source));
  const live = book.rows.filter(isLive);
  const near = nearestTo.flatMap((text) =>
    live
      .map((row) => ({ row, score: nearness(text, row.memory) }))
      .sort((a, b) => b.score - a.score)
      .slice(0, reader.limits.knownMemories)
      .map(({ row }) => row),
  );
  const named = live.filter(
    ({ slot, about }) =>
      (slot !== null && slots.includes(slot)) || (about !== null && abouts.includes(about)),
  );
  return [...new Set([...named, ...near])].map(
    ({ id, memory, isStatic, slot, about, createdAt, saidAt }) => ({
      id,
      memory,
      isStatic,
      slot,
      about,
      updatedAt: createdAt,
      saidAt,
    }),
  );
}

function rowFor(drawn: DrawnMemory, document: string, book: Book): Row {
  const twin = book.rows.find((row) => isLive(row) && row.memory === drawn.memory);
  if (twin) {
    twin.sources.add(document);
    return twin;
  }
  const { memory, isStatic, slot, about, eventDates, forgetAfter, saidAt } = drawn;
  const row: Row = {
    id: `m${book.everDrawn.length}`,
    memory,
    isStatic,
    slot,
    about,
    eventDates,
    forgetAfter,
    saidAt,
    createdAt: book.now,
    sources: new Set([document]),
    parent: null,
    isLatest: drawn.outdatedBy === null,
    isForgotten: false,
  };
  book.rows.push(row);
  book.everDrawn.push(row);
  return row;
}

function link(row: Row, drawn: DrawnMemory, made: readonly Row[], book: Book): void {
  for (const { kind, to } of drawn.relations) {
    const target = 'known' in to ? book.rows.find(({ id }) => id === to.known) : made[to.drawn];
    if (!target) throw new Error(`A relation leads nowhere: ${JSON.stringify(to)}`);
    if (target === row || kind === 'doubts' || kind === 'hints') continue;
    book.links.push({ from: row, kind, to: target });
    if (kind !== 'updates') continue;
    row.parent ??= target;
    target.isLatest = false;
  }
  const younger = book.rows.find(({ id }) => id === drawn.outdatedBy);
  if (!younger || younger === row) return;
  book.links.push({ from: younger, kind: 'updates', to: row });
  younger.parent ??= row;
}

async function add(step: AddStep, scenario: Scenario, reader: MemoryReader, book: Book): Promise<void> {
  if (step.date !== undefined) book.now = Math.max(book.now, ms(step.date));
  const source = sourceOf(step, scenario);
  const { memories } = await reader.read({ ...source, known: knownFor(reader, source, book) });
  const made: Row[] = [];
  for (const drawn of memories) {
    const row = rowFor(drawn, step.add, book);
    link(row, drawn, made, book);
    made.push(row);
  }
}

function erase(document: string, book: Book): void {
  for (const row of book.rows) row.sources.delete(document);
  const gone = new Set(book.rows.filter(({ sources }) => sources.size === 0));
  for (const row of gone) {
    if (row.parent && row.isLatest && !gone.has(row.parent)) row.parent.isLatest = true;
  }
  book.rows = book.rows.filter((row) => !gone.has(row));
  book.links = book.links.filter(({ from, to }) => !gone.has(from) && !gone.has(to));
}

const forget = (matcher: Matcher, book: Book): void => {
  for (const row of book.rows) if (isLive(row) && matches(matcher, row.memory)) row.isForgotten = true;
};

async function take(step: Step, scenario: Scenario, reader: MemoryReader, book: Book): Promise<void> {
  if ('add' in step) await add(step, scenario, reader, book);
  else if ('delete' in step) erase(step.delete, book);
  else if ('forget' in step) forget({ says: step.forget }, book);
  else book.now = ms(step.now) + DAY_MS / 2;
}

/** The book after all steps of a scenario. */
export async function play(scenario: Scenario, reader: MemoryReader): Promise<Book> {
  const book: Book = { rows: [], everDrawn: [], links: [], now: 0 };
  for (const step of scenario.steps) await take(step, scenario, reader, book);
  return book;
}

export type RowState = 'latest' | 'superseded' | 'forgotten' | 'expired';

export function stateOf(row: Row, now: number): RowState {
  if (row.isForgotten) return 'forgotten';
  if (!row.isLatest) return 'superseded';
  return row.forgetAfter !== null && row.forgetAfter <= now ? 'expired' : 'latest';
}

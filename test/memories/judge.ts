// Compares a played scenario with what it promises, and counts over many.
import { type Book, type Link, type Row, stateOf } from './book.ts';
import { type ExpectedFact, matches, type Scenario } from './scenario.ts';

export interface Verdict {
  readonly id: string;
  /** Stated facts that no memory holds. */
  readonly lost: readonly string[];
  /** All that is not as promised, lost facts included. */
  readonly problems: readonly string[];
  readonly facts: number;
  readonly memories: number;
  readonly updates: Counts;
  readonly isStatic: Counts;
}

/** Right, wrongly there, wrongly missing. */
export interface Counts {
  readonly right: number;
  readonly wrong: number;
  readonly missed: number;
}

const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

const isAsPromised = (fact: ExpectedFact, row: Row, book: Book): boolean =>
  stateOf(row, book.now) === (fact.state ?? 'latest');

/** The row that holds a fact; the one in the promised state where several do. */
function rowOf(fact: ExpectedFact, book: Book): Row | undefined {
  const rows = book.rows.filter(({ memory }) => matches(fact, memory));
  return rows.find((row) => isAsPromised(fact, row, book)) ?? rows[0];
}

function problemsOf(fact: ExpectedFact, row: Row, book: Book): string[] {
  const found: string[] = [];
  const state = stateOf(row, book.now);
  if (!isAsPromised(fact, row, book)) found.push(`${fact.id} is ${state}, not ${fact.state ?? 'latest'}`);
  const dates = row.eventDates.map(day);
  for (const date of fact.dates ?? [])
    if (!dates.includes(date))
      found.push(`${fact.id} has the dates ${dates.join(', ') || '(none)'}, not ${date}`);
  const sources = [...row.sources].sort().join(', ');
  if (fact.sources && sources !== [...fact.sources].sort().join(', '))
    found.push(`${fact.id} has the sources ${sources}`);
  return found;
}

function erasedProblems(fact: ExpectedFact, book: Book): string[] {
  if (!book.everDrawn.some(({ memory }) => matches(fact, memory))) return [`${fact.id} was never drawn`];
  return book.rows.some(({ memory }) => matches(fact, memory)) ? [`${fact.id} was not erased`] : [];
}

function linkCounts(
  scenario: Scenario,
  book: Book,
  rows: ReadonlyMap<string, Row>,
): { counts: Counts; problems: string[] } {
  const problems: string[] = [];
  const promised = scenario.relations ?? [];
  const isPromised = (link: Link): boolean =>
    promised.some(
      ([from, kind, to]) => kind === link.kind && rows.get(from) === link.from && rows.get(to) === link.to,
    );
  const made = (from: string, kind: string, to: string): boolean =>
    book.links.some((link) => link.kind === kind && link.from === rows.get(from) && link.to === rows.get(to));
  for (const [from, kind, to] of promised)
    if (!made(from, kind, to)) problems.push(`${from} does not ${kind.replace(/s$/, '')} ${to}`);
  for (const link of book.links)
    if (!isPromised(link))
      problems.push(`unexpected: "${link.from.memory}" ${link.kind} "${link.to.memory}"`);
  const updates = promised.filter(([, kind]) => kind === 'updates');
  const right = updates.filter(([from, kind, to]) => made(from, kind, to)).length;
  const drawn = book.links.filter(({ kind }) => kind === 'updates');
  return {
    counts: {
      right,
      wrong: drawn.filter((link) => !isPromised(link)).length,
      missed: updates.length - right,
    },
    problems,
  };
}

function staticCounts(
  scenario: Scenario,
  rows: ReadonlyMap<string, Row>,
): { counts: Counts; problems: string[] } {
  const counts = { right: 0, wrong: 0, missed: 0 };
  const problems: string[] = [];
  for (const fact of scenario.facts) {
    const row = rows.get(fact.id);
    if (fact.static === undefined) continue;
    const drawn = row?.isStatic ?? false;
    if (fact.static && drawn) counts.right++;
    else if (fact.static) counts.missed++;
    else if (drawn) counts.wrong++;
    if (row && drawn !== fact.static) problems.push(`${fact.id} is ${drawn ? '' : 'not '}static`);
  }
  return { counts, problems };
}

export function judge(scenario: Scenario, book: Book): Verdict {
  const erased = scenario.facts.filter(({ state }) => state === 'erased');
  const kept = scenario.facts.filter(({ state }) => state !== 'erased');
  const rows = new Map<string, Row>();
  for (const fact of kept) {
    const row = rowOf(fact, book);
    if (row) rows.set(fact.id, row);
  }
  const lost = kept.filter(({ id }) => !rows.has(id)).map(({ id }) => id);
  const links = linkCounts(scenario, book, rows);
  const statics = staticCounts({ ...scenario, facts: kept }, rows);
  const isOptional = ({ memory }: Row): boolean =>
    (scenario.optional ?? []).some((one) => matches(one, memory));
  const counted = book.everDrawn.filter((row) => !isOptional(row));
  const present = (scenario.absent ?? []).flatMap((one) =>
    book.everDrawn
      .filter(({ memory }) => matches(one, memory))
      .map(({ memory }) => `should not be: "${memory}"`),
  );
  const none = scenario.none ? book.everDrawn.map(({ memory }) => `should not be: "${memory}"`) : [];
  return {
    id: scenario.id,
    lost,
    problems: [
      ...lost.map((id) => `${id} is lost`),
      ...kept.flatMap((fact) => {
        const row = rows.get(fact.id);
        return row ? problemsOf(fact, row, book) : [];
      }),
      ...erased.flatMap((fact) => erasedProblems(fact, book)),
      ...links.problems,
      ...statics.problems,
      ...present,
      ...none,
    ],
    facts: scenario.facts.length,
    memories: counted.length,
    updates: links.counts,
    isStatic: statics.counts,
  };
}

export interface Figures {
  readonly scenarios: number;
  readonly asPromised: number;
  readonly lost: number;
  readonly updatesPrecision: number;
  readonly updatesRecall: number;
  readonly staticF1: number;
  readonly memoriesPerFact: number;
}

const ratio = (part: number, whole: number): number => (whole === 0 ? 1 : part / whole);

export function figures(verdicts: readonly Verdict[]): Figures {
  const sum = (of: (verdict: Verdict) => number): number => verdicts.reduce((all, one) => all + of(one), 0);
  const updates = sum(({ updates: { right } }) => right);
  const statics = sum(({ isStatic: { right } }) => right);
  return {
    scenarios: verdicts.length,
    asPromised: verdicts.filter(({ problems }) => problems.length === 0).length,
    lost: sum(({ lost }) => lost.length),
    updatesPrecision: ratio(updates, updates + sum((one) => one.updates.wrong)),
    updatesRecall: ratio(updates, updates + sum((one) => one.updates.missed)),
    staticF1: ratio(2 * statics, 2 * statics + sum((one) => one.isStatic.wrong + one.isStatic.missed)),
    memoriesPerFact: ratio(
      sum((one) => one.memories),
      sum((one) => one.facts),
    ),
  };
}

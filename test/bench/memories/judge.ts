// Compares what the service shows after a scenario with its labels, and counts.
import { type ExpectedFact, type Matcher, matches } from '../../memories/scenario.ts';
import type { Entry, Found } from './client.ts';
import { isNoise } from './noise.ts';
import type { Played } from './play.ts';

/** How many, of how many. */
export interface Share {
  part: number;
  whole: number;
}

export interface Judged {
  readonly category: string;
  readonly id: string;
  readonly shares: Readonly<Record<Measure, Share>>;
  /** Differences from the labels, in words. */
  readonly problems: readonly string[];
}

export const MEASURES = [
  'updates precision',
  'updates recall',
  'stale in list',
  'stale in profile',
  'stale in search',
  'stale anywhere',
  'lost facts',
  'hidden facts',
  'lost from search',
  'noise',
  'other memories without a label',
  'noise in chatter',
  'parts without a statement that gave a memory',
  'lasting facts in static',
  'current facts in dynamic',
  'profile right',
  'plain questions in first five',
  'current above replaced',
  'dates and ends right',
  'memories per fact',
] as const;
export type Measure = (typeof MEASURES)[number];

const DAY_MS = 86_400_000;
const FIRST = 5;
const NEAR_MS = 1.5 * DAY_MS;

const isCurrent = ({ isLatest, isForgotten, forgetAfter }: Entry): boolean =>
  isLatest && !isForgotten && (forgetAfter === null || Date.parse(forgetAfter) > Date.now());

const isStaleFact = ({ state = 'latest' }: ExpectedFact): boolean => state !== 'latest';

class Count {
  readonly shares = Object.fromEntries(MEASURES.map((name) => [name, { part: 0, whole: 0 }])) as Record<
    Measure,
    Share
  >;
  readonly problems: string[] = [];

  /** `problem` is noted where `isBad`. */
  add(measure: Measure, isIn: boolean, problem?: { isBad: boolean; text: string }): void {
    const share = this.shares[measure];
    share.whole++;
    if (isIn) share.part++;
    if (problem?.isBad) this.problems.push(problem.text);
  }
}

interface Judging {
  readonly played: Played;
  readonly count: Count;
  readonly fact: (id: string) => Matcher | undefined;
  /** The facts that replace it. */
  readonly after: (id: string) => Matcher[];
}

/** Whether a text says what no longer holds, and not what holds in its place. */
const saysStale = (fact: ExpectedFact, { after }: Judging, text: string): boolean =>
  matches(fact, text) && !after(fact.id).some((later) => matches(later, text));

function judgeUpdates({ played, count, fact }: Judging): void {
  const { scenario, known } = played;
  const memoryOf = new Map(known.entries.map(({ id, memory }) => [id, memory]));
  const made = known.relations
    .filter(([, kind]) => kind === 'updates')
    .map(([from, , to]) => ({ from: memoryOf.get(from) ?? '', to: memoryOf.get(to) ?? '' }));
  const wanted = (scenario.relations ?? []).flatMap(([from, kind, to]) => {
    const [newer, older] = [fact(from), fact(to)];
    return kind === 'updates' && newer && older ? [{ newer, older, text: `${from} updates ${to}` }] : [];
  });
  const is = (link: (typeof made)[number], { newer, older }: (typeof wanted)[number]): boolean =>
    matches(newer, link.from) && matches(older, link.to);
  for (const one of wanted) {
    const isMade = made.some((link) => is(link, one));
    count.add('updates recall', isMade, { isBad: !isMade, text: `missed: ${one.text}` });
  }
  const replaced = new Set((scenario.relations ?? []).map(([, , to]) => to));
  const open = scenario.facts.filter((one) => isStaleFact(one) && !replaced.has(one.id));
  for (const link of made) {
    const isRight = wanted.some((one) => is(link, one));
    // The labels do not say what ends such a fact, or whether a slip of the tongue becomes a memory.
    if (!isRight && open.some((one) => matches(one, link.to))) continue;
    count.add('updates precision', isRight, { isBad: !isRight, text: `wrong: ${link.from} <- ${link.to}` });
  }
}

function judgeStale(judging: Judging): void {
  const { played, count } = judging;
  const { scenario, known, profile, remembered } = played;
  const listed = known.entries.filter(isCurrent).map(({ memory }) => memory);
  const lines = [...profile.static, ...profile.dynamic];
  for (const fact of scenario.facts.filter(isStaleFact)) {
    const isStale = (text: string): boolean => saysStale(fact, judging, text);
    // The passage that said what was replaced may be found; that of what has expired may not.
    const counts = ({ isMemory }: Found): boolean => isMemory || fact.state === 'expired';
    const shown = {
      list: listed.some(isStale),
      profile: lines.some(isStale),
      search: (remembered.get(fact.id) ?? []).some((one) => counts(one) && isStale(one.text)),
    };
    for (const place of ['list', 'profile', 'search'] as const) count.add(`stale in ${place}`, shown[place]);
    const isShown = shown.list || shown.profile || shown.search;
    count.add('stale anywhere', isShown, { isBad: isShown, text: `stale: ${fact.id}` });
  }
}

function judgeFacts({ played, count }: Judging): void {
  const { scenario, known, found } = played;
  for (const fact of scenario.facts) {
    if (fact.state === 'gone') continue;
    const holding = known.entries.filter(({ memory }) => matches(fact, memory));
    const isLost = holding.length === 0;
    count.add('lost facts', isLost, { isBad: isLost, text: `lost: ${fact.id}` });
    if (isStaleFact(fact)) continue;
    const isHidden = !isLost && !holding.some(isCurrent);
    count.add('hidden facts', isHidden, { isBad: isHidden, text: `hidden: ${fact.id}` });
    judgeTimes(fact, holding, count);
  }
  const holding = scenario.facts.filter((fact) => !isStaleFact(fact));
  for (const fact of [...holding, ...(scenario.passages ?? [])]) {
    const isMissing = !(found.get(fact.id) ?? []).some(({ text }) => matches({ says: fact.says }, text));
    count.add('lost from search', isMissing, { isBad: isMissing, text: `not found: ${fact.id}` });
  }
}

const timeOf = (day: string): number =>
  day.startsWith('+') ? Date.now() + Number(day.slice(1)) * DAY_MS : Date.parse(`${day}T12:00:00Z`);

function judgeTimes({ id, dates = [], until }: ExpectedFact, holding: readonly Entry[], count: Count): void {
  const isNear = (time: string | null, day: string): boolean =>
    time !== null && Math.abs(Date.parse(time) - timeOf(day)) <= NEAR_MS;
  for (const day of dates) {
    const isRight = holding.some(({ metadata }) =>
      metadata?.temporalContext?.eventDate?.some((time) => time.slice(0, 10) === dayOf(timeOf(day))),
    );
    count.add('dates and ends right', isRight, { isBad: !isRight, text: `date: ${id}` });
  }
  if (until === undefined) return;
  const isRight = holding.some(({ forgetAfter }) => isNear(forgetAfter, until));
  count.add('dates and ends right', isRight, { isBad: !isRight, text: `end: ${id}` });
}

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

function judgeMemories({ played, count }: Judging): void {
  const { scenario, known } = played;
  const { facts, passages = [], optional = [], absent = [] } = scenario;
  const labelled = [...facts, ...passages, ...optional];
  const noisy: string[] = [];
  for (const { memory } of known.entries) {
    const isWrong = absent.some((one) => matches(one, memory));
    const isLabelled = !isWrong && !scenario.none && labelled.some((one) => matches(one, memory));
    const isNoisy = !isLabelled && (isWrong || scenario.none === true || isNoise(scenario, memory));
    if (isNoisy) noisy.push(memory);
    count.add('noise', isNoisy, { isBad: isNoisy, text: `noise: ${memory}` });
    const isOther = !isNoisy && !isLabelled;
    count.add('other memories without a label', isOther, { isBad: isOther, text: `other: ${memory}` });
    if (scenario.category === 'chatter') count.add('noise in chatter', isNoisy);
  }
  for (const part of scenario.noise)
    count.add(
      'parts without a statement that gave a memory',
      noisy.some((memory) => isNoise({ ...scenario, noise: [part] }, memory)),
    );
  const stated = facts.filter(({ state }) => state !== 'gone').length;
  if (stated === 0) return;
  count.shares['memories per fact'].part += known.entries.length;
  count.shares['memories per fact'].whole += stated;
}

function judgeProfile(judging: Judging): void {
  const { scenario, profile } = judging.played;
  const { count } = judging;
  const labelled = scenario.facts.filter((fact) => fact.static !== undefined && !isStaleFact(fact));
  if (labelled.length === 0) return;
  const problems: string[] = [];
  for (const fact of labelled) {
    const isThere = profile[fact.static ? 'static' : 'dynamic'].some((line) => matches(fact, line));
    const isMisplaced = !fact.static && profile.static.some((line) => matches(fact, line));
    count.add(fact.static ? 'lasting facts in static' : 'current facts in dynamic', isThere && !isMisplaced);
    if (!isThere || isMisplaced)
      problems.push(`profile: not ${fact.static ? 'static' : 'dynamic'}: ${fact.id}`);
  }
  const lines = [...profile.static, ...profile.dynamic];
  if (new Set(lines).size < lines.length) problems.push('profile: a line twice');
  const wrong = lines.filter(
    (line) =>
      scenario.facts.some((fact) => isStaleFact(fact) && saysStale(fact, judging, line)) ||
      (scenario.absent ?? []).some((one) => matches(one, line)),
  );
  problems.push(...wrong.map((line) => `profile: ${line}`));
  count.add('profile right', problems.length === 0);
  count.problems.push(...problems);
}

function judgeQuestions({ played, count }: Judging): void {
  const { scenario, answers } = played;
  const byId = new Map([...scenario.facts, ...(scenario.passages ?? [])].map((fact) => [fact.id, fact]));
  for (const [at, [question, id]] of (scenario.questions ?? []).entries()) {
    const fact = byId.get(id);
    const found = answers[at] ?? [];
    if (!fact) continue;
    const holds = ({ text }: Found): boolean => matches({ says: fact.says }, text);
    const first = found.findIndex(holds);
    const isIn = first >= 0 && first < FIRST;
    count.add('plain questions in first five', isIn, { isBad: !isIn, text: `question: ${question}` });
    const olds = (scenario.relations ?? []).flatMap(([from, , to]) => {
      const old = from === id ? byId.get(to) : undefined;
      return old ? [old] : [];
    });
    if (olds.length === 0) continue;
    const old = found.findIndex((one) => !holds(one) && olds.some((fact) => matches(fact, one.text)));
    const isAbove = old < 0 || (first >= 0 && first < old);
    count.add('current above replaced', isAbove, { isBad: !isAbove, text: `replaced above: ${question}` });
  }
}

export function judge(played: Played): Judged {
  const { scenario } = played;
  const facts = new Map(scenario.facts.map((one) => [one.id, one]));
  const count = new Count();
  const after = (id: string): Matcher[] =>
    (scenario.relations ?? []).flatMap(([from, , to]) => (to === id ? (facts.get(from) ?? []) : []));
  const judging = { played, count, fact: (id: string) => facts.get(id), after };
  for (const part of [judgeUpdates, judgeStale, judgeFacts, judgeMemories, judgeProfile, judgeQuestions])
    part(judging);
  const { shares, problems } = count;
  return { category: scenario.category, id: scenario.id, shares, problems };
}

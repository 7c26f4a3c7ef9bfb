// From a model's answer to drawn memories: numbers become references, invented ones are ignored.
import { analyse } from '../../../lib/text/analyse.ts';
import { DAY_MS } from '../../../lib/text/calendar.ts';
import { parseDate } from '../../../lib/text/dates.ts';
import type { Description, DrawnMemory, DrawnRelation, ReadSource, Utterance } from '../port.ts';
import type { AnsweredMemory } from './answer.ts';
import type { Numbered } from './prompt.ts';

/** A numbered memory and what it is: stored, or drawn earlier in the same reading. */
export interface Referable extends Numbered {
  readonly ref: DrawnRelation['to'];
}

const datesIn = (texts: readonly string[]): number[] =>
  [...new Set(texts.flatMap((text) => parseDate(text) ?? []))].sort((a, b) => a - b);

/** The end of the day where only a day is named. */
function forgetAfterIn(text: string | null): number | null {
  const ms = text === null ? null : parseDate(text);
  if (ms === null) return null;
  return ms % DAY_MS === 0 ? ms + DAY_MS : ms;
}

/** Where it was said by the model's own word, else the utterance that shares most of its terms. */
function sourcesOf(answered: AnsweredMemory, fresh: readonly Utterance[]): Utterance[] {
  const named = answered.from.flatMap((number) => fresh[number - 1] ?? []);
  if (named.length > 0) return named;
  const terms = new Set(analyse(answered.memory));
  const shared = (one: Utterance): number => analyse(one.text).filter((term) => terms.has(term)).length;
  return fresh.length === 0
    ? []
    : [fresh.map((one) => ({ one, score: shared(one) })).reduce((a, b) => (b.score > a.score ? b : a)).one];
}

const latestDate = (utterances: readonly Utterance[]): number | null =>
  utterances.reduce<number | null>(
    (latest, { date }) => (date !== null && date > (latest ?? 0) ? date : latest),
    null,
  );

export interface Answered {
  readonly memory: DrawnMemory;
  /** What is said again in other words. */
  readonly same: Referable | null;
}

export function drawnFrom(
  answered: AnsweredMemory,
  fresh: readonly Utterance[],
  /** By number, from 1; nothing where an answer of the model's own was not kept. */
  numbered: readonly (Referable | undefined)[],
  source: ReadSource,
  describe: (memory: string) => Description,
): Answered {
  const { kind } = answered;
  const referred = [...new Set(answered.of)].flatMap((number) => numbered[number - 1] ?? []);
  const [first] = referred;
  const same = kind === 'same' && first ? first : null;
  const said = sourcesOf(answered, fresh);
  const described = describe(answered.memory);
  const saidAt = latestDate(said) ?? source.documentDate;
  // News that is older than what it would replace was out of date before it was read.
  const isOld = (one: Referable): boolean =>
    kind === 'updates' && 'known' in one.ref && saidAt !== null && one.saidAt !== null && saidAt < one.saidAt;
  const younger = referred.find(isOld)?.ref;
  const relations =
    kind === 'new' || kind === 'same'
      ? []
      : referred.filter((one) => !isOld(one)).map(({ ref }): DrawnRelation => ({ kind, to: ref }));
  return {
    same,
    memory: {
      memory: same?.memory ?? answered.memory,
      isStatic: same?.isStatic ?? answered.static,
      isInference: answered.inferred || kind === 'derives',
      slot: described.slot,
      about: described.about,
      relations,
      outdatedBy: younger && 'known' in younger ? younger.known : null,
      saidAt,
      eventDates: datesIn(answered.dates),
      forgetAfter: forgetAfterIn(answered.forgetAfter),
      positions: [...new Set(said.map(({ position }) => position))].sort((a, b) => a - b),
    },
  };
}

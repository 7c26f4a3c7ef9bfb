// Turns a model's answer into drawn memories: numbers become references, and unknown numbers are ignored.

import { DAY_MS } from '../../../lib/text/dates/calendar.ts';
import { parseDate } from '../../../lib/text/dates/parse-date.ts';
import { analyse } from '../../../lib/text/terms/analyse.ts';
import type {
  DrawnMemory,
  DrawnRelation,
  ReadSource,
  StatementTraits,
  Utterance,
} from '../ports/memory-reader.ts';
import type { AnsweredMemory } from './reader-answer.ts';
import type { NumberedMemory } from './reader-prompt.ts';

/** A numbered memory with its reference: to a stored one, or to one drawn earlier in the same reading. */
export interface ReferableMemory extends NumberedMemory {
  readonly ref: DrawnRelation['to'];
}

const datesIn = (texts: readonly string[]): number[] =>
  [...new Set(texts.flatMap((text) => parseDate(text) ?? []))].sort((a, b) => a - b);

/** A day without a time counts until its end. */
const forgetAfterIn = (text: string | null): number | null => {
  const ms = text === null ? null : parseDate(text);
  if (ms === null) return null;
  return ms % DAY_MS === 0 ? ms + DAY_MS : ms;
};

/** The utterances that the model names, else the one that shares most terms with the statement. */
const sourceUtterances = (answered: AnsweredMemory, fresh: readonly Utterance[]): Utterance[] => {
  const named = answered.from.flatMap((number) => fresh[number - 1] ?? []);
  if (named.length > 0) return named;
  const terms = new Set(analyse(answered.memory));
  const shared = (one: Utterance): number => analyse(one.text).filter((term) => terms.has(term)).length;
  return fresh.length === 0
    ? []
    : [fresh.map((one) => ({ one, score: shared(one) })).reduce((a, b) => (b.score > a.score ? b : a)).one];
};

const latestDate = (utterances: readonly Utterance[]): number | null =>
  utterances.reduce<number | null>(
    (latest, { date }) => (date !== null && date > (latest ?? 0) ? date : latest),
    null,
  );

export interface DrawnAnswer {
  readonly memory: DrawnMemory;
  /** The memory that this answer repeats in other words. */
  readonly same: ReferableMemory | null;
}

export interface DrawContext {
  readonly fresh: readonly Utterance[];
  /** The memories by number, from 1; undefined for an answer of the model that was not kept. */
  readonly numbered: readonly (ReferableMemory | undefined)[];
  readonly source: ReadSource;
  readonly describe: (memory: string) => StatementTraits;
}

export const drawMemory = (
  answered: AnsweredMemory,
  { fresh, numbered, source, describe }: DrawContext,
): DrawnAnswer => {
  const { kind } = answered;
  const referred = [...new Set(answered.of)].flatMap((number) => numbered[number - 1] ?? []);
  const [first] = referred;
  const same = kind === 'same' && first ? first : null;
  const sources = sourceUtterances(answered, fresh);
  const described = describe(answered.memory);
  const saidAt = latestDate(sources) ?? source.documentDate;
  // A statement that is older than the memory it would replace is outdated by that memory.
  const isOld = (one: ReferableMemory): boolean =>
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
      positions: [...new Set(sources.map(({ position }) => position))].sort((a, b) => a - b),
    },
  };
};

// Decides whether a sentence of which the grammar makes no statement is kept as it was said, by its chance of worth and by its
// place. The model of worth sees the sentence alone; what stands around it tells data from a remark: "light theme too these days"
// beside other facts, and "two more days to be scared" as a message of its own.

import type { Clause } from '../grammar/clause.ts';
import { verbTokensOf } from '../grammar/verbs.ts';
import { type Exclusion, SUBORDINATE } from '../sentences/excluded.ts';
import { isOwn, leavesOpen, namesNothing } from './remarks.ts';
import { evidenceIn, isJudgement, isNamedSubject, SHOWN, saysMoreThanTime } from './worth.ts';

/** In odds. Fitted on the sentences of eight sets of scenarios that the model has not learned from (docs/measurements/reader.md). */
const SURE = 0.7;
const OF_NOTE = -0.4;
const OF_WHOLE_MESSAGE = -1.1;
/** A long message to somebody is mostly chat. */
const OF_LONG_MESSAGE = -1.5;
const OF_EXCLAMATION = -0.7;
const OF_NUMBER = 0.8;
const OF_LENGTH = 1.2;

/** In words. */
const LONG = 8;
/** In characters; some 25 words. */
const LONG_MESSAGE = 140;
/** The rest of the message is a word of greeting, or nothing: "Sorry, I have to go now". */
const WHOLE = 0.7;

export interface SaidIn {
  readonly said: string;
  readonly message: string;
  readonly isConversation: boolean;
  /** True where people tell each other of their days. */
  readonly isTalk: boolean;
}

/** Chat: a long message, or any message of a talk. */
const isChat = ({ message, isTalk }: Pick<SaidIn, 'message' | 'isTalk'>): boolean =>
  isTalk || message.length > LONG_MESSAGE;

const NAME_OR_NUMBER = /(?<=.)(?:\p{Lu}\p{L}|\d)/u;

/** A sentence whose pronoun stays open says nothing alone: "They are full of potholes" in the midst of a long message. */
export const isPartOfChat = (said: Omit<SaidIn, 'isConversation'>): boolean =>
  isChat(said) && !NAME_OR_NUMBER.test(said.said);

interface Remarked extends Omit<SaidIn, 'isConversation'> {
  /** Null where the grammar reads none. */
  readonly clause: Clause | null;
  readonly memory: string;
  readonly own: ReadonlySet<string>;
  /** True where a pronoun stays open. */
  readonly leans: boolean;
  readonly why: Exclusion['why'] | null;
}

/** The place of a thing that the sentence before names, or that somebody shows. */
const OF_A_THING = /^(?:it|this|that|these|those)\b/i;
/** A judgement needs more than the noun that it judges: "is a great city". */
const ENOUGH_JUDGED = 2;

/**
 * In the midst of a long message, a sentence that the gate refused is a remark where it says nothing of somebody or something named:
 * "It was like flying", "The gym is awesome", "Making plans helps me". Data stands in short messages.
 */
export const isRemarkInChat = (remarked: Remarked): boolean => {
  if (!isChat(remarked)) return false;
  const { clause, memory, own, leans, why, said } = remarked;
  const isNameless = !NAME_OR_NUMBER.test(said) && !/^\d|:/.test(said);
  if (isNameless && (clause === null || why === 'reaction' || why === 'request')) return true;
  if (clause === null) return false;
  const { subject, verb } = clause;
  const found = evidenceIn(verbTokensOf(verb.rest), own);
  if (leavesOpen({ clause, memory, own }) || (leans && OF_A_THING.test(memory))) return true;
  if (isJudgement(clause) && found < ENOUGH_JUDGED) return true;
  if (!namesNothing({ clause, memory, own })) return false;
  // "When I turned ten, dad gave me a boat": the subject is that of a condition.
  if (!SUBORDINATE.test(said) && !isNamedSubject(subject, own)) return true;
  const isEmpty = found === 0 && verb.lemma !== 'be' && isOwn(subject, own);
  return isEmpty || SHOWN.test(verb.rest);
};

const lettersIn = (text: string): number => text.replace(/[^\p{L}\p{N}]+/gu, ' ').trim().length;

/** Most sentences are much shorter than their message, so that its letters need not be counted. */
const isWholeMessage = ({ said, message }: SaidIn): boolean =>
  message.length < 2 * said.length && lettersIn(said) > WHOLE * lettersIn(message);

const oddsOfPlace = (place: SaidIn): number => {
  const { said, isConversation } = place;
  const isWhole = isConversation && isWholeMessage(place);
  return (
    (isConversation ? 0 : OF_NOTE) +
    (isWhole ? OF_WHOLE_MESSAGE : 0) +
    (isConversation && isChat(place) ? OF_LONG_MESSAGE : 0) +
    (said.includes('!') ? OF_EXCLAMATION : 0) +
    (/\d/.test(said) ? OF_NUMBER : 0) +
    (said.split(/\s+/).length >= LONG ? OF_LENGTH : 0)
  );
};

export const isWorthAsSaid = (chance: number, place: SaidIn): boolean =>
  saysMoreThanTime(place.said) && Math.log(chance / (1 - chance)) + oddsOfPlace(place) >= SURE;

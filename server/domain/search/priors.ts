// What makes one passage likelier than another whatever its words: each prior a named function, its reason and what
// leaving it out cost, in one table. Points of recall@10 / nDCG@10 on the development halves of LoCoMo (dialogue) and
// BEAM (role chats).
import { analyse } from '../../lib/text/analyse.ts';
import { hasTimeExpression, inRanges } from '../../lib/text/dates.ts';
import { namesAnother } from './codes.ts';
import { endsInQuestion, isAssistant, isDialogue, isRoleChat } from './flags.ts';
import type { Question } from './question.ts';
import type { Rankable } from './unit.ts';

const ASSISTANT = 0.65;
const USER = 1.3;

/** What the priors know of a search beside what they judge. */
export interface Setting {
  question: Question;
  /** The one speaker whom the question names; null when it names none or several. */
  named: string | null;
}

export interface Prior {
  name: string;
  /** What multiplies the evidence where it speaks for and where it speaks against; their ratio is what orders results. */
  yes: number;
  no: number;
  /** Null: it has nothing to say of this one. */
  says(unit: Rankable, setting: Setting): boolean | null;
  reason: string;
  measured: string;
}

/**
 * A prior orders results and must not lift them all: a question that names a speaker is not answered better by a
 * container in which he speaks. So what one side gains the other loses.
 */
export const PRIORS: readonly Prior[] = [
  {
    name: 'named speaker',
    yes: 1.22,
    no: 0.82,
    says: spokenByTheNamed,
    reason: 'A question about a person is mostly answered by what that person says.',
    measured: 'dialogue −3.1 / −4.3 without it',
  },
  {
    name: 'question turn',
    yes: 0.8,
    no: 1,
    says: asksItself,
    reason: 'A turn that asks holds the words of an answer, not the answer.',
    measured: 'dialogue −0.6 / −1.1 without it',
  },
  {
    name: 'assistant text',
    yes: ASSISTANT,
    no: USER,
    says: saidByAnAssistant,
    reason:
      'Assistants write at length about what users told them in a sentence; the sentence is the memory.',
    measured: 'role chats −10.5 / −11.0 without it',
  },
  {
    name: 'tells when',
    yes: 1.07,
    no: 0.93,
    says: tellsWhen,
    reason: 'To "when" and "how long" the answer holds an expression of time.',
    measured: 'dialogue −0.2 / −0.5 without it',
  },
  {
    name: 'named date',
    yes: 1.14,
    no: 0.88,
    says: datedAsAsked,
    reason: 'A question that names a day or month means what was said then or shortly after.',
    measured: 'dialogue −0.3 / −0.6 without it (one question in eight names a date)',
  },
  {
    name: 'another code',
    yes: 0.35,
    no: 1,
    says: namesAnotherCode,
    reason:
      'A code is one word: what shares half of it with the code that was asked for is about something else.',
    measured:
      'of 664 questions for a code that is not there 39–100 % bring up a sibling without it, none with it; of those for one that is, 85–100 % find it first without it, all with it; SciFact −0.2 / −0.2 (one question names a code)',
  },
  {
    name: 'guess',
    yes: 0.8,
    no: 1,
    says: isGuessed,
    reason: 'What was concluded and approved by nobody stands below what it was concluded from.',
    measured: 'a published rule; of two that match alike either may come first without it',
  },
];

function spokenByTheNamed({ flags, speaker }: Rankable, { named }: Setting): boolean | null {
  return named === null || !isDialogue(flags) ? null : speaker === named;
}

function asksItself({ flags }: Rankable): boolean | null {
  return isDialogue(flags) ? endsInQuestion(flags) : null;
}

function saidByAnAssistant({ flags }: Rankable): boolean | null {
  return isRoleChat(flags) ? isAssistant(flags) : null;
}

function tellsWhen({ text }: Rankable, { question }: Setting): boolean | null {
  return question.asksWhen ? hasTimeExpression(text) : null;
}

function datedAsAsked({ date }: Rankable, { question }: Setting): boolean | null {
  return date === null || question.dates.length === 0 ? null : inRanges(date, question.dates);
}

function namesAnotherCode({ text }: Rankable, { question }: Setting): boolean | null {
  return question.codes.length === 0 ? null : namesAnother(text, question.codes);
}

function isGuessed({ isGuess }: Rankable): boolean | null {
  return isGuess === undefined ? null : isGuess;
}

const factorOf = ({ yes, no }: Prior, said: boolean | null): number => (said === null ? 1 : said ? yes : no);

export interface Applied {
  name: string;
  factor: number;
  reason: string;
}

/** Those that have something to say of it. */
export const appliedTo = (unit: Rankable, setting: Setting): Applied[] =>
  PRIORS.flatMap((prior) => {
    const said = prior.says(unit, setting);
    return said === null ? [] : [{ name: prior.name, factor: factorOf(prior, said), reason: prior.reason }];
  });

/** All priors, multiplied. */
export function priorOf(unit: Rankable, setting: Setting): number {
  return PRIORS.reduce((product, prior) => product * factorOf(prior, prior.says(unit, setting)), 1);
}

/** What is known before the text is read: the priors that flags alone decide. */
export const priorOfFlags = (flags: number): number =>
  isRoleChat(flags) ? (isAssistant(flags) ? ASSISTANT : USER) : 1;

const namedIn = (question: Question, speaker: string): boolean =>
  analyse(speaker).some((term) => question.terms.includes(term));

/** Who speaks in these, where people with names speak. */
export const speakersIn = (units: readonly Rankable[]): string[] => [
  ...new Set(units.flatMap(({ flags, speaker }) => (speaker !== null && isDialogue(flags) ? [speaker] : []))),
];

/** Whom of these the question names. */
export const namedSpeakers = (question: Question, speakers: readonly string[]): string[] =>
  speakers.filter((speaker) => namedIn(question, speaker));

/** The one speaker among these whom the question names. */
export function namedSpeaker(question: Question, units: readonly Rankable[]): string | null {
  const named = namedSpeakers(question, speakersIn(units));
  return named.length === 1 ? (named[0] ?? null) : null;
}

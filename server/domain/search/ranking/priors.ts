// The priors: properties that make one candidate likelier than another before the query's words are compared. One table
// holds each prior with its reason and the cost of leaving it out, in points of recall@10 / nDCG@10 on the development
// halves of LoCoMo (dialogue) and BEAM (role chats).
import { endsInQuestion, isAssistant, isDialogue, isRoleChat } from '../../../core/chunks/chunk-flags.ts';
import { hasTimeExpression, inRanges } from '../../../lib/text/dates/question-dates.ts';
import { analyse } from '../../../lib/text/terms/analyse.ts';
import type { ParsedQuery } from '../query/parse-query.ts';
import { namesOtherCode } from '../words/codes.ts';
import type { SearchCandidate } from './candidate.ts';

const ASSISTANT = 0.65;
const USER = 1.3;

/** The facts about a search that the priors use. */
export interface PriorContext {
  query: ParsedQuery;
  /** The one speaker whom the query names; null if it names none or several. */
  named: string | null;
}

export interface Prior {
  name: string;
  /** Factors of the evidence where the prior applies and where it does not; their ratio orders results. */
  yes: number;
  no: number;
  /** Null: the prior says nothing about this candidate. */
  appliesTo(candidate: SearchCandidate, context: PriorContext): boolean | null;
  reason: string;
  measured: string;
}

const isSpokenByNamedSpeaker = (
  { flags, speaker }: SearchCandidate,
  { named }: PriorContext,
): boolean | null => (named === null || !isDialogue(flags) ? null : speaker === named);

const isQuestionTurn = ({ flags }: SearchCandidate): boolean | null =>
  isDialogue(flags) ? endsInQuestion(flags) : null;

const isAssistantText = ({ flags }: SearchCandidate): boolean | null =>
  isRoleChat(flags) ? isAssistant(flags) : null;

const holdsTimeExpression = ({ text }: SearchCandidate, { query }: PriorContext): boolean | null =>
  query.asksWhen ? hasTimeExpression(text) : null;

const hasNamedDate = ({ date }: SearchCandidate, { query }: PriorContext): boolean | null =>
  date === null || query.dates.length === 0 ? null : inRanges(date, query.dates);

const holdsOtherCode = ({ text }: SearchCandidate, { query }: PriorContext): boolean | null =>
  query.codes.length === 0 ? null : namesOtherCode(text, query.codes);

const isUnapprovedGuess = ({ isGuess }: SearchCandidate): boolean | null =>
  isGuess === undefined ? null : isGuess;

/**
 * A prior orders results and must not lift all of them: a query that names a speaker is not answered better by a
 * container in which that person speaks. So one side loses what the other gains.
 */
export const PRIORS: readonly Prior[] = [
  {
    name: 'named speaker',
    yes: 1.22,
    no: 0.82,
    appliesTo: isSpokenByNamedSpeaker,
    reason: 'The answer to a query about a person is mostly said by that person.',
    measured: 'dialogue −3.1 / −4.3 without it',
  },
  {
    name: 'question turn',
    yes: 0.8,
    no: 1,
    appliesTo: isQuestionTurn,
    reason: 'A turn that asks holds the words of an answer, not the answer.',
    measured: 'dialogue −0.6 / −1.1 without it',
  },
  {
    name: 'assistant text',
    yes: ASSISTANT,
    no: USER,
    appliesTo: isAssistantText,
    reason:
      'Assistants write at length about what users told them in a sentence; the sentence is the memory.',
    measured: 'role chats −10.5 / −11.0 without it',
  },
  {
    name: 'tells when',
    yes: 1.07,
    no: 0.93,
    appliesTo: holdsTimeExpression,
    reason: 'To "when" and "how long" the answer holds an expression of time.',
    measured: 'dialogue −0.2 / −0.5 without it',
  },
  {
    name: 'named date',
    yes: 1.14,
    no: 0.88,
    appliesTo: hasNamedDate,
    reason: 'A query that names a day or month means statements from then or shortly after.',
    measured: 'dialogue −0.3 / −0.6 without it (one question in eight names a date)',
  },
  {
    name: 'another code',
    yes: 0.35,
    no: 1,
    appliesTo: holdsOtherCode,
    reason:
      'A code is one word: a text that shares only half of it with the code in the query is about something else.',
    measured:
      'of 664 questions for a code that is not there 39–100 % bring up a sibling without it, none with it; of those for one that is, 85–100 % find it first without it, all with it; SciFact −0.2 / −0.2 (one question names a code)',
  },
  {
    name: 'guess',
    yes: 0.8,
    no: 1,
    appliesTo: isUnapprovedGuess,
    reason: 'A conclusion that nobody has approved ranks below the statements from which it was drawn.',
    measured: 'a published rule; of two that match alike either may come first without it',
  },
];

const priorFactor = ({ yes, no }: Prior, applies: boolean | null): number =>
  applies === null ? 1 : applies ? yes : no;

export interface AppliedPrior {
  name: string;
  factor: number;
  reason: string;
}

/** The priors that say something about the candidate. */
export const appliedPriors = (candidate: SearchCandidate, context: PriorContext): AppliedPrior[] =>
  PRIORS.flatMap((prior) => {
    const applies = prior.appliesTo(candidate, context);
    return applies === null
      ? []
      : [{ name: prior.name, factor: priorFactor(prior, applies), reason: prior.reason }];
  });

/** All priors, multiplied. */
export const combinedPrior = (candidate: SearchCandidate, context: PriorContext): number =>
  PRIORS.reduce((product, prior) => product * priorFactor(prior, prior.appliesTo(candidate, context)), 1);

/** The priors that flags alone decide, known before the text is read. */
export const priorFromFlags = (flags: number): number =>
  isRoleChat(flags) ? (isAssistant(flags) ? ASSISTANT : USER) : 1;

const queryNames = (query: ParsedQuery, speaker: string): boolean =>
  analyse(speaker).some((term) => query.terms.includes(term));

/** The named people who speak in these candidates. */
export const speakersIn = (candidates: readonly SearchCandidate[]): string[] => [
  ...new Set(
    candidates.flatMap(({ flags, speaker }) => (speaker !== null && isDialogue(flags) ? [speaker] : [])),
  ),
];

/** The speakers whom the query names. */
export const namedSpeakers = (query: ParsedQuery, speakers: readonly string[]): string[] =>
  speakers.filter((speaker) => queryNames(query, speaker));

/** The one speaker whom the query names; null when it names none or several. */
export const namedSpeaker = (query: ParsedQuery, candidates: readonly SearchCandidate[]): string | null => {
  const named = namedSpeakers(query, speakersIn(candidates));
  return named.length === 1 ? (named[0] ?? null) : null;
};

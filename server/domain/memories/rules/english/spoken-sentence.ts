// A sentence as it was said, by whom and when, and the message that it stands in.
import type { Utterance } from '../../../../adapters/language-model/ports/memory-reader.ts';
import type { BriefFact, RuleStatement } from '../language.ts';
import { withMark } from './corrections/marks.ts';
import { briefFactOf } from './fact.ts';
import type { Voice } from './grammar/person.ts';
import { listedFacts } from './lists.ts';
import type { Told } from './statement.ts';

/** Remembered text that an agent inserted before a person's message. */
const RECALLED =
  /<(?<tag>[a-z_-]*(?:memor(?:y|ies)|context|profile|recall)[a-z_-]*)\b[^>]{0,200}>[\s\S]*?<\/\k<tag>>/gi;
/** "[shares a photo of a dog]": a remark about the conversation, which nobody said. */
const ASIDE = /(?<=^|\s)\[\p{L}[^\][\n]*\s[^\][\n]*\](?=\s|$)/gu;
/** The time and the aside of a label, "[10:42]" and "(Max's mum)", are kept in the text of the message for search. */
const LABEL_REST =
  /^(?:[[(]?\d{1,2}:\d{2}(?::\d{2})?(?: ?[ap]m)?[\])]?(?: ?[-–—])?\s+)?(?:\([^)\n]{1,40}\)\s+)?/i;

export const spokenMessage = ({ text, speaker }: Utterance): string =>
  withMark(
    (speaker === null ? text : text.replace(LABEL_REST, '')).replace(RECALLED, ' ').replace(ASIDE, ' '),
  );

export interface SpokenSentence {
  readonly utterance: Utterance;
  readonly voice: Voice;
  readonly saidAt: number | null;
  readonly daysFrom: number | null;
  /** The original sentence. */
  readonly said: string;
}

export const ruleStatement = (speech: SpokenSentence, told: Told, memory: string): RuleStatement => ({
  memory,
  said: speech.said,
  corrects: [],
  position: speech.utterance.position,
  saidAt: speech.saidAt,
  daysFrom: speech.daysFrom,
  eventDates: told.eventDates,
  forgetAfter: told.forgetAfter,
});

export const listedStatements = (speech: SpokenSentence, told: Told): RuleStatement[] =>
  listedFacts(told.memory).map((memory) => ruleStatement(speech, told, memory));

export const isSpoken = ({ utterance }: SpokenSentence): boolean =>
  utterance.speaker !== null || utterance.role !== null;

export const namesOfVoices = ({ voice }: SpokenSentence): string[] => [voice.name, voice.listener ?? ''];

/** The parts of a statement that the gate judges. */
export const judgedOf = ({ memory, eventDates }: Told, fact: BriefFact | null, speech: SpokenSentence) => ({
  ...{ memory, fact, names: namesOfVoices(speech) },
  isDated: eventDates.length > 0,
  isConversation: isSpoken(speech),
});

/** The wording must be recognised when it is repeated. */
export const isFact = (statement: RuleStatement): boolean => {
  const { slot, introduces } = briefFactOf(statement.memory);
  return slot !== null || introduces;
};

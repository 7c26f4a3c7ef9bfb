// Lines with a label: "Priya: book the venue", "Heating: gas", "Tank 2: heater replaced" as the sentences that they stand for.
import { isAuxiliary } from '../grammar/verb-phrase.ts';
import { hasForm, isPastForm, type VerbToken, verbTokensOf } from '../grammar/verbs.ts';
import type { Labelled } from './lines.ts';

/** The labels of a list of those who came. */
const ATTENDANCE = /^(?:present|attendees|participants)$/i;
const TASKS = /^(?:action(?:s| items?| points?)?|to[- ]?dos?|tasks?|next steps|follow[- ]ups?)$/i;
/** The label of a form about its writer. */
const OWN_NAME = /^(?:full )?name$/i;
const MOST_NAME_WORDS = 3;
const MOST_LABEL_WORDS = 4;
const NAME = /^(?:\p{Lu}\p{L}*\.? )*\p{Lu}[\p{L}'’-]+$/u;

export const isOwnName = ({ label }: Labelled): boolean => OWN_NAME.test(label);
export const isTaskHeading = (heading: string): boolean => TASKS.test(heading);

/** The tagger takes any capitalised word for a name: "Languages" is a word of the language, "Priya" is none. */
export const isNameLabel = (label: string): boolean => {
  if (!NAME.test(label) || label.split(' ').length > MOST_NAME_WORDS) return false;
  const isWord = verbTokensOf(label.toLowerCase()).every(({ isKnown, pos }) => isKnown && pos !== 'PROPN');
  return (
    !isWord &&
    verbTokensOf(`${label} is here`)
      .slice(0, -2)
      .every(({ pos }) => pos === 'PROPN')
  );
};

const startsAct = ([first, next]: readonly VerbToken[]): boolean =>
  hasForm(first, 'plain') && next !== undefined && /^(?:DET|PRON|PROPN|NUM|PART)$/.test(next.pos);

/** The act or the task of a named person: "Priya: book the venue", "Lena: finishing the login page". */
export const personSentence = ({ label, value }: Labelled, isTask: boolean): string | null => {
  const tokens = verbTokensOf(value);
  const [first, next] = tokens;
  if (first === undefined || first.word !== first.lower) return null;
  const isWord = isTask ? /^\p{Lu}/u.test(label) : isNameLabel(label);
  if (!isWord) return null;
  if (first.lower === 'the' && tokens.some(({ lower }) => isAuxiliary(lower))) return value;
  if (hasForm(first, 'ing')) return `${label} is ${value}`;
  if (hasForm(first, 'participle') && next?.lower === 'by') return `${label} is ${value}`;
  if (hasForm(first, 's') && first.pos === 'VERB') return `${label} ${value}`;
  const holdsClause = tokens.some(({ lower }) => isAuxiliary(lower));
  return startsAct(tokens) || (isTask && !holdsClause) ? `${label} is to ${value}` : null;
};

/** "heater is broken", "heater replaced": something of the thing in the label. */
const partSentence = (label: string, value: string): string | null => {
  const [first, second] = verbTokensOf(value);
  if (first?.pos !== 'NOUN' || second === undefined || first.word !== first.lower || hasForm(first, 'ing'))
    return null;
  const rest = value.slice(first.end).trim();
  if (isAuxiliary(second.lower)) return `The ${first.word} of ${label} ${rest}`;
  return second.pos === 'VERB' && hasForm(second, 'participle')
    ? `The ${first.word} of ${label} is ${rest}`
    : null;
};

/** "borrowed from Stellan" is a state, "swarmed on 12 May" an event. */
const eventSentence = (subject: string, value: string): string | null => {
  const [first, second] = verbTokensOf(value);
  if (first?.start !== 0 || first.pos !== 'VERB' || !hasForm(first, 'past')) return null;
  const isState = hasForm(first, 'participle') && /^(?:by|from|with)$/.test(second?.lower ?? '');
  if (isState) return `${subject} is ${value}`;
  return isNumbered(subject) ? `${subject} ${value}` : null;
};

const STATES_VALUE = /^[\p{Lu}\p{N}]/u;

const isNounLabel = (label: string): boolean => {
  const words = verbTokensOf(label);
  return words.length <= MOST_LABEL_WORDS && words.some(({ pos }) => /^(?:NOUN|PROPN)$/.test(pos));
};

/** "Tank 1", "Hive 3": a thing with its number is a name. */
const isNumbered = (label: string): boolean => /^\p{L}[\p{L} ]* \d+$/u.test(label);

const withWho = (value: string): string => {
  const at = value.indexOf(', ');
  const [first] = verbTokensOf(value.slice(at + 2));
  const isSomebody = /^(?:(?:Mr|Mrs|Ms|Dr)\. )?\p{Lu}\p{Ll}+/u.test(value);
  return at > 0 && isSomebody && hasForm(first, 's')
    ? `${value.slice(0, at)}, who ${value.slice(at + 2)}`
    : value;
};

const holdsVerb = (value: string): boolean => {
  const [first = ''] = value.split(/[,;(]/);
  return verbTokensOf(first).some(
    (token) =>
      isAuxiliary(token.lower) || (token.pos === 'VERB' && (hasForm(token, 's') || hasForm(token, 'plain'))),
  );
};

/** "Mrs Krol left for rehab": a sentence about the thing of the label, and no value of it. */
const isEvent = (value: string): boolean =>
  verbTokensOf(value)
    .slice(0, 4)
    .some(
      (token, at, all) => at > 0 && token.pos === 'VERB' && isPastForm(token) && all[at - 1]?.pos === 'PROPN',
    );

interface Form {
  /** True if the form gives its writer's name. */
  readonly isOwn: boolean;
  /** True if another line with a label stands beside this one. */
  readonly isBlock: boolean;
}

/** The sentence of a line with a label; null if it says all itself. */
export const labelSentence = ({ label, value }: Labelled, { isOwn, isBlock }: Form): string | null => {
  if (ATTENDANCE.test(label)) return `${value.replace(/, (?=[^,]+$)/, ' and ')} attended the meeting`;
  if (isOwn && isOwnName({ label, value })) return `My name is ${value}`;
  // "Abe: poor papa" is said by Abe.
  if (/\p{Ll}/u.test(label) && isNameLabel(label)) return null;
  if (!isNounLabel(label) && !(isBlock && STATES_VALUE.test(value))) return null;
  const subject = isNumbered(label) ? label : `${isOwn ? 'My' : 'The'} ${uncapitalised(label)}`;
  const part = isNumbered(label) ? partSentence(label, value) : null;
  const event = part ?? (isBlock ? eventSentence(subject, value) : null);
  if (event !== null) return event;
  if (hasForm(verbTokensOf(value)[0], 'past')) return null;
  const isMeasure = isNumbered(label) && /^\p{Ll}\p{L}* \d/u.test(value);
  if (!isBlock || isMeasure || holdsVerb(value) || isEvent(value)) return null;
  const isMany = hasManyHead(label);
  return `${subject} ${isMany ? 'are' : 'is'} ${withWho(value)}`;
};

const hasManyHead = (label: string): boolean => /[^suis]s$/i.test(label);

/** "Wi-Fi" and "GP" are names. */
const uncapitalised = (label: string): string =>
  /^\p{Lu}\p{Ll}*(?: |$)/u.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label;

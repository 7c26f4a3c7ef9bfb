// Joins a short answer with its question into a statement: "Where do you live?" – "In Munich."
import { tokensOf } from '../grammar/words.ts';

interface AnswerRule {
  readonly question: RegExp;
  /** The pattern of the answer; `value` goes into the sentence. */
  readonly answer: RegExp;
  /** `what`: the words of the question that the answer belongs to, as the speaker would say them. */
  readonly sentence: (value: string, what: string) => string;
  readonly example: readonly [question: string, answer: string, sentence: string];
}

const NAME = /^(?:it is |I am |my name is |call me )?(?<value>\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}'’-]+)?)$/u;
const THING = /^(?:probably |definitely |my favou?rite is |it is )?(?<value>[^?]{2,60})$/;

export const ANSWERS: readonly AnswerRule[] = [
  {
    question: /\bwhere (?:do|are) you (?:live|living|based|located)\b/i,
    answer: /^(?:I live |I am )?(?:[Ii]n |[Nn]ear |[Aa]t )?(?<value>\p{Lu}[^?]{1,60})$/u,
    sentence: (value) => `I live in ${value}`,
    example: ['Where do you live?', 'In Munich', 'I live in Munich'],
  },
  {
    question: /\bwhere are you (?:originally )?from\b/i,
    answer: /^(?:[Ff]rom )?(?<value>\p{Lu}[^?]{1,60})$/u,
    sentence: (value) => `I am from ${value}`,
    example: ['Where are you from?', 'From Chile', 'I am from Chile'],
  },
  {
    question: /\b(?:what is your name|who are you|your name\?)/i,
    answer: NAME,
    sentence: (value) => `My name is ${value}`,
    example: ['What is your name?', 'Anna', 'My name is Anna'],
  },
  {
    question: /\bhow old are you\b/i,
    answer: /^(?<value>1?\d{1,2})(?: years old)?$/,
    sentence: (value) => `I am ${value} years old`,
    example: ['How old are you?', '34', 'I am 34 years old'],
  },
  {
    question: /\bwhat do you do (?:for (?:a living|work))?|\bwhat is your (?:job|profession|occupation)\b/i,
    answer: /^(?<value>an? [^?]{3,60})$/i,
    sentence: (value) => `I am ${value}`,
    example: ['What do you do for a living?', 'A carpenter', 'I am A carpenter'],
  },
  {
    question: /\bwhere do you work\b/i,
    answer: /^(?:[Aa]t |[Ff]or )?(?<value>\p{Lu}[^?]{1,60})$/u,
    sentence: (value) => `I work at ${value}`,
    example: ['Where do you work?', 'At Bosch', 'I work at Bosch'],
  },
  {
    question: /\b(?:any|have) (?:food )?(?:allergies|dietary restrictions)\b|\ballergic to\b/i,
    answer: /^(?:yes,? )?(?:to )?(?<value>(?!no\b|none\b|nope\b)[a-z][a-z ,]{2,60})$/i,
    sentence: (value) => `I am allergic to ${value}`,
    example: ['Do you have any allergies?', 'Peanuts', 'I am allergic to Peanuts'],
  },
  {
    question: /\bwhat is your (?<noun>favou?rite [\p{L} ]{2,30})\?/iu,
    answer: THING,
    sentence: (value) => value,
    example: ['What is your favourite colour?', 'Green', 'My favourite colour is Green'],
  },
  {
    question:
      /\bhow long have you (?<what>(?:been|had|lived|known|worked|played|owned) [^?,]{2,60}?)(?: (?:now|again|for))?\?/i,
    answer:
      /^(?<value>(?:(?:[Ff]or|[Ss]ince) |(?:(?:about|almost|around|over|nearly|only|just) )?(?:an?|\d+|\p{L}+) (?:years?|months?|weeks?|days?)\b)[^?]{0,60})$/u,
    sentence: (value, what) =>
      `I have ${what} ${/^(?:for|since)\b/i.test(value) ? '' : 'for '}${value.charAt(0).toLowerCase()}${value.slice(1)}`,
    example: [
      'How long have you been creating art?',
      'Since I was 17',
      'I have been creating art since I was 17',
    ],
  },
  {
    question: /\bhow often do you (?<what>[^?,]{2,60}?)(?: (?:now|these days))?\?/i,
    answer:
      /^(?<value>(?:(?:about|usually|only|just) )?(?:every|once|twice|(?:\d+|\p{L}+) times) [^?]{1,60}|daily|weekly|monthly)$/iu,
    sentence: (value, what) => `I ${what} ${value.charAt(0).toLowerCase()}${value.slice(1)}`,
    example: ['How often do you row?', 'Twice a week', 'I row twice a week'],
  },
];

const YES_NO =
  /^(?<verb>do|are|have) you (?!know|think|want|mean|need|mind|remember|see|have (?:time|a minute|any idea)|agree|ready|sure|okay|ok|there|there|free|serious|kidding)(?<rest>[^?]{3,80})\?$/i;
const YES = /^(?:yes|yeah|yep|yup|sure|I do|I am|I have)(?:,? I (?:do|am|have))?$/i;
const NO = /^(?:no|nope|nah|I don't|I am not|I haven't)(?:,? I (?:don't|do not|am not|have not|haven't))?$/i;

const mine = (words: string): string =>
  words
    .replace(/\byour\b/gi, 'my')
    .replace(/\byou\b/gi, 'I')
    .replace(/\bany\b/gi, 'a');

const answerToYesNo = (question: string, answer: string): string | null => {
  const { verb = '', rest = '' } = YES_NO.exec(question)?.groups ?? {};
  if (rest === '') return null;
  const isYes = YES.test(answer);
  if (!isYes && !NO.test(answer)) return null;
  const words = mine(rest);
  if (/^are$/i.test(verb)) return isYes ? `I am ${words}` : `I am not ${words}`;
  if (/^have$/i.test(verb)) return isYes ? `I have ${words}` : `I have not ${words}`;
  return isYes ? `I ${words}` : `I don't ${words}`;
};

const LONGEST_ANSWER = 8;

/** The sentence that an answer means; null if it is self-contained or unclear. */
export const answerStatement = (question: string, answer: string): string | null => {
  const plain = answer.replace(/[.!\s]+$/, '').trim();
  if (tokensOf(plain).length > LONGEST_ANSWER) return null;
  const either = answerToYesNo(question, plain);
  if (either) return either;
  for (const row of ANSWERS) {
    const asked = row.question.exec(question);
    const value = asked ? row.answer.exec(plain)?.groups?.value : undefined;
    if (!asked || value === undefined || /^I\b/.test(value)) continue;
    const { noun, what = '' } = asked.groups ?? {};
    return noun ? `My ${noun} is ${value}` : row.sentence(value, mine(what));
  }
  return null;
};

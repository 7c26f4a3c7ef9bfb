// The kinds of answer that English questions ask for, and the statements that hold one: a time for "when", a number for "how
// many". A statement without it answers no such question, whatever its words.
import { hasTimeExpression } from './dates/question-dates.ts';

interface KindOfAnswer {
  readonly asked: RegExp;
  readonly holds: (statement: string) => boolean;
}

const DAYTIME =
  /\b(?:\d{1,2}(?:[:.]\d{2})? ?(?:am|pm)|\d{1,2}:\d{2}|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|morning|afternoon|evening|night|noon|(?:week|month|year)(?:ly|s)?|spring|summer|autumn|winter)\b/iu;
const NUMBER =
  /\p{N}|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|once|twice|hundred|thousand|dozen|half)\b/iu;
/** A capital letter tells nothing of the first word of a statement. */
const NAME = /(?<=\S\s)\p{Lu}\p{L}+/u;
const PLACE = /\b(?:at|in|near|opposite|behind|beside|next to) (?:the|an?|(?:my|his|her|their|our)) \p{L}/iu;
const PERSON =
  /\b(?:mother|father|mum|mom|dad|sister|brother|wife|husband|partner|friend|boss|son|daughter|team|someone|guy|woman|man)\b/iu;

const KINDS: readonly KindOfAnswer[] = [
  {
    asked: /\bwhen\b|\bwhat time\b|\b(?:which|what) (?:day|date|month|year|weekday|evening)\b|\bhow long\b/iu,
    holds: (statement) => DAYTIME.test(statement) || hasTimeExpression(statement),
  },
  {
    asked:
      /\bhow (?:many|much|old|big|tall|often|far|fast|large)\b|\bcosts?\b|\bprice\b|\bwhat (?:size|dose|number|percent|age)\b|\bphone number\b/iu,
    holds: (statement) => NUMBER.test(statement),
  },
  {
    asked: /\bwhere\b|\b(?:which|what) (?:town|city|country|street)\b/iu,
    holds: (statement) => NAME.test(statement) || PLACE.test(statement),
  },
  {
    asked: /\bwho(?:m|se)?\b|\bwhat\b.*\b(?:called|name)\b/iu,
    holds: (statement) => NAME.test(statement) || PERSON.test(statement),
  },
];

/** Undefined: the question asks for none of these kinds. */
export const holdsKindAsked = (question: string): ((statement: string) => boolean) | undefined =>
  KINDS.find(({ asked }) => asked.test(question))?.holds;

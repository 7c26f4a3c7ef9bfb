// Writes a sentence that was typed without capitals as a careful writer would: days, months, and names that tell themselves.
import { CAPITALISED_MONTH, FULL_WEEKDAY } from '../../../../../lib/text/dates/calendar.ts';
import { NAMES_AND_WORDS } from './names.ts';
import { isPersonNoun, isPetNoun } from './people.ts';
import { replaceTokens } from './person.ts';
import { type VerbToken, verbTokensOf } from './verbs.ts';
import { capitalised, type Token, withoutOwner } from './words.ts';

export interface Typing {
  /** The sentence with its capitals; it may also name somebody for those that follow. */
  written(sentence: string): string;
}

/** Days, months and languages. "may" and "march" are words as well: a preposition before them, or a number beside them, makes them months. */
const CALENDAR =
  /\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\b(?:january|february|april|june|july|august|september|october|november|december)\b|(?<=\b(?:in|until|till|since|by|from|of|early|late|next|last|\d(?:st|nd|rd|th)|(?:on|until|till|by|from|to|the|-)\s?\d{1,2})\s)(?:may|march)\b|\b(?:may|march)(?=\s\d{1,2}(?:st|nd|rd|th)?\b)|\b(?:english|german|french|spanish|italian|portuguese|dutch|russian|chinese|mandarin|japanese|korean|arabic|turkish|greek|swedish|norwegian|danish|finnish|hindi|czech|hungarian|welsh|irish)\b/g;
const MAY_DATE =
  /day|uary|march|april|may|june|july|august|ember|october|[a-z]ish|ese|german|french|ian|dutch|mandarin|arabic|korean|greek|hindi|czech|welsh/;
const CALENDAR_NAME = new RegExp(`\\b(?:${FULL_WEEKDAY}s?|${CAPITALISED_MONTH})\\b`, 'g');

/** "I" and the first word have a capital on any telephone. */
const isCasual = (sentence: string): boolean =>
  !/\s["'(]?(?!I\b)\p{Lu}/u.test(sentence.replace(CALENDAR_NAME, ''));

/** Words that announce a name: "my name is priya", "a cat called miso". */
const NAMED = /\b(?:name is|name's|called|named|call me)\s+$/i;
const INTRODUCES = /^(?:(?:hi|hiya|hey|heya|hello)(?: there| all)?[,!]? )?(?:I am|I'm|i'm|im|i am|Im) $/;
/** The words behind a name in an introduction: "im sam, 34". */
const INTRODUCED = /^(?:, (?:\d{1,3}\b|an? )|,? from )/;
/** Behind a greeting, a statement as well: "hey im sam, my train is late". */
const INTRODUCED_IN_GREETING = /^(?:,? and|,) (?:i|we|my|our)\b/i;
const MAY_NAME =
  /\b(?:my|our|his|her|their)\s|\b(?:name is|name's|called|named|call me)\s|^(?:(?:hi|hiya|hey|heya|hello)\b.{0,8} )?[Ii]'?(?:m| am) \p{Ll}+,? (?:\d|an? |from |(?:and )?(?:i|we) )/u;

const mayBeName = ({ isKnown, pos }: VerbToken, plain: string): boolean =>
  /^(?:NOUN|PROPN)$/.test(pos) && (!isKnown || NAMES_AND_WORDS.has(plain)) && !/day$/.test(plain);

/** "my dog snores": a verb that the tagger does not know stands behind a noun as well, and ends its clause. */
const isFollowed = (token: VerbToken, next: VerbToken | undefined): boolean =>
  /^(?:VERB|AUX|ADV)$/.test(next?.pos ?? '') ||
  next?.verb?.forms.has('s') === true ||
  !/(?:s|ed|ing)$/.test(token.lower);

const isKinOf = (owner: VerbToken | undefined, noun: VerbToken | undefined): boolean =>
  owner !== undefined &&
  noun !== undefined &&
  /^(?:my|our|his|her|their)$|['’]s$/.test(owner.lower) &&
  (isPersonNoun(noun.lower) || isPetNoun(noun.lower));

/** Names that the sentence itself tells: "my brother callum checks on her". The parts of speech are asked for last. */
const toldNames = (sentence: string, tokens: readonly VerbToken[]): string[] =>
  tokens.flatMap((token, at) => {
    if (token.word !== token.lower) return [];
    const plain = withoutOwner(token.lower);
    const before = sentence.slice(0, token.start);
    const behind = sentence.slice(token.end);
    const isIntroduced =
      INTRODUCED.test(behind) || (/^h/i.test(before) && INTRODUCED_IN_GREETING.test(behind));
    const isTold = NAMED.test(before) || (INTRODUCES.test(before) && isIntroduced);
    if (!isTold && !(isKinOf(tokens[at - 2], tokens[at - 1]) && isFollowed(token, tokens[at + 1]))) return [];
    return mayBeName(token, plain) ? [plain] : [];
  });

const MONTH_IN = new RegExp(`\\b(?<!the )${CAPITALISED_MONTH}\\b(?: (?:19|20)\\d\\d)?`, 'g');
const BARE_DAY =
  /(?<=\b(?:on|until|till|by|from|to) )the \d{1,2}(?:st|nd|rd|th)\b(?! (?:of|floor|street|avenue|\p{Lu}))/gu;

/** "in May, out on the 14th and back on the 21st": the one month that the sentence names is that of its days. */
const inItsMonth = (sentence: string): string => {
  if (!/the \d/.test(sentence)) return sentence;
  const [month, ...others] = new Set(sentence.match(MONTH_IN));
  return month === undefined || others.length > 0
    ? sentence
    : sentence.replace(BARE_DAY, (day) => `${day} of ${month}`);
};

/** `names`: those that are known already. */
export const createTyping = (names: readonly string[]): Typing => {
  let known = names.map((name) => name.toLowerCase());
  const learned = new Set(known);
  const isNamed = ({ word, lower }: Token): boolean => word === lower && learned.has(withoutOwner(lower));
  return {
    written(sentence) {
      const dated = inItsMonth(MAY_DATE.test(sentence) ? sentence.replace(CALENDAR, capitalised) : sentence);
      const tells = MAY_NAME.test(dated);
      const mayHold = tells || known.some((name) => dated.includes(name));
      if (!mayHold || !isCasual(dated)) return dated;
      const tokens = verbTokensOf(dated);
      if (tells) for (const name of toldNames(dated, tokens)) learned.add(name);
      known = [...learned];
      const named = tokens.flatMap((token, at): [number, string][] =>
        isNamed(token) && mayBeName(token, withoutOwner(token.lower)) ? [[at, capitalised(token.word)]] : [],
      );
      return replaceTokens(dated, tokens, new Map(named));
    },
  };
};

/** Test cases: a conversation as it was typed, and as it is read. */
export const typingExamples: readonly (readonly [readonly string[], readonly string[]])[] = [
  [['my son odin turns 4 on friday'], ['my son Odin turns 4 on Friday']],
  [
    ['hey im yusuf, 41', 'yusuf here again'],
    ['hey im Yusuf, 41', 'Yusuf here again'],
  ],
  [
    ['hey im priya, my brother callum is coming on friday'],
    ['hey im Priya, my brother Callum is coming on Friday'],
  ],
  [['hi im tired, my train was late'], ['hi im tired, my train was late']],
  [['we may go in may'], ['we may go in May']],
  [['i speak welsh'], ['i speak Welsh']],
  [
    ['we land on the 2nd of june and leave on the 9th'],
    ['we land on the 2nd of June and leave on the 9th of June'],
  ],
  [['my dog snores'], ['my dog snores']],
  [['my sister works nights'], ['my sister works nights']],
  [
    ['our cat biscotti is 3', 'biscotti hates the vet'],
    ['our cat Biscotti is 3', 'Biscotti hates the vet'],
  ],
];

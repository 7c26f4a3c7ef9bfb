// Unifies how people introduce themselves, and says each fact of an introduction by itself: "I am Anna, 34, nurse in Graz".

import { isNationality, NAMES_AND_WORDS } from '../grammar/names.ts';
import { hasForm, isNumeral, type VerbToken, verbTokensOf } from '../grammar/verbs.ts';

const USER_NOTE = /^(?:the\s)?user(?<own>'s)?\s/i;
const NAMED =
  /^(?:I am|this is|my name is) (?:called |named )?(?<title>(?:Dr|Prof)\.? )?(?<name>\p{Lu}[\p{Ll}'’-]+(?: \p{Lu}[\p{Ll}'’-]+)?)(?:(?:,| and) (?<more>.*))?$/u;
const HERE = /^(?<name>\p{Lu}[\p{Ll}'’-]+(?: \p{Lu}[\p{Ll}'’-]+)?) (?:here|speaking)(?:, (?<more>.*))?$/u;
const NO_NAMES =
  /^(?:I|In|On|At|From|Ok|Okay|Sure|So|Not|Just|The|A|An|Very|Really|Vegan|Vegetarian|Single|Married|Happy|Sorry|Glad|Good|Fine|Great|Jewish|Muslim|Christian|Catholic|Buddhist|Hindu)$/;
/** "Same here", "Dinner here" name nobody. */
const isCommonWord = (name: string): boolean => {
  const lower = name.toLowerCase();
  return !NAMES_AND_WORDS.has(lower) && verbTokensOf(`${lower} is here`)[0]?.isKnown === true;
};
const CALL_ME =
  /^(?:please )?(?:just )?(?:you can )?call me (?<name>\p{Lu}[\p{Ll}'’-]+)(?: from now on|,? please|,? (?:and )?not \S+)?$/iu;

/** "As a nurse, I can't agree with you": what the speaker is, and an answer. */
const AS_A =
  /^as (?<what>an? (?!(?:kid|child|teen|teenager|boy|girl|result|rule|treat|bonus|whole|matter|last|first|group|team|couple)\b)[^,]{3,40}), I (?:can't |can |couldn't |don't |totally |fully |really |also )*(?:agree|disagree|understand|relate|appreciate)\b/i;

const AGE = /^(?:age |aged )?(?<age>\d{1,3})(?: years? old)?$/i;
const PLACE = /^(?:originally )?(?:from|based in|living in|born in) \S/i;

/** The tagger takes "work in Graz" for a noun. */
const GOES_ON = /^(?:work|study|live) (?:in|at|for|as|with|on)\b/i;

/** The tagger takes these for nouns and verbs. */
const STATE =
  /^(?:single|married|divorced|widowed|retired|self-employed|unemployed|vegetarian|vegan|pregnant|engaged|(?:left|right)-handed|coeliac|celiac|diabetic|dyslexic|deaf|blind)$/i;

/** "stonemason", "paramedic": one word for what somebody is, and no "thanks" or "cheers". */
const isRole = ({ pos, word, lower }: VerbToken): boolean =>
  pos === 'NOUN' && word === lower && !/s$/.test(lower);

/** The statement in a part of an introduction; null for "nice to meet you". */
const saidOfSpeaker = (part: string): string | null => {
  const age = AGE.exec(part)?.groups?.age;
  if (age !== undefined) return `I am ${age} years old`;
  if (/^(?:I|my|we|s?he|they)\b/.test(part)) return part;
  if (PLACE.test(part)) return `I am ${part}`;
  const tokens = verbTokensOf(part);
  const [first, second] = tokens;
  if (STATE.test(part)) return `I am ${part}`;
  // "two turtles", "no television": what they have.
  const isCount = first !== undefined && (isNumeral(first) || /^(?:\d{1,2}|no)$/.test(first.lower));
  if (isCount && second?.pos === 'NOUN' && !/^(?:years?|months?)$/.test(second.lower))
    return `I have ${part}`;
  // "…, live in Graz": the verb goes on from "I am Anna".
  if (hasForm(first, 'plain') && (first?.pos === 'VERB' || GOES_ON.test(part))) return `I ${part}`;
  if (!first || tokens.some(({ pos }) => pos === 'VERB' || pos === 'PRON' || pos === 'INTJ')) return null;
  if (tokens.length === 1 && first.pos === 'ADJ') return `I am ${part}`;
  if (tokens.length === 1 && !isRole(first)) return null;
  const head = tokens.find(({ pos }, at) => pos === 'NOUN' && tokens[at + 1]?.pos !== 'NOUN');
  if (!head) return null;
  const isBare = /^(?:NOUN|ADJ)$/.test(first.pos) && !/s$/.test(head.lower);
  const article = /^[aeiou]/i.test(part) ? 'an' : 'a';
  return `I am ${isBare ? `${article} ` : ''}${part}`;
};

const introduced = (name: string, more: string): string => {
  const said = more
    .split(/,\s*(?:and )?/)
    .map((part) => saidOfSpeaker(part.trim()))
    .filter((part) => part !== null);
  return [`My name is ${name}`, ...said].join(' and ');
};

/** "I am single and living in Lyon": two facts. */
const STATE_AND_PLACE =
  /^(?<who>I am|we are) (?<state>(?:single|married|divorced|widowed|retired|self-employed|unemployed|engaged|vegetarian|vegan|\d+(?: years old)?)) and (?<more>(?:living|working|studying|based) (?:in|at|for|as|with)\b.*)$/iu;

/** "I am Anna" → "My name is Anna"; "User likes tea" → "The user likes tea". */
export const oneWording = (sentence: string): string => {
  const plain = sentence.replace(/[\s.!]+$/, '');
  const called = CALL_ME.exec(plain)?.groups?.name;
  if (called && /^\p{Lu}/u.test(called)) return `I go by ${called}`;
  const what = AS_A.exec(plain)?.groups?.what;
  if (what !== undefined) return `I am ${what}`;
  const here = HERE.exec(plain);
  const isNobody = here?.groups?.name !== undefined && isCommonWord(here.groups.name);
  const { name, title = '', more = '' } = (NAMED.exec(plain) ?? (isNobody ? null : here))?.groups ?? {};
  if (name && !NO_NAMES.test(name.split(' ')[0] ?? '') && !isNationality(name))
    return introduced(title + name, more);
  const both = STATE_AND_PLACE.exec(plain)?.groups;
  if (both?.who !== undefined) return `${both.who} ${both.state} and ${both.who} ${both.more}`;
  return sentence.replace(USER_NOTE, (_, own: string | undefined) => `The user${own ?? ''} `);
};

export const introductionExamples: readonly (readonly [string, string])[] = [
  ['I am Anna', 'My name is Anna'],
  ['I am Anna, nice to meet you', 'My name is Anna'],
  ['I am Anna, I live in Graz and keep three cats', 'My name is Anna and I live in Graz and keep three cats'],
  [
    'I am Joanna, 34, product designer at a bank in Leeds',
    'My name is Joanna and I am 34 years old and I am a product designer at a bank in Leeds',
  ],
  [
    'I am Ola, left-handed, two turtles, no car',
    'My name is Ola and I am left-handed and I have two turtles and I have no car',
  ],
  ['I am Ola, stonemason, from Ghent', 'My name is Ola and I am a stonemason and I am from Ghent'],
  ['I am Piet, from Ghent', 'My name is Piet and I am from Ghent'],
  ['Zuzana here, 34, from Brno', 'My name is Zuzana and I am 34 years old and I am from Brno'],
  ['I am Dr. Mei Tan', 'My name is Dr. Mei Tan'],
  ['I am German', 'I am German'],
  ['Call me Annie', 'I go by Annie'],
  ['call me Annie, not Anne', 'I go by Annie'],
  ['I am Anna, 41, live in Graz', 'My name is Anna and I am 41 years old and I live in Graz'],
  ['I am single and living in Lyon', 'I am single and I am living in Lyon'],
  ['User prefers tea', 'The user prefers tea'],
  ["As a nurse, I can't agree with you", 'I am a nurse'],
  ['As a kid, I understand, you fear the dark', 'As a kid, I understand, you fear the dark'],
];

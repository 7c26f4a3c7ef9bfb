// List items that depend on their heading: "Food" with "no cilantro" and "loves ramen" tells of the writer.
import { hasForm, verbTokensOf } from '../grammar/verbs.ts';
import { wordSet } from '../grammar/words.ts';
import { type Line, labelIn } from './lines.ts';

/** A heading for tastes, and what it says of each item. */
const TASTES: readonly (readonly [RegExp, string])[] = [
  [/^dis-?likes?$/, 'I dislike'],
  [/^likes?$/, 'I like'],
  [/^(?:preferences?|style)$/, 'I prefer'],
  [/^(?:hobbies|hobby|interests?)$/, 'I enjoy'],
  [/^(?:allergies|allergy)$/, 'I am allergic to'],
];
const FAVOURITES = /\bfavou?rites?\b/i;
/** Only a person does these. */
const PERSONAL = wordSet(
  'like love hate dislike prefer enjoy adore avoid eat drink listen speak sleep wear loathe detest',
);
const PERSONAL_STATE =
  /^(?:allergic to|vegetarian|vegan|married to|based in|born in|retired|afraid of|fluent in)\b/i;

const tasteOf = (heading: string): string | null => {
  const last = heading.toLowerCase().split(' ').at(-1) ?? '';
  return TASTES.find(([pattern]) => pattern.test(last))?.[1] ?? null;
};

const [NO_VERB, NO_REST] = ['', ''];

/** "prefers trains": the verb and its object; empty if the item begins in another way. */
const habitIn = (item: string): { lemma: string; rest: string } => {
  const [first, second] = verbTokensOf(item);
  const isHabit = first?.start === 0 && first.word === first.lower && hasForm(first, 's');
  if (!isHabit || second === undefined || first.verb === undefined) return { lemma: NO_VERB, rest: NO_REST };
  return { lemma: first.verb.lemma, rest: item.slice(first.end).trim() };
};

const OWN = /^(?:I|my|we|our)\b/i;
const isClause = (item: string): boolean =>
  OWN.test(item) ||
  verbTokensOf(item).some((token, at) => at > 0 && token.pos === 'VERB' && hasForm(token, 's'));

/** "Meeting with Sam", "Sam likes the design": the list tells of somebody else. */
const namesOther = (heading: string, items: readonly string[]): boolean =>
  verbTokensOf(heading.toLowerCase()).some(({ isKnown, pos }) => !isKnown || pos === 'PROPN') ||
  items.some((item) => isClause(item) && !OWN.test(item) && habitIn(item).lemma === '');

/** True for a list about its writer, as one of its items or its heading tells. */
const tellsOfWriter = (heading: string, items: readonly string[]): boolean =>
  !namesOther(heading, items) &&
  (tasteOf(heading) !== null ||
    items.some((item) => PERSONAL_STATE.test(item) || PERSONAL.has(habitIn(item).lemma)));

/** "lactose intolerant": a state of a person. */
const endsWithState = (item: string): boolean => {
  const [first, last, more] = verbTokensOf(item);
  return more === undefined && first?.pos === 'NOUN' && last?.pos === 'ADJ';
};

/** "black, no sugar": how the thing of the heading is wanted. */
const isManner = (item: string): boolean => {
  const [first, next] = verbTokensOf(item);
  return (
    first?.pos === 'ADJ' &&
    first.start === 0 &&
    (next === undefined || !/^(?:NOUN|ADJ|PROPN)$/.test(next.pos))
  );
};

const preferred = (heading: string, item: string): string => {
  const taste = tasteOf(heading);
  const isOne = taste !== null && !heading.includes(' ');
  if (taste !== null && (isOne || taste !== 'I prefer')) return `${taste} ${item}`;
  const thing = heading.toLowerCase();
  if (taste !== null)
    return `My ${thing} preference is ${item}`.replace(/preferences? preference/, 'preference');
  return isManner(item) && !heading.includes(' ')
    ? `I like my ${thing} ${item}`
    : `My ${thing} preference is ${item}`;
};

const ofWriter = (heading: string, item: string): string => {
  const { lemma, rest } = habitIn(item);
  if (lemma !== '') return `I ${lemma} ${rest}`;
  if (isClause(item)) return item;
  const unwanted = /^no (?<what>[^,;]+)$/i.exec(item)?.groups?.what;
  if (unwanted !== undefined) return `I avoid ${unwanted}`;
  if (PERSONAL_STATE.test(item) || endsWithState(item)) return `I am ${item}`;
  return preferred(heading, item);
};

/** "Owners" with "Search: Mira": the heading names what somebody is for each label. */
const heldBy = (heading: string, line: Line): string | null => {
  const named = labelIn(line);
  const role = /^(?<role>\p{L}+(?:er|or|lead|contact)s)$/iu.exec(heading)?.groups?.role;
  if (!named || role === undefined || !/^\p{Lu}/u.test(named.value)) return null;
  return `The ${role.toLowerCase().slice(0, -1)} of ${named.label} is ${named.value}`;
};

/** The sentence of a heading's item; null if the item says all itself. */
export const itemSentence = (heading: string, line: Line, siblings: readonly Line[]): string | null => {
  const named = labelIn(line);
  if (named && FAVOURITES.test(heading)) return `My favourite ${named.label.toLowerCase()} is ${named.value}`;
  if (named) return heldBy(heading, line);
  const items = siblings.map(({ text }) => text);
  return line.isItem && tellsOfWriter(heading, items) ? ofWriter(heading, line.text) : null;
};

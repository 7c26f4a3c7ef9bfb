// Splits lists into facts: each item of "Anna likes sushi, ramen and pizza" may change separately.

import { briefFactOf } from './fact.ts';
import { clauseOf } from './grammar/clause.ts';
import { plainListIn } from './grammar/clauses.ts';
import { isNow, type VerbPhrase } from './grammar/verb-phrase.ts';

interface Row {
  readonly verbs: readonly string[];
  /** The text before the list. */
  readonly lead: RegExp;
  readonly example: readonly [string, readonly string[]];
}

const ROWS: readonly Row[] = [
  {
    verbs: [
      'like',
      'love',
      'enjoy',
      'adore',
      'hate',
      'dislike',
      'prefer',
      'speak',
      'stand',
      'have',
      'own',
      'play',
    ],
    lead: /^(?:both )?/,
    example: ['Anna likes sushi and ramen', ['Anna likes sushi', 'Anna likes ramen']],
  },
  {
    verbs: ['be'],
    lead: /^(?:\p{L}+ly )?(?:allergic to|(?:an? )?(?:big |huge )?fan of|into|fluent in|afraid of|interested in) /u,
    example: ['Anna is allergic to nuts and eggs', ['Anna is allergic to nuts', 'Anna is allergic to eggs']],
  },
];

/** The items of another verb must each be a fact of their own: "takes metformin and ramipril", but not "studied maths and physics". */
const LEAD = /^(?:\p{L}+ (?:to|of|in|for) )?/u;
/** "metformin and ramipril every day": the time holds for both. */
const FOR_ALL = /\b(?:every|each|daily|weekly|once|twice|together|now|again|today|only|instead)\b/i;

const areApart = (each: readonly string[]): boolean => {
  const slots = each.map((one) => briefFactOf(one).slot);
  return slots.every((slot) => slot?.includes(':')) && new Set(slots).size === slots.length;
};

/** "Electronic and rock music", "sci-fi and fantasy books": the last noun may belong to each item. */
const sharesNoun = (items: readonly string[]): boolean => {
  const last = items.at(-1)?.split(' ') ?? [];
  return last.length > 1 && items.some((item) => /^\p{Ll}[\p{L}-]*[^s\P{L}]$/u.test(item));
};

/** "Two kids, Emil (7) and Frida (4)": the others are the two. */
const areCounted = ([first = '', ...others]: readonly string[]): boolean =>
  /^(?:two|three|four|five|six|seven|both|\d+)\b/i.test(first) &&
  others.length > 1 &&
  others.every((item) => /^\p{Lu}/u.test(item));

/** "Jira for tickets and Slack for chat": each thing with its purpose. */
const FOR_PURPOSE = /^[\p{L}\p{N}.+#'’-]+(?: [\p{L}\p{N}.+#'’-]+){0,2} for \p{L}/u;

const eachPurpose = (verb: VerbPhrase): string[] => {
  const parts = isNow(verb) && !verb.negated ? verb.rest.split(/,? and |, /) : [];
  return parts.length > 1 && parts.every((part) => FOR_PURPOSE.test(part)) ? parts : [];
};

/** One statement for each item; the statement itself if it contains no plain list of facts. */
export const listedFacts = (memory: string): string[] => {
  if (!/ and |,/.test(memory)) return [memory];
  const verb = clauseOf(memory)?.verb;
  const row = verb && ROWS.find(({ verbs, lead }) => verbs.includes(verb.lemma) && lead.test(verb.rest));
  const at = verb ? memory.lastIndexOf(verb.rest) : -1;
  const purposes = verb && at > 0 ? eachPurpose(verb) : [];
  if (purposes.length > 0) return purposes.map((part) => memory.slice(0, at) + part);
  if (!verb || at < 0 || (!row && (!/ (?:and|or) /.test(verb.rest) || FOR_ALL.test(verb.rest))))
    return [memory];
  const lead = (row?.lead ?? LEAD).exec(verb.rest)?.[0] ?? '';
  const kept = lead === 'both ' ? '' : lead;
  const items = plainListIn(verb.rest.slice(lead.length)) ?? [];
  if (sharesNoun(items) || areCounted(items)) return [memory];
  const each = items.map((item) => memory.slice(0, at) + kept + item + memory.slice(at + verb.rest.length));
  const allKnown = each.length > 1 && (row ? each.every((one) => briefFactOf(one).slot) : areApart(each));
  return allKnown ? each : [memory];
};

export const listExamples: readonly Row['example'][] = [
  ...ROWS.map(({ example }) => example),
  ['Anna takes metformin and ramipril', ['Anna takes metformin', 'Anna takes ramipril']],
  [
    'Anna is intolerant to lactose and gluten',
    ['Anna is intolerant to lactose', 'Anna is intolerant to gluten'],
  ],
  [
    'Anna uses a pen for notes, chalk for signs and ink for cards',
    ['Anna uses a pen for notes', 'Anna uses chalk for signs', 'Anna uses ink for cards'],
  ],
  ['Anna has two kids, Emil (7) and Frida (4)', ['Anna has two kids, Emil (7) and Frida (4)']],
  ['Anna has a parrot, two cats and a dog', ['Anna has a parrot', 'Anna has two cats', 'Anna has a dog']],
  ['Anna asked Tom for help and Ann for money', ['Anna asked Tom for help and Ann for money']],
  ['Anna takes metformin and ramipril every day', ['Anna takes metformin and ramipril every day']],
];

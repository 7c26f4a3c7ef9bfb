// Splits lists into facts: each item of "Anna likes sushi, ramen and pizza" may change separately.

import { briefFactOf } from './fact.ts';
import { clauseOf } from './grammar/clause.ts';
import { plainListIn } from './grammar/clauses.ts';

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

/** "Electronic and rock music", "sci-fi and fantasy books": the last noun may belong to each item. */
const sharesNoun = (items: readonly string[]): boolean => {
  const last = items.at(-1)?.split(' ') ?? [];
  return last.length > 1 && items.some((item) => /^\p{Ll}[\p{L}-]*[^s\P{L}]$/u.test(item));
};

/** One statement for each item; the statement itself if it contains no plain list of facts. */
export const listedFacts = (memory: string): string[] => {
  if (!/ and |,/.test(memory)) return [memory];
  const verb = clauseOf(memory)?.verb;
  const row = verb && ROWS.find(({ verbs, lead }) => verbs.includes(verb.lemma) && lead.test(verb.rest));
  const at = verb ? memory.lastIndexOf(verb.rest) : -1;
  if (!row || !verb || at < 0) return [memory];
  const lead = row.lead.exec(verb.rest)?.[0] ?? '';
  const kept = lead === 'both ' ? '' : lead;
  const items = plainListIn(verb.rest.slice(lead.length)) ?? [];
  if (sharesNoun(items)) return [memory];
  const each = items.map((item) => memory.slice(0, at) + kept + item + memory.slice(at + verb.rest.length));
  const allKnown = each.length > 1 && each.every((one) => briefFactOf(one).slot);
  return allKnown ? each : [memory];
};

export const listExamples = ROWS.map(({ example }) => example);

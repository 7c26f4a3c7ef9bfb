// Likes and dislikes. A person has one opinion of a thing at a time: liking and hating replace each other.
import type { FactRule } from './rule.ts';

/** Not a lasting taste: "likes it", "likes how …", a person's words or looks. */
const THING =
  '(?!it\\b|this\\b|that\\b|these\\b|those\\b|them\\b|him\\b|her\\b|you\\b|how\\b|what\\b|when\\b|where\\b|the (?:idea|sound|look|way|fact)\\b|your\\b|being here|talking to)(?<value>.+)';

export const tastes: readonly FactRule[] = [
  {
    slot: 'taste',
    kind: 'each',
    simple: true,
    verbs: ['like', 'love', 'enjoy', 'adore', 'appreciate'],
    rest: new RegExp(`^(?:to |the (?:taste|smell|feeling) of )?${THING}`, 'i'),
    examples: [
      ['Anna likes sushi', 'anna/taste:sushi', 'yes'],
      ['The user loves horror movies', 'user/taste:horror movi', 'yes'],
      ["Anna doesn't like sushi", 'anna/taste:sushi', 'no'],
      ['Anna no longer likes sushi', 'anna/taste:sushi', 'no'],
      ["The user doesn't like horror movies anymore", 'user/taste:horror movi', 'no'],
      ['Anna has always loved jazz', 'anna/taste:jazz', 'yes'],
    ],
    counterExamples: [
      'Anna loves it',
      'Anna loved the concert',
      'Anna would like a coffee',
      'Anna likes how it looks',
    ],
  },
  {
    slot: 'taste',
    kind: 'each',
    simple: true,
    verbs: ['hate', 'dislike', 'detest', 'loathe', 'despise'],
    rest: new RegExp(`^(?:to )?${THING}`, 'i'),
    opposite: true,
    examples: [['The user hates running', 'user/taste:run', 'no']],
  },
  {
    slot: 'taste',
    kind: 'each',
    verbs: ['stand', 'tolerate', 'bear'],
    rest: new RegExp(`^${THING}`, 'i'),
    modal: 'can',
    negated: true,
    examples: [["The user can't stand cilantro", 'user/taste:cilantro', 'no']],
  },
  {
    slot: 'taste',
    kind: 'each',
    verbs: ['be'],
    rest: new RegExp(
      `^(?:(?:an? )?(?:\\S+ ){0,2}(?:fan|lover) of|into|fond of|keen on|crazy about|obsessed with|passionate about|interested in|addicted to) ${THING}`,
      'i',
    ),
    examples: [
      ['Anna is a big fan of jazz', 'anna/taste:jazz', 'yes'],
      ['Anna is not into golf', 'anna/taste:golf', 'no'],
    ],
  },
  {
    slot: 'preference',
    kind: 'each',
    verbs: ['prefer', 'favor', 'favour'],
    rest: new RegExp(`^(?:to )?${THING}`, 'i'),
    examples: [['The user prefers dark mode in every editor', 'user/preference:dark mode', 'yes']],
  },
];

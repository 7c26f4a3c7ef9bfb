// Facts about a person's home and origin.
import type { FactRule } from './rule.ts';

const PLACE_NOUN =
  'flat|apartment|house|home|place|condo|studio|cottage|farm|city|town|village|country(?:side)?|suburbs?|neighbou?rhood|dorm';

export const home: readonly FactRule[] = [
  {
    slot: 'home',
    kind: 'one',
    verbs: ['live', 'reside'],
    rest: /^(?:in|at|on|near|outside|right outside|just outside)\s(?<value>.+)/,
    value: 'names',
    examples: [
      ['Anna lives in Berlin', 'anna/home', 'berlin'],
      ['The user has lived in New York since 2019', 'user/home', 'new york'],
      ["Anna's sister is living in Oslo", 'anna.sister/home', 'oslo'],
      ['Anna no longer lives in Berlin', 'anna/home', 'berlin'],
    ],
    counterExamples: ['Anna lives for music', 'Anna lived in Rome as a child', 'Anna might live in Rome'],
  },
  {
    slot: 'home',
    kind: 'one',
    verbs: ['be'],
    rest: /^(?:based|living|settled) (?:in|near|outside|out of)\s(?<value>.+)/,
    value: 'names',
    examples: [['The user is based in Toronto', 'user/home', 'toronto']],
  },
  {
    slot: 'home',
    kind: 'one',
    verbs: ['move', 'relocate', 'settle'],
    rest: new RegExp(
      String.raw`^(?:back |over |out |away |down |up |house |together )*(?:in with [^,;]+? )?(?:to|into|in)\s(?<value>(?:[^.]*?\b(?:${PLACE_NOUN})\b.*|(?:the )?(?:\d+\p{L}? )?\p{Lu}(?!\p{Lu}{2}).*))`,
      'u',
    ),
    when: 'any',
    value: 'names',
    examples: [
      ['Anna moved to Munich on 7 May 2023', 'anna/home', 'munich'],
      ['Anna has just moved to Vienna with their partner', 'anna/home', 'vienna'],
      ['Anna relocated back to Vancouver', 'anna/home', 'vancouv'],
      ['Anna moved into a bigger flat', 'anna/home', 'bigger flat'],
    ],
    counterExamples: [
      'Anna moved to the marketing team',
      'Anna is moving to Oslo',
      'The meeting moved to Room 4',
    ],
  },
  {
    slot: 'home',
    kind: 'one',
    verbs: ['leave'],
    rest: /^(?<value>\p{Lu}\p{Ll}+)(?: for good| forever)$/u,
    when: 'any',
    ends: true,
    value: 'names',
    examples: [['Anna left Berlin for good', 'anna/home', 'berlin']],
  },
  {
    slot: 'origin',
    kind: 'one',
    verbs: ['be', 'come'],
    rest: /^(?:originally )?from\s(?<value>(?:(?:a|the) [^.]*?)?\p{Lu}.*)/u,
    value: 'names',
    examples: [
      ['The user is from Sweden', 'user/origin', 'sweden'],
      ['Anna comes from a village near Turin', 'anna/origin', 'turin'],
    ],
  },
  {
    slot: 'origin',
    kind: 'trait',
    verbs: ['grow'],
    rest: /^up (?:in|on|near|outside)\s/,
    when: 'past',
    examples: [['Anna grew up in Oslo', null, '']],
  },
  {
    slot: 'birth',
    kind: 'trait',
    verbs: ['be'],
    rest: /^born\s(?:and raised\s)?(?:in|on|at|near)\s/,
    when: 'past',
    examples: [['Anna was born in 1988 in Turin', null, '']],
    counterExamples: ['Anna was in Munich'],
  },
];

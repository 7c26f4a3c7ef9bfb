// Health and diet.
import { wordSet } from '../grammar/words.ts';
import type { FactRule } from './rule.ts';

export const CONDITIONS = wordSet(`
  allergy allergies asthma diabetes anxiety depression adhd autism migraine migraines arthritis epilepsy eczema psoriasis
  anemia anaemia hypertension insomnia dyslexia celiac coeliac ibs gout cancer lupus scoliosis tinnitus vertigo ptsd ocd
  osteoporosis fibromyalgia endometriosis hypothyroidism intolerance disorder disease syndrome condition pacemaker
  disability phobia`);

export const health: readonly FactRule[] = [
  {
    slot: 'allergy',
    kind: 'each',
    verbs: ['be'],
    rest: /^(?:\p{L}+ly )?(?:allergic|intolerant|sensitive) to\s(?<value>.+)/u,
    examples: [
      ['The user is allergic to peanuts', 'user/allergy:peanut', 'yes'],
      ['Bob is not allergic to cats', 'bob/allergy:cat', 'no'],
    ],
  },
  {
    slot: 'allergy',
    kind: 'each',
    verbs: ['have'],
    rest: /^an?\s(?:\S+ )?(?:allergy|intolerance) to\s(?<value>.+)/,
    examples: [['Anna has a severe allergy to nuts', 'anna/allergy:nut', 'yes']],
  },
  {
    slot: 'allergy',
    kind: 'each',
    verbs: ['have', 'be'],
    rest: /^(?:an?\s)?(?:severe |bad |mild |serious |slight )?(?<value>peanut|tree nut|nut|shellfish|dairy|lactose|gluten|pollen|egg|soy|cat|dog|dust|bee|penicillin|latex)[- ](?:allergy|allergies|intolerance|intolerant|allergic)/,
    examples: [
      ['Anna has a severe nut allergy', 'anna/allergy:nut', 'yes'],
      ['Anna has a peanut allergy', 'anna/allergy:peanut', 'yes'],
      ['Anna is lactose intolerant', 'anna/allergy:lactos', 'yes'],
    ],
  },
  {
    slot: 'diet',
    kind: 'one',
    verbs: ['be', 'eat'],
    rest: /^(?:an?\s)?(?:strictly |strict |fully |mostly )?(?<value>vegetarian|vegan|pescatarian|pescetarian|keto|paleo|halal|kosher|gluten[- ]free|dairy[- ]free|flexitarian|teetotal|sober)\b/,
    examples: [
      ['The user has been vegetarian since 2015', 'user/diet', 'vegetarian'],
      ['The user is not vegan', 'user/diet', 'vegan'],
    ],
    counterExamples: ['Anna was vegan'],
  },
  {
    slot: 'diet',
    kind: 'one',
    verbs: ['become', 'go', 'turn'],
    rest: /^(?:an?\s)?(?:strictly |strict |fully |mostly )?(?<value>vegetarian|vegan|pescatarian|keto|paleo|halal|kosher|gluten[- ]free|dairy[- ]free|sober)\b/,
    when: 'past',
    examples: [['Anna went vegan in 2020', 'anna/diet', 'vegan']],
  },
  {
    slot: 'condition',
    kind: 'each',
    verbs: ['have', 'suffer'],
    rest: /^(?:from )?(?<value>.+)/,
    heads: CONDITIONS,
    value: 'words',
    examples: [
      ['The user has type 2 diabetes', 'user/condition:type 2 diabet', 'yes'],
      ['Anna suffers from migraines', 'anna/condition:migrain', 'yes'],
    ],
  },
  {
    slot: 'condition',
    kind: 'each',
    verbs: ['be', 'get'],
    rest: /^diagnosed with\s(?<value>.+)/,
    when: 'any',
    examples: [['Anna was diagnosed with asthma in May 2023', 'anna/condition:asthma', 'yes']],
  },
  {
    slot: 'condition',
    kind: 'each',
    verbs: ['be'],
    rest: /^(?:also )?(?<value>diabetic|deaf|blind|colou?r[- ]?blind|dyslexic|autistic|asthmatic|epileptic|pregnant|left-handed|short-sighted|nearsighted|c(?:o)?eliac)\b/,
    examples: [['Anna is colour blind', 'anna/condition:color blind', 'yes']],
  },
  {
    slot: 'fear',
    kind: 'each',
    verbs: ['be'],
    rest: /^(?:afraid|scared|terrified) of\s(?<value>.+)/,
    examples: [['Anna is afraid of heights', 'anna/fear:height', 'yes']],
  },
  {
    slot: 'medication',
    kind: 'each',
    verbs: ['take'],
    rest: /^(?:\d+ ?mg (?:of )?)?(?<value>(?:\p{L}+(?:in|ol|ide|ine|pam|pril|tan|formin|cillin|one|ate)|insulin|antidepressants|painkillers|antibiotics|vitamins?(?: \p{Lu})?|birth control))\b(?: |$)/u,
    examples: [['The user takes metformin every day', 'user/medication:metformin', 'yes']],
    counterExamples: ['Anna takes the train'],
  },
];

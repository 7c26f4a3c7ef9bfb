// Facts about a person: name, age, birthday, nationality, languages, schooling.
import { NUMBER_WORD } from '../grammar/words.ts';
import type { FactRule } from './rule.ts';

const DEGREE = '(?:degree|bachelor|master|diploma|phd|doctorate|mba|ba|bsc|msc)';

const YEARS = String.raw`1?\d{1,2}|(?:${NUMBER_WORD}|(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty)(?:-\p{L}+)?`;

export const person: readonly FactRule[] = [
  {
    slot: 'name',
    kind: 'one',
    verbs: ['be'],
    rest: /^(?:called|named)\s(?<value>\p{Lu}.*)/u,
    of: 'any',
    value: 'names',
    examples: [
      ["Anna's dog is called Rex", 'anna.dog/name', 'rex'],
      ["Anna's puppy is named Biscuit", 'anna.puppi/name', 'biscuit'],
    ],
  },
  {
    slot: 'name',
    kind: 'one',
    verbs: ['go'],
    rest: /^by\s(?:the name )?(?<value>\p{Lu}\p{L}+)$/u,
    value: 'names',
    examples: [['The user goes by Annie', 'user/name', 'anni']],
  },
  {
    slot: 'age',
    kind: 'one',
    verbs: ['be'],
    rest: new RegExp(
      `^(?<value>${YEARS})(?:[ -]years?[ -]old)?(?:,? (?:on|in|around|next|this|last) .*)?$`,
      'u',
    ),
    examples: [
      ['Bob is 34', 'bob/age', '34'],
      ['Bob is 34 years old', 'bob/age', '34'],
      ['Bob is nine', 'bob/age', 'nine'],
    ],
    counterExamples: ['Bob was 34', 'The score is 34'],
  },
  {
    slot: 'age',
    kind: 'one',
    verbs: ['turn'],
    rest: new RegExp(
      `^(?<value>${YEARS})(?: years?[ -]old)?(?:,? (?:on|in|around|next|this|last) .*)?$`,
      'u',
    ),
    when: 'past',
    examples: [['Bob turned 35 on 9 October 2024', 'bob/age', '35']],
  },
  {
    slot: 'height',
    kind: 'one',
    verbs: ['be'],
    rest: /^(?<value>\d[\d.,']*\s?(?:cm|m|feet|ft|foot)?[^a-z]*(?:\d+)?) tall\b/,
    examples: [['Anna is 180 cm tall', 'anna/height', '180 cm']],
  },
  {
    slot: 'weight',
    kind: 'one',
    verbs: ['weigh'],
    rest: /^(?<value>\d[\d.,]*\s?(?:kg|kilos|lbs?|pounds|stone)\b)/,
    examples: [['Anna weighs 70 kg', 'anna/weight', '70 kg']],
  },
  {
    slot: 'income',
    kind: 'one',
    verbs: ['earn', 'make'],
    rest: /^(?:about |around )?(?<value>[$€£]?\d[\d.,]*\s?(?:k|euros?|dollars?|pounds)?)\b.*\b(?:an?|per) (?:month|year|hour|week)\b/,
    examples: [['Anna earns 5k a month', 'anna/income', '5k']],
  },
  {
    slot: 'nationality',
    kind: 'one',
    verbs: ['be'],
    rest: /^(?:an? )?(?:half[- ])?(?<value>\p{Lu}\p{Ll}+(?:ian|ean|ish|ese|can|wan)|French|German|Dutch|Greek|Swiss|Czech|Thai|Welsh)(?:$|(?: and| but|,| citizen| national| by birth).*)/u,
    examples: [
      ['Anna is Brazilian', 'anna/nationality', 'brazilian'],
      ['Anna is a French citizen', 'anna/nationality', 'french'],
    ],
    counterExamples: ['Anna is a German teacher'],
  },
  {
    slot: 'speaks',
    kind: 'each',
    verbs: ['speak'],
    rest: /^(?:(?:a (?:little|bit of)|some|fluent|good|basic|fluently|perfect|native|decent|broken)\s)*(?<value>\p{Lu}\p{L}+)/u,
    value: 'names',
    examples: [
      ['The user speaks Portuguese', 'user/speaks:portugues', 'yes'],
      ['The user speaks a little Dutch', 'user/speaks:dutch', 'yes'],
    ],
    counterExamples: ['Anna speaks to Tom'],
  },
  {
    slot: 'speaks',
    kind: 'each',
    verbs: ['be'],
    rest: /^fluent in\s(?<value>\p{Lu}\p{L}+)/u,
    value: 'names',
    examples: [['Anna is fluent in Greek', 'anna/speaks:greek', 'yes']],
  },
  {
    slot: 'study',
    kind: 'one',
    verbs: ['study', 'major'],
    rest: /^(?:in )?(?<value>(?!for\b|hard|at\b|abroad|all\b|late|tonight|with\b).+)/,
    examples: [
      ["The user's brother studies law in Vienna", 'user.brother/study', 'law vienna'],
      ['Anna is majoring in physics', 'anna/study', 'physic'],
    ],
    counterExamples: ['Anna is studying for an exam'],
  },
  {
    slot: 'education',
    kind: 'trait',
    verbs: ['study', 'graduate', 'attend', 'major'],
    rest: /^(?:(?:\p{L}+ ){1,4})?(?:at|from|in)\s/u,
    when: 'past',
    examples: [
      ['Bob studied physics at MIT', null, ''],
      ['Bob graduated from Yale', null, ''],
    ],
  },
  {
    slot: 'education',
    kind: 'trait',
    verbs: ['have', 'hold', 'earn', 'get', 'complete', 'finish'],
    rest: new RegExp(String.raw`^(?:an?|their|the)\s(?:\S+ ){0,3}?${DEGREE}`, 'i'),
    when: 'any',
    examples: [['Anna has a degree in chemistry', null, '']],
  },
];

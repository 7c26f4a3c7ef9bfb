// Habits. The present tense of some verbs already means a habit ("plays tennis").
import { wordSet } from '../grammar/words.ts';
import type { FactRule } from './rule.ts';

/** "every Tuesday", "twice a week", "on Sundays", "in the morning". */
export const HABIT_PHRASE =
  /\b(?:every|each) (?:\S+ )?(?:day|morning|evening|night|week|weekend|month|year|summer|winter|spring|autumn|fall|hour|\p{L}+day)\b|\b(?:once|twice|three times|\d+ times|several times) an? \p{L}+|\bon (?:\p{L}+days|weekends|weekdays)\b|\bin the (?:mornings?|evenings?|afternoons?)\b|\bat night\b|\b(?:daily|weekly|monthly|yearly|nightly|a day|a week|before bed|before work|after work|most days|all the time|regularly)\b/iu;

/** Companions and tools are not part of the habit. */
export const WHOLE_VERBS = wordSet(
  'smoke vape run jog swim meditate commute bike cycle hike dance sing ski surf',
);

/** Their present tense means a habit; other verbs need a word such as "often". */
const HABITUAL = `
  play run jog swim cycle bike hike ski surf dance sing paint draw knit bake cook garden fish climb skate sail ride drive
  smoke vape drink eat wear use collect practice practise meditate exercise train commute write read watch listen blog
  stream vote work wake sleep garden`;

const GENERAL = `
  go do take have make get call visit meet walk see send buy clean wash spend bring shop help
  study teach volunteer travel fly attend pray donate review check`;

const verbsOf = (text: string): string[] => text.trim().split(/\s+/);

const OBJECT = '(?!(?:with |in |on )?(?:it|this|that|these|those|them)\\b)(?<value>.*)';

export const habits: readonly FactRule[] = [
  {
    slot: 'habit',
    kind: 'each',
    verbs: ['eat', 'drink', 'swim', 'drive', 'cook', 'ride'],
    rest: new RegExp(`^(?!until|today|tonight|now)${OBJECT}`),
    modal: 'can',
    negated: true,
    value: 'head',
    examples: [["Anna can't eat gluten", 'anna/habit:eat gluten', 'no']],
  },
  {
    slot: 'habit',
    kind: 'each',
    simple: true,
    verbs: verbsOf(HABITUAL),
    rest: new RegExp(`^(?:to |in |on )?${OBJECT}`),
    value: 'head',
    examples: [
      ['Bob plays tennis every Sunday', 'bob/habit:plai tenni', 'yes'],
      ['Bob stopped playing tennis', 'bob/habit:plai tenni', 'no'],
      ['Olek smokes a pack a day', 'olek/habit:smoke', 'yes'],
      ['Olek quit smoking around 10 April 2023', 'olek/habit:smoke', 'no'],
      ["Anna doesn't eat meat", 'anna/habit:eat meat', 'no'],
      ['The user never drinks alcohol', 'user/habit:drink alcohol', 'no'],
      ['Tomas goes swimming every Tuesday before work', 'tomas/habit:swim', 'yes'],
    ],
    counterExamples: [
      'Anna played tennis on 7 May 2023',
      'Anna might play tennis',
      'The app uses SQLite',
      'Anna has played chess before',
      'Anna is reading a novel',
    ],
  },
  {
    slot: 'habit',
    kind: 'each',
    simple: true,
    verbs: verbsOf(GENERAL),
    rest: new RegExp(`^(?:(?:for|to|on|in) )?${OBJECT}`),
    habit: true,
    value: 'head',
    examples: [['Anna usually goes for a run in the morning', 'anna/habit:go run', 'yes']],
    counterExamples: ['Anna has a meeting on 7 May 2023'],
  },
];

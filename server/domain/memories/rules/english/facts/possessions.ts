// A person's family, animals and things. Later statements about them add detail.
import { wordSet } from '../grammar/words.ts';
import type { FactRule } from './rule.ts';

/** Nouns that a person "has" only for a while, or that are not things. */
const PASSING = wordSet(`
  appointment appointments meeting meetings exam exams test tests question questions problem problems issue issues headache
  cold flu fever idea ideas fun time times day days week weekend night look plan plans date party parties interview
  interviews flight flights chance feeling feelings break doubt doubts trouble deadline deadlines dinner lunch breakfast call
  calls concern concerns conversation conversations talk chat moment moments blast lot lots bit couple few many some
  thing things stuff experience experiences memory memories good-time opportunity sense point hope news event events trip
  trips vacation holiday session sessions class classes lesson lessons workshop shift work homework project task tasks
  request favor favour suggestion suggestions tip tips thought thoughts opinion impact effect choice choices energy
  hard hangover accident argument fight crush concert game match visit visitor visitors guest guests need help luck
  success failure seen been connection influence weekend kick turn say try go reason reasons answer answers advice power
  support love passion interest faith respect courage strength response result results difficulty difficulties struggle
  struggles challenge challenges success goal goals dream dreams future sleep rest coffee tea drink beer wine snack food
  understanding way ways kind of room space picture pictures photo photos pic pics story stories get-together show exhibition exhibit tournament performance wedding
  setback screenshot screenshots goodness respect`);

const COUNT =
  '(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|\\d{1,3}|some|several|many|no|any|their own|lots of|another)';

export const possessions: readonly FactRule[] = [
  {
    slot: 'has',
    kind: 'each',
    simple: true,
    verbs: ['have', 'own'],
    rest: new RegExp(`^(?<value>${COUNT} .+)`, 'i'),
    notHeads: PASSING,
    value: 'head',
    introduces: true,
    examples: [
      ['Anna has a dog', 'anna/has:dog', 'yes'],
      ['Anna has two cats', 'anna/has:cat', '2 yes'],
      ['Bob owns a 1967 Mustang', 'bob/has:mustang', 'yes'],
      ["The user doesn't have a driving licence", 'user/has:licenc', 'no'],
      ['Anna has a younger brother', 'anna/has:brother', 'yes'],
    ],
    counterExamples: ['Anna has a meeting', 'Anna had a dog', 'Anna has to go', 'The house has a garden'],
  },
  {
    slot: 'had',
    kind: 'trait',
    verbs: [
      'adopt',
      'buy',
      'get',
      'purchase',
      'inherit',
      'rescue',
      'build',
      'receive',
      'order',
      'lease',
      'rent',
      'foster',
    ],
    rest: new RegExp(`^(?:themselves |themself )?(?<value>${COUNT} .+)`, 'i'),
    notHeads: PASSING,
    when: 'past',
    value: 'head',
    introduces: true,
    isStatic: false,
    examples: [['Yuki adopted a cat from the shelter', null, '']],
  },
  {
    slot: 'has',
    kind: 'each',
    verbs: ['sell', 'lose', 'donate', 'scrap', 'return', 'crash'],
    rest: /^(?:their|the|his|her)\s(?<value>.+)/,
    when: 'past',
    ends: true,
    value: 'head',
    isStatic: false,
    examples: [['The user sold their Toyota', 'user/has:toyota', 'no']],
  },
  {
    slot: 'has',
    kind: 'each',
    verbs: ['give'],
    rest: /^(?:away|up)\s(?:their|the)\s(?<value>.+)/,
    when: 'past',
    ends: true,
    value: 'head',
    isStatic: false,
    examples: [['Anna gave away their piano', 'anna/has:piano', 'no']],
  },
];

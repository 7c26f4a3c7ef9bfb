// Lasting aims: wishes, goals, dreams. The next entry of a calendar is an event, not an aim.
import type { FactRule } from './rule.ts';

const TO =
  '^to (?<value>(?!see|hear|know|ask|say|tell|talk|thank|make sure|be (?!an? )|go back|come|show|share|brag|mention|add|point|check|try|do\\b|take a look|give|keep|point|note|express|wish)\\p{L}+.*)';

export const plans: readonly FactRule[] = [
  {
    slot: 'plan',
    kind: 'each',
    verbs: ['want', 'plan', 'intend', 'hope', 'aim', 'aspire', 'wish'],
    rest: new RegExp(TO, 'u'),
    examples: [
      ['The user wants to learn Italian', 'user/plan:learn italian', 'yes'],
      ['Anna no longer wants to learn Italian', 'anna/plan:learn italian', 'no'],
      ['Anna is planning to open a café', 'anna/plan:open cafe', 'yes'],
    ],
    counterExamples: ['Anna wants a coffee'],
  },
  {
    slot: 'plan',
    kind: 'each',
    verbs: ['love', 'like'],
    rest: new RegExp(TO, 'u'),
    modal: 'would',
    examples: [['Anna would love to visit Japan', 'anna/plan:visit japan', 'yes']],
  },
  {
    slot: 'plan',
    kind: 'each',
    verbs: ['dream', 'save', 'train', 'prepare', 'apply'],
    rest: /^(?:of|about|up for|for)\s(?<value>.+)/,
    examples: [
      ['Anna dreams of opening a café', 'anna/plan:open cafe', 'yes'],
      ['Anna is training for a triathlon', 'anna/plan:triathlon', 'yes'],
    ],
  },
  {
    slot: 'plan',
    kind: 'each',
    verbs: ['decide', 'choose'],
    rest: /^not to (?<value>.+)/,
    when: 'any',
    opposite: true,
    examples: [['Anna decided not to learn Italian', 'anna/plan:learn italian', 'no']],
  },
  {
    slot: 'learning',
    kind: 'each',
    verbs: ['learn', 'study', 'practice', 'practise'],
    rest: /^(?:how )?(?:to )?(?<value>(?!that\b|a lot|so much|about you).+)/,
    examples: [['The user is learning the cello', 'user/learning:cello', 'yes']],
  },
];

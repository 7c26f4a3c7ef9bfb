// What a finished statement says, by the tables in `facts/`: whose fact it is, which one, and with what value.
import type { Fact, Standing } from '../language.ts';
import { createMemo } from '../memo.ts';
import { type Clause, clauseOf } from './clause.ts';
import { family } from './facts/family.ts';
import { HABIT_PHRASE, habits, WHOLE_VERBS } from './facts/habits.ts';
import { health } from './facts/health.ts';
import { home } from './facts/home.ts';
import { person } from './facts/person.ts';
import { plans } from './facts/plans.ts';
import { possessions } from './facts/possessions.ts';
import type { FactRule } from './facts/rule.ts';
import { tastes } from './facts/tastes.ts';
import { thingFact } from './facts/thing-fact.ts';
import { work } from './facts/work.ts';
import { type Subject, subjectOf } from './subject.ts';
import { cutAt, headOf, headWord, keyOf, nameTerms, termsOf, withoutDates } from './terms.ts';
import { isNow, type VerbPhrase } from './verb-phrase.ts';
import { HABIT_ADVERBS, NUMBERS, tokensOf, wordSet } from './words.ts';

/** In this order: the first rule that fits decides. */
export const RULES: readonly FactRule[] = [
  ...home,
  ...person,
  ...health,
  ...family,
  ...work,
  ...plans,
  ...tastes,
  ...possessions,
  ...habits,
];

const byVerb = Map.groupBy(
  RULES.flatMap((rule) => rule.verbs.map((verb) => ({ verb, rule }))),
  ({ verb }) => verb,
);

const isHabit = (verb: VerbPhrase): boolean =>
  HABIT_PHRASE.test(verb.rest) || verb.adverbs.some((adverb) => HABIT_ADVERBS.has(adverb));

function fitsTime(rule: FactRule, verb: VerbPhrase): boolean {
  if (verb.modal !== (rule.modal ?? null)) return false;
  if (rule.modal !== undefined) return true;
  // "used to live" tells what is no longer so, whatever the rule is for.
  if (verb.usedTo) return true;
  switch (rule.when ?? 'now') {
    case 'now':
      return isNow(verb);
    case 'past':
      return verb.tense === 'past' || verb.perfect;
    case 'any':
      return verb.tense !== 'future' && !(verb.progressive && verb.tense === 'present' && !verb.perfect);
  }
}

/** "is reading", and of habits "has read": so far and no further. */
const isSimple = (rule: FactRule, verb: VerbPhrase): boolean =>
  verb.starting ||
  verb.ended ||
  isHabit(verb) ||
  !(verb.progressive || (verb.perfect && rule.slot === 'habit'));

/** The words of the value where the rule fits; null where it does not. */
function valueBy(rule: FactRule, verb: VerbPhrase): string | null {
  if (!fitsTime(rule, verb)) return null;
  if (rule.negated && !verb.negated) return null;
  if (rule.habit && !isHabit(verb)) return null;
  if (rule.simple && !isSimple(rule, verb)) return null;
  const match = rule.rest ? rule.rest.exec(verb.rest) : null;
  if (rule.rest && !match) return null;
  const value = withoutDates(match?.groups?.value ?? (rule.rest ? '' : verb.rest)).trim();
  if (rule.heads && !rule.heads.has(headWord(value))) return null;
  if (rule.notHeads?.has(headWord(value))) return null;
  return value;
}

function valueTerms(rule: FactRule, value: string): string[] {
  const constant = rule.constant ? termsOf(rule.constant) : [];
  if (value === '') return constant;
  if (rule.value === 'names') return [...constant, ...nameTerms(value)];
  return [...constant, ...termsOf(rule.value === 'whole' ? value : cutAt(value))];
}

/** "a picture of the house" is another than "a picture of the dog". */
const ofWhat = (value: string): string => {
  const what = /^[^,;]*?\sof (?<what>.+)/.exec(value)?.groups?.what;
  return what ? keyOf(cutAt(what)) : '';
};

const withoutHabit = (value: string): string => value.replace(HABIT_PHRASE, '').trim();

/** What tells one taste, habit or possession from another. */
function thingKey(rule: FactRule, verb: VerbPhrase, value: string): string {
  if (rule.slot === 'habit') {
    if (WHOLE_VERBS.has(verb.lemma)) return keyOf(verb.lemma);
    return `${keyOf(verb.lemma)} ${headOf(withoutHabit(value))}`.trim();
  }
  if (rule.value === 'head') return `${headOf(value)} ${ofWhat(value)}`.trim();
  if (rule.value === 'names') return nameTerms(value).join(' ');
  return keyOf(cutAt(value));
}

/** "two cats" are other than "three cats". */
function countIn(value: string): string[] {
  const first = tokensOf(value)[0]?.lower ?? '';
  const count = NUMBERS[first] ?? Number(first);
  return count > 1 ? [String(count)] : [];
}

function standingOf(rule: FactRule, verb: VerbPhrase): Standing {
  if (verb.usedTo || rule.ends) return 'ended';
  return rule.kind === 'one' && (verb.negated || verb.ended) ? 'ended' : 'holds';
}

function oneFact(rule: FactRule, verb: VerbPhrase, value: string): Pick<Fact, 'slot' | 'value'> {
  return { slot: rule.slot, value: valueTerms(rule, verb.rest === '' ? '' : value) };
}

function eachFact(rule: FactRule, verb: VerbPhrase, value: string): Pick<Fact, 'slot' | 'value'> | null {
  const key = thingKey(rule, verb, value);
  if (key === '') return null;
  const denied = (verb.negated && !rule.negated) || verb.ended || verb.usedTo || rule.ends === true;
  const holds = denied === (rule.opposite === true || rule.negated === true);
  const count = rule.slot === 'has' && holds ? countIn(value) : [];
  return { slot: `${rule.slot}:${key}`, value: [...count, holds ? 'yes' : 'no'] };
}

function byRule(rule: FactRule, subject: Subject, verb: VerbPhrase): Fact | null {
  const of = rule.of ?? 'person';
  if (of !== 'any' && (of === 'person') !== subject.isPerson) return null;
  const value = valueBy(rule, verb);
  if (value === null) return null;
  const named =
    rule.kind === 'trait'
      ? { slot: null, value: [] }
      : rule.kind === 'one'
        ? oneFact(rule, verb, value)
        : eachFact(rule, verb, value);
  if (!named) return null;
  const thing = rule.introduces ? headOf(value) : '';
  return {
    slot: named.slot === null ? null : `${subject.key}/${named.slot}`,
    value: named.value,
    about: thing === '' ? subject.about : `${subject.key}/${thing}`,
    introduces: thing !== '' && !verb.negated,
    standing: standingOf(rule, verb),
    oneValue: true,
    detail: termsOf(verb.rest),
    isStatic: (rule.isStatic ?? true) && !verb.usedTo,
  };
}

/** "Anna is a morning person": what somebody is lasts, though no rule has a name for it. */
const WHAT_SOMEBODY_IS = /^an?\s(?!bit\b|little\b|lot\b|few\b|couple\b|mess\b|wreck\b)\p{L}/u;

/** What things and places are. */
const NOBODY_IS = wordSet(
  'way city place thing part game day time experience sport movie film book show country town village example reason idea language company tool app service song album trip pleasure honor honour joke story problem question mistake road while moment journey challenge combination option event party treat dream relief shame pity surprise blast mix matter number kind sort success disaster hobby role key color colour month year week weekend',
);

function plainFact(subject: Subject, verb: VerbPhrase): Fact | null {
  const isTrait =
    subject.isPerson &&
    verb.lemma === 'be' &&
    isNow(verb) &&
    WHAT_SOMEBODY_IS.test(verb.rest) &&
    !NOBODY_IS.has(headWord(verb.rest));
  if (!isTrait && subject.about === null) return null;
  return {
    slot: null,
    about: subject.about,
    introduces: false,
    standing: 'holds',
    oneValue: false,
    value: [],
    detail: termsOf(verb.rest),
    isStatic: isTrait,
  };
}

function factIn({ subject: text, verb }: Clause): Fact | null {
  const subject = subjectOf(text);
  const ofThing = thingFact(subject, verb);
  if (ofThing) return ofThing;
  for (const { rule } of byVerb.get(verb.lemma) ?? []) {
    const found = byRule(rule, subject, verb);
    if (found) return found;
  }
  return plainFact(subject, verb);
}

/** A statement with what was said behind it: kept for its words, and no fact that another could replace. */
const SEVERAL = /\p{Ll}{2}\. \p{Lu}/u;

/** What somebody wants from now on lasts. */
const STANDING = /'s standing instruction: /;
const INSTRUCTION: Fact = {
  slot: null,
  about: null,
  introduces: false,
  standing: 'holds',
  oneValue: false,
  value: [],
  detail: [],
  isStatic: true,
};

/** "Anna: They offer yoga": somebody's words as they were said. */
const QUOTED = /^[^:]{1,60}: /;

/** A statement is looked at when it is drawn, related and compared: within a document mostly the same ones. */
const remembered = createMemo<Fact | null>(4_096);

/** Null where no rule knows what the statement says. */
export function factOf(memory: string): Fact | null {
  return remembered(memory, () => {
    if (STANDING.test(memory)) return INSTRUCTION;
    const clause = QUOTED.test(memory) ? null : clauseOf(memory);
    if (!clause) return null;
    const fact = factIn(clause);
    return fact && SEVERAL.test(memory)
      ? { ...fact, slot: null, introduces: false, isStatic: false, value: [] }
      : fact;
  });
}

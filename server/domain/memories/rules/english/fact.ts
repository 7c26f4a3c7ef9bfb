// Reads the fact in a finished statement by the tables in `facts/`: its subject, its attribute and its value.

import { createMemo } from '../../../../lib/memo.ts';
import {
  ANYBODY,
  type BriefFact,
  type Change,
  NO_FACT,
  type RuleFact,
  type SlotFact,
  type Standing,
} from '../language.ts';
import { sketchOf } from '../replacing/sketch.ts';
import { cuesOf } from './change/cues.ts';
import { isDeath } from './change/deaths.ts';
import { endedThings, endsOnlyAs } from './change/endings.ts';
import { frameOf, holdsMany, measuredIn, objectTerms } from './change/frames.ts';
import { aroundMeasure, measuredApart, measureKindsOf, measuresOf } from './change/measures.ts';
import { objectFact } from './change/object-facts.ts';
import { changeSigns } from './change/signs.ts';
import { stateFact } from './change/state-facts.ts';
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
import type { Clause } from './grammar/clause.ts';
import { furtherClauses } from './grammar/further-clauses.ts';
import {
  cutAt,
  headKey,
  headWord,
  listedNames,
  namesIn,
  nameTerms,
  ruleTerms,
  termKey,
  withoutDates,
} from './grammar/terms.ts';
import { isNow, type VerbPhrase } from './grammar/verb-phrase.ts';
import { HABIT_ADVERBS, numberOf, tokensOf, wordSet } from './grammar/words.ts';
import { mainClause } from './main-clause.ts';
import { habitAsked } from './sentences/instructions.ts';
import { type Subject, subjectOf } from './subject.ts';

/** The order matters: the first rule that matches decides. */
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

const fitsTime = (rule: FactRule, verb: VerbPhrase): boolean => {
  if (verb.modal !== (rule.modal ?? null)) return false;
  if (rule.modal !== undefined) return true;
  // "used to live" means the end of a state, for every rule.
  if (verb.usedTo) return true;
  switch (rule.when ?? 'now') {
    case 'now':
      return isNow(verb);
    case 'past':
      return verb.tense === 'past' || verb.perfect;
    case 'any':
      return verb.tense !== 'future' && !(verb.progressive && verb.tense === 'present' && !verb.perfect);
  }
};

/** "is reading", and for habits "has read": not a lasting fact. */
const isSimple = (rule: FactRule, verb: VerbPhrase): boolean =>
  verb.starting ||
  verb.ended ||
  isHabit(verb) ||
  !(verb.progressive || (verb.perfect && rule.slot === 'habit'));

/** The words of the value if the rule matches, else null. */
const valueBy = (rule: FactRule, verb: VerbPhrase): string | null => {
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
};

const valueTerms = (rule: FactRule, value: string): string[] => {
  const constant = rule.constant ? ruleTerms(rule.constant) : [];
  if (value === '') return constant;
  if (rule.value === 'names') return [...constant, ...nameTerms(value)];
  return [...constant, ...ruleTerms(rule.value === 'whole' ? value : cutAt(value))];
};

/** "a picture of the house" is another than "a picture of the dog". */
const ofWhat = (value: string): string => {
  const what = /^[^,;]*?\sof (?<what>.+)/.exec(value)?.groups?.what;
  return what ? termKey(cutAt(what)) : '';
};

const withoutHabit = (value: string): string => value.replace(HABIT_PHRASE, '').trim();

/** The part that distinguishes one taste, habit or possession from another. */
const thingKey = (rule: FactRule, verb: VerbPhrase, value: string): string => {
  if (rule.slot === 'habit') {
    if (WHOLE_VERBS.has(verb.lemma)) return termKey(verb.lemma);
    return `${termKey(verb.lemma)} ${headKey(withoutHabit(value))}`.trim();
  }
  if (rule.value === 'head') return `${headKey(value)} ${ofWhat(value)}`.trim();
  if (rule.value === 'names') return nameTerms(value).join(' ');
  return termKey(cutAt(value));
};

/** "two cats" and "three cats" are different. */
const countIn = (value: string): string[] => {
  const first = tokensOf(value)[0]?.lower ?? '';
  const count = numberOf(first);
  return count > 1 ? [String(count)] : [];
};

const standingOf = (rule: FactRule, verb: VerbPhrase): Standing => {
  if (verb.usedTo || rule.ends) return 'ended';
  return rule.kind === 'one' && (verb.negated || verb.ended) ? 'ended' : 'holds';
};

const oneFact = (rule: FactRule, verb: VerbPhrase, value: string): Pick<SlotFact, 'slot' | 'value'> => ({
  slot: rule.slot,
  value: valueTerms(rule, verb.rest === '' ? '' : value),
});

const eachFact = (
  rule: FactRule,
  verb: VerbPhrase,
  value: string,
): Pick<SlotFact, 'slot' | 'value'> | null => {
  const key = thingKey(rule, verb, value);
  if (key === '') return null;
  const denied = (verb.negated && !rule.negated) || verb.ended || verb.usedTo || rule.ends === true;
  const holds = denied === (rule.opposite === true || rule.negated === true);
  const count = rule.slot === 'has' && holds ? countIn(value) : [];
  return { slot: `${rule.slot}:${key}`, value: [...count, holds ? 'yes' : 'no'] };
};

const byRule = (rule: FactRule, subject: Subject, verb: VerbPhrase): SlotFact | null => {
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
  const thing = rule.introduces ? headKey(value) : '';
  return {
    slot: named.slot === null ? null : `${subject.key}/${named.slot}`,
    value: named.value,
    about: thing === '' ? subject.about : `${subject.key}/${thing}`,
    introduces: thing !== '' && !verb.negated,
    standing: standingOf(rule, verb),
    oneValue: true,
    detail: ruleTerms(verb.rest),
    isStatic: (rule.isStatic ?? true) && !verb.usedTo,
  };
};

/** "Anna is a morning person": a trait lasts, even without a rule for it. */
const WHAT_SOMEBODY_IS = /^an?\s(?!bit\b|little\b|lot\b|few\b|couple\b|mess\b|wreck\b)\p{L}/u;

/** Traits of things and places. */
const NOBODY_IS = wordSet(
  'way city place thing part game day time experience sport movie film book show country town village example reason idea language company tool app service song album trip pleasure honor honour joke story problem question mistake road while moment journey challenge combination option event party treat dream relief shame pity surprise blast mix matter number kind sort success disaster hobby role key color colour month year week weekend',
);

const plainFact = (subject: Subject, verb: VerbPhrase): SlotFact => {
  const isTrait =
    subject.isPerson &&
    verb.lemma === 'be' &&
    isNow(verb) &&
    WHAT_SOMEBODY_IS.test(verb.rest) &&
    !NOBODY_IS.has(headWord(verb.rest));
  return {
    slot: null,
    about: subject.about,
    introduces: false,
    standing: 'holds',
    oneValue: false,
    value: [],
    detail: ruleTerms(verb.rest),
    isStatic: isTrait,
  };
};

/** A number that belongs to a noun is a fact of its own: "The API runs on port 8443". */
const measuredFact = (subject: Subject, verb: VerbPhrase): SlotFact | null => {
  const measured = measuredIn(subject, verb);
  if (!measured) return null;
  return {
    ...plainFact(subject, verb),
    slot: `${measured.of === null ? subject.key : termKey(measured.of)}/${measured.key}`,
    value: measured.value,
    oneValue: true,
  };
};

/** "rises to 52 euros", "weighs 14 kilos": how much it is. */
const LEVELS = wordSet('be cost weigh rise fall drop climb sink increase decrease amount');

/** The same said of the same subject with another number, day or time: "The shop opens at nine", "… at ten". */
const countedFact = (subject: Subject, verb: VerbPhrase): SlotFact | null => {
  if (!isNow(verb) || verb.perfect || verb.modal !== null || verb.ended || holdsMany(verb)) return null;
  const { measures, others } = measuredApart(aroundMeasure(withoutDates(verb.rest)));
  // "has 19" does not say of what.
  if (measures.length === 0 || (verb.lemma === 'have' && others.length === 0)) return null;
  const does = LEVELS.has(verb.lemma) ? 'be' : verb.lemma;
  // "are on Python 3.9", "upgraded to Python 3.12": what has the number says enough.
  const key = does === 'be' && others.length > 0 ? others : [does, ...others];
  return {
    ...plainFact(subject, verb),
    slot: `${subject.key}/${[...new Set(key)].join(' ')}`,
    value: verb.negated ? ['no'] : [...measures],
    oneValue: true,
  };
};

/** A verb that holds one object at a time: "drives a Golf". */
const singleFact = (subject: Subject, verb: VerbPhrase): SlotFact | null => {
  const frame = frameOf(verb);
  if (!frame?.isSingle || !subject.isPerson) return null;
  return {
    ...plainFact(subject, verb),
    slot: `${subject.key}/${frame.key}`,
    value: frame.value,
    oneValue: true,
    isStatic: !verb.progressive,
  };
};

const slotFact = (subject: Subject, verb: VerbPhrase): SlotFact => {
  const ofThing =
    objectFact(subject, verb) ??
    thingFact(subject, verb) ??
    singleFact(subject, verb) ??
    (/^\p{Lu}\S* v?\d/u.test(verb.rest) ? measuredFact(subject, verb) : null) ??
    stateFact(subject, verb);
  if (ofThing) return ofThing;
  for (const { rule } of byVerb.get(verb.lemma) ?? []) {
    const found = byRule(rule, subject, verb);
    if (found?.slot === null) return { ...(countedFact(subject, verb) ?? found), isStatic: found.isStatic };
    if (found) return found;
  }
  return measuredFact(subject, verb) ?? countedFact(subject, verb) ?? plainFact(subject, verb);
};

/** Facts that do not end because something was sold or finished. */
const LASTS = /\/(?:taste|preference|origin|birth|name|age|allergy)\b/;
/** Verbs of a beginning: what they name is held until it ends. */
const BEGINS = wordSet(
  'buy get adopt join start begin subscribe sign enroll enrol rent lease book order hire open launch receive adopt install register schedule purchase inherit build move switch',
);

/** Events that say for good who somebody is. */
const LASTING_EVENTS = wordSet('be graduate study grow bear found marry major train');

const changeIn = (memory: string, subject: Subject, verb: VerbPhrase, fact: BriefFact): Change => {
  const frame = frameOf(verb);
  const isState = isNow(verb) && !verb.ended && verb.modal === null;
  return {
    ...cuesOf(memory),
    ...{ kind: fact.kind, measures: fact.measures, ends: fact.ends },
    frame: frame?.key && !verb.perfect ? `${subject.key}/${frame.key}` : null,
    object: [
      ...objectTerms(verb),
      // "left Crumb & Co" ends a statement that names it anywhere: "is a baker at Crumb & Co".
      ...namesIn(verb.rest),
      ...fact.value,
      // "closed the account" ends what "their account is with Pelham Bank" says.
      ...(subject.owner === null ? [] : ruleTerms(subject.noun ?? '')),
    ],
    subject: isDeath(verb) && subject.owner === null ? ANYBODY : (subject.owner ?? subject.key),
    listed: listedNames(memory),
    holder: subject.isPerson ? subject.key : subject.owner,
    endsAs: endsOnlyAs(fact.slot),
    canEnd: !LASTS.test(fact.slot ?? '') && !verb.negated && (isState || BEGINS.has(verb.lemma)),
    ...changeSigns(memory, subject, verb),
    more: [],
    sketch: null,
  };
};

const briefIn = (subject: Subject, verb: VerbPhrase): BriefFact => {
  const fact = slotFact(subject, verb);
  // A single event does not last: "held a charity game".
  const isEvent = verb.tense === 'past' && fact.slot === null && !LASTING_EVENTS.has(verb.lemma);
  return {
    ...fact,
    isStatic: fact.isStatic && !isEvent,
    kind: frameOf(verb)?.kind ?? 'noun',
    measures: measuresOf(verb.rest),
    ends: endedThings(verb, subject),
  };
};

const factIn = (memory: string, subject: Subject, verb: VerbPhrase, fact: BriefFact): RuleFact => ({
  ...fact,
  ...changeIn(memory, subject, verb, fact),
});

const furtherFacts = (memory: string, first: Clause): readonly RuleFact[] =>
  furtherClauses(memory, first.subject).map(({ text, clause: { subject: words, verb } }) => {
    const subject = subjectOf(words);
    return { ...factIn(text, subject, verb, briefIn(subject, verb)), mentions: namesIn(memory) };
  });

/** A statement joined with a following sentence: it is kept as text and is not a fact that another could replace. */
const SEVERAL = /\p{Ll}{2}\. \p{Lu}/u;

interface Reading {
  readonly clause: Clause;
  readonly subject: Subject;
  readonly fact: BriefFact;
}

/** Caches, because a statement is parsed when it is judged and drawn, and later when it is related and compared. */
const readings = createMemo<Reading | null>(256);
const facts = createMemo<RuleFact>(4_096);

/** Null for a statement without a verb. */
const parsedStatement = (memory: string): Reading | null =>
  readings(memory, () => {
    const clause = mainClause(memory);
    if (!clause) return null;
    const subject = subjectOf(clause.subject);
    const fact = briefIn(subject, clause.verb);
    return { clause, subject, fact };
  });

const withoutSlot = <Fact extends SlotFact>(fact: Fact): Fact => ({
  ...fact,
  ...{ slot: null, introduces: false, isStatic: false, value: [] },
});

/** Most statements are judged and dropped. */
export const briefFactOf = (memory: string): BriefFact => {
  if (habitAsked(memory) !== null) return { ...NO_FACT, isStatic: true };
  const fact = parsedStatement(memory)?.fact ?? NO_FACT;
  return SEVERAL.test(memory) ? withoutSlot(fact) : fact;
};

/** Only what the model of replacement compares. */
export const verbless = (memory: string): RuleFact => ({
  ...NO_FACT,
  ...cuesOf(memory),
  measures: measuresOf(memory),
  measureKinds: measureKindsOf(memory),
  mentions: namesIn(memory),
  sketch: sketchOf(memory, null),
});

export const factOf = (memory: string): RuleFact =>
  facts(memory, () => {
    const asked = habitAsked(memory);
    if (asked !== null) {
      // A later wish changes it as if its owner did what it asks for.
      const fact = factOf(asked);
      return { ...fact, slot: fact.slot && `order ${fact.slot}`, isStatic: true };
    }
    const reading = parsedStatement(memory);
    if (!reading) return verbless(memory);
    const { clause, subject, fact: brief } = reading;
    const sketch = sketchOf(memory, { ...clause.verb, ...subject, subject: clause.subject });
    const more = furtherFacts(memory, clause);
    const fact = { ...factIn(memory, subject, clause.verb, brief), more, sketch };
    return SEVERAL.test(memory) ? withoutSlot(fact) : fact;
  });

// Facts that the noun of the subject decides: attributes, names, partners, days of events, and deaths.
import type { SlotFact } from '../../language.ts';
import { IS_TIME } from '../change/object-facts.ts';
import { isNationality } from '../grammar/names.ts';
import { isOneOfSeveral, isPersonNoun, PARTNERS } from '../grammar/people.ts';
import { cutAt, nameTerms, ruleTerms, termKey, withoutDates } from '../grammar/terms.ts';
import { isNow, type VerbPhrase } from '../grammar/verb-phrase.ts';
import { wordSet } from '../grammar/words.ts';
import type { Subject } from '../subject.ts';
import { ATTRIBUTES, CHANGED_DAY, HAPPENS, isFavourite, LASTING, ON_A_DAY } from './things.ts';

const fact = (subject: Subject, verb: VerbPhrase, known: Partial<SlotFact>): SlotFact => ({
  slot: null,
  about: subject.about,
  introduces: false,
  standing: verb.ended || verb.negated ? 'ended' : 'holds',
  oneValue: true,
  value: [],
  detail: ruleTerms(verb.rest),
  isStatic: true,
  ...known,
});

const CALLED = /^(?:called|named)\s/;
/** "was cut to $30k". */
const CUT_TO =
  /^(?:cut|raised|increased|lowered|reduced|changed|set|bumped|extended|renamed|reset) (?:from .+? )?to (?<value>.+)$/;
const BECAME = /^(?:now |still )?(?:to )?(?<value>.+)$/;

/** Words after "is" that are not a value. */
const NO_VALUE =
  /^(?:very|so|too|quite|really|not|great|good|bad|nice|amazing|being|getting|going|important|due|up|over|out|back|here|there)\b/i;

const partnerFact = (subject: Subject, verb: VerbPhrase): SlotFact | null => {
  const status = PARTNERS[subject.head ?? ''];
  const words = verb.rest.replace(CALLED, '');
  if (!status || !/^\p{Lu}/u.test(words) || isNationality(words)) return null;
  return fact(subject, verb, {
    slot: `${subject.owner}/partner`,
    value: [...ruleTerms(status), ...nameTerms(cutAt(words))],
  });
};

/** A name behind "is", or the one thing of its kind: "Ms. Aldous", "a Golf", "the fountain". */
const A_NAME = /^(?:now |still )?(?:with |an? (?:\p{Ll}+ )?)?(?:(?:Dr|Mr|Mrs|Ms)\.? )?\p{Lu}\p{L}/u;
const THE_ONE = /^the (?!same\b|one\b|only\b)\p{Ll}+(?: \p{Ll}+)?$/u;

/** True if what the noun names is one, so that another name replaces this one. Of brothers there may be several. */
const namesOne = (head: string, value: string): boolean => {
  const name = A_NAME.exec(withoutDates(value))?.[0];
  if (name === undefined) return THE_ONE.test(value) && !isPersonNoun(head);
  const word = /\p{Lu}\p{L}*$/u.exec(name)?.index ?? 0;
  return !isOneOfSeveral(head) && !isNationality(value.slice(word).split(/[^\p{L}]/u)[0] ?? '');
};

const attributeFact = (subject: Subject, verb: VerbPhrase): SlotFact | null => {
  const { noun, head } = subject;
  if (noun === null || head === null) return null;
  const isKnown = ATTRIBUTES.has(head) || isFavourite(noun);
  if (!isKnown && !(isCopula(verb) && !verb.negated && namesOne(head, verb.rest))) return null;
  const words =
    verb.lemma === 'change'
      ? (/^(?:from .+? )?to (?<value>.+)/.exec(verb.rest)?.groups?.value ?? '')
      : (CUT_TO.exec(verb.rest)?.groups?.value ?? verb.rest);
  const value = BECAME.exec(words)?.groups?.value ?? '';
  if (value === '' || NO_VALUE.test(value)) return null;
  // "The goal is …" does not say whose goal it is.
  if (isKnown && subject.owner === null && !noun.includes(' ') && !A_NAME.test(value) && !/\d/.test(value))
    return null;
  // "Anna's boss is ill" does not name the boss.
  if (isPersonNoun(head) && !/^(?:called |named )?(?:Dr\.? |Mr\.? |Mrs\.? |Ms\.? )?\p{Lu}/u.test(value))
    return null;
  const isLasting = LASTING.has(head) || isFavourite(noun);
  return fact(subject, verb, {
    slot: subject.owner === null ? termKey(noun) : `${subject.owner}/${termKey(noun)}`,
    value: ruleTerms(cutAt(value.replace(CALLED, ''))),
    isStatic: subject.owner !== null && isLasting,
  });
};

/** Of these there are many: two days are two of them, unless one says that it was moved. */
const RECURRING = wordSet('rehearsal practice training lesson class session match game shift lecture tour');

const dayFact = (subject: Subject, verb: VerbPhrase): SlotFact | null => {
  if (subject.isPerson) return null;
  const moves =
    /^(?:move|shift|postpone|reschedule|change|slip|extend)$/.test(verb.lemma) && verb.tense === 'past';
  const changed = CHANGED_DAY.exec(
    moves
      ? `${verb.lemma}d ${verb.rest}`
          .replace('shiftd', 'shifted')
          .replace('slipd', 'slipped')
          .replace('extendd', 'extended')
      : verb.rest,
  )?.groups;
  const happens = verb.lemma === 'be' || (HAPPENS.has(verb.lemma) && verb.tense === 'present');
  const stated = happens ? ON_A_DAY.exec(verb.rest.replace(/^place /, ''))?.groups : undefined;
  if (verb.lemma !== 'be' && !moves && !stated) return null;
  if (!changed && !stated) return null;
  const [value = ''] = (changed ?? stated)?.value?.split(/[,;]\s/) ?? [];
  if (changed && (value === '' ? verb.lemma === 'change' : !IS_TIME.test(value))) return null;
  return fact(subject, verb, {
    slot: ATTRIBUTES.has(subject.head ?? '') ? subject.key.replace('.', '/') : `${subject.key}/day`,
    value: value === '' ? ['cancel'] : ruleTerms(cutAt(value.replace(/(?<=\d):(?=\d)/g, 'h'))),
    standing:
      changed || verb.adverbs.includes('now') || verb.adverbs.includes('instead') ? 'changed' : 'holds',
    oneValue: !RECURRING.has(subject.head ?? ''),
    isStatic: false,
  });
};

const deathFact = (subject: Subject, verb: VerbPhrase): SlotFact | null => {
  const isGone =
    verb.lemma === 'be' && isNow(verb) && !verb.negated && /^(?:gone|dead|over|sold)\b/.test(verb.rest);
  const died = verb.lemma === 'die' || (verb.lemma === 'pass' && /^away\b/.test(verb.rest));
  if (!(died || isGone) || subject.owner === null || subject.head === null) return null;
  return fact(subject, verb, {
    slot: `${subject.owner}/has:${termKey(subject.head)}`,
    value: ['no'],
    standing: 'ended',
    isStatic: false,
  });
};

const isCopula = (verb: VerbPhrase): boolean => verb.lemma === 'be' && isNow(verb) && !verb.progressive;

/** The fact that the noun alone gives; null if there is none. */
export const thingFact = (subject: Subject, verb: VerbPhrase): SlotFact | null => {
  if (verb.modal !== null || verb.tense === 'future') return null;
  if (subject.owner !== null && isCopula(verb)) {
    const partner = partnerFact(subject, verb);
    if (partner) return partner;
  }
  const isAttribute = isCopula(verb) || (verb.lemma === 'change' && verb.tense === 'past');
  const found =
    isAttribute && !/^(?:in|at|on) the\b/.test(withoutDates(verb.rest)) ? attributeFact(subject, verb) : null;
  return found ?? dayFact(subject, verb) ?? deathFact(subject, verb);
};

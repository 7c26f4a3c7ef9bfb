// The frame of a statement: its subject with its verb and preposition. Two values in one frame may replace each other.
import type { ValueKind } from '../../language.ts';
import { cutAt, nounPhrase, ruleTerms, termKey, withoutDates } from '../grammar/terms.ts';
import { isNow, type VerbPhrase } from '../grammar/verb-phrase.ts';
import { wordSet } from '../grammar/words.ts';
import type { Subject } from '../subject.ts';

/** Verbs that hold many values at once: a later object says nothing about an earlier one, even after "now". */
const MANY = wordSet(
  'be have like love hate enjoy want need know think say feel see visit hope plan try get make do know mean remember own buy meet watch attend believe prefer adore dislike add give send help look do work',
);
/** Verbs that hold one object at a time, which grammar does not tell. */
const ONE = wordSet('drive report bank vote');
const SWITCHES = wordSet('switch migrate move change convert');
const PREPOSITION = /^(?<prep>to|with|at|for|in|on|under|by|as|from|near|through)\s/;
const A_NAME = /^(?:an?|the|their)\s+(?:\S+\s+)?\p{Lu}|^\p{Lu}|^(?:an?)\s/u;

/** "goes out with Raoul". */
const PARTICLE = /^(?:out|up|over|back|away|together|off|on) (?=(?:with|from|to|for|at|in)\s)/;

export interface Frame {
  /** "drive", "report to"; null where the verb holds many values. */
  readonly key: string | null;
  readonly kind: ValueKind;
  readonly value: readonly string[];
  /** True if the verb holds one value at a time. */
  readonly isSingle: boolean;
}

/** "knows rule 7" is one of many. "has" and "is" hold one number of a thing. */
export const holdsMany = ({ lemma }: VerbPhrase): boolean =>
  MANY.has(lemma) && !/^(?:be|have|say|work)$/.test(lemma);

const valueKindOf = (object: string): ValueKind => {
  if (/^[€$£]?\d/.test(object)) return 'number';
  return /\p{Lu}/u.test(object) ? 'name' : 'noun';
};

/** The terms of the object, or of what follows the preposition: "golf", "bosch". */
export const objectTerms = (verb: VerbPhrase): string[] => {
  const rest = withoutDates(verb.rest).replace(PARTICLE, '');
  const prep = PREPOSITION.exec(rest)?.groups?.prep ?? '';
  return ruleTerms(cutAt(nounPhrase(rest.slice(prep.length).trim())));
};

/** Null where the statement is not about a present state. */
export const frameOf = (verb: VerbPhrase): Frame | null => {
  // "switched to Teams" is a beginning of using it.
  const isSwitch =
    SWITCHES.has(verb.lemma) && verb.modal === null && /^(?:from .+? )?to \p{Lu}/u.test(verb.rest);
  if (!(isNow(verb) || isSwitch) || verb.ended || verb.negated || verb.rest === '') return null;
  const rest = withoutDates(isSwitch ? verb.rest.replace(/^(?:from .+? )?to /, '') : verb.rest);
  const prep = PREPOSITION.exec(rest)?.groups?.prep ?? null;
  const object = cutAt(nounPhrase(prep === null ? rest : rest.slice(prep.length + 1)));
  if (object === '' || /^(?:it|this|that|them|him|her|so|more|up|out|much|a lot)\b/i.test(object))
    return null;
  // "is reading Dune" is one at a time.
  const isMany = MANY.has(verb.lemma) && !verb.progressive && !(verb.lemma === 'be' && prep !== null);
  const single =
    ONE.has(verb.lemma) && (prep === null ? A_NAME.test(rest) : prep !== 'to' || verb.lemma === 'report');
  return {
    key: isMany ? null : isSwitch ? 'use' : `${verb.lemma}${prep === null ? '' : ` ${prep}`}`,
    kind: valueKindOf(object),
    value: ruleTerms(object),
    isSingle: single,
  };
};

/** A number that belongs to a noun: "port 8443", "Python 3.12", "1,020 euros in rent", "250 people". */
const NOUN_NUMBER =
  /(?:^|\s)(?<noun>\p{L}[\p{L}+#-]*) (?:is |to |version |v)?(?<number>v?\d[\d.,:]*\p{L}?)(?=$|[\s,;)])(?! (?:\p{L}+ )?(?:old|ago|times|years|days|weeks|months|hours|minutes|km|miles|am|pm|o'clock|January|February|March|April|May|June|July|August|September|October|November|December)\b)/u;
const AMOUNT_FOR =
  /(?<number>[€$£]\s?\d[\d.,]*k?|\d[\d.,]*k? ?(?:€|\$|£|euros?|dollars?|pounds?|francs?|mg|mcg|g|ml|units))\b(?:.*?) ?(?:in|for|of|on) (?:the |their |an? )?(?<noun>\p{L}[\p{L}-]*(?: \p{L}[\p{L}-]*)?)/u;
const NO_NOUN = wordSet(
  'in on at since until by from to of for the and about around over under until till than chapter page day week line step part number no like with a only just january february march april may june july august september october november december monday tuesday wednesday thursday friday saturday sunday it is',
);
/** Of an event in the past, a number is no state: "ran 5 km". */
const STARTS = wordSet(
  'upgrade migrate switch move bump update set raise lower increase reduce cut change get',
);

export interface Measured {
  readonly key: string;
  readonly value: readonly string[];
  /** The thing that has the number, where it is the object: "migrated the project to Python 3.13". */
  readonly of: string | null;
}

export const measuredIn = (subject: Subject, verb: VerbPhrase): Measured | null => {
  if (verb.modal !== null || verb.tense === 'future' || verb.negated) return null;
  if (!isNow(verb) && !STARTS.has(verb.lemma)) return null;
  const rest = withoutDates(verb.rest);
  const amount = AMOUNT_FOR.exec(rest)?.groups;
  if (amount?.number && amount.noun)
    return { key: termKey(amount.noun), value: ruleTerms(amount.number), of: null };
  const pair = NOUN_NUMBER.exec(rest)?.groups;
  if (!pair?.noun || !pair.number || NO_NOUN.has(pair.noun.toLowerCase())) return null;
  const of = /^(?:the|their) (?<thing>\p{L}[\p{L} -]*?) (?:from .+? )?to /u.exec(rest)?.groups?.thing ?? null;
  // "knows rule 7", "read chapter 3": one of many.
  const isOneOfMany = MANY.has(verb.lemma) || /^(?:read|turn)$/.test(verb.lemma);
  if (subject.isPerson && of === null && isOneOfMany) return null;
  return { key: termKey(pair.noun), value: ruleTerms(pair.number), of };
};

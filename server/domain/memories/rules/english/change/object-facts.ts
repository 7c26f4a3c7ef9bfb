// Facts whose subject is the object of the sentence: "We moved the standup to 10", "Priya is my new manager", "Ben leads the design team".
import type { SlotFact } from '../../language.ts';
import { isOneOfSeveral, isPersonNoun, PARTNERS } from '../grammar/people.ts';
import { cutAt, nounPhrase, ruleTerms, termKey, withoutDates } from '../grammar/terms.ts';
import { isNow, type VerbPhrase } from '../grammar/verb-phrase.ts';
import { wordSet } from '../grammar/words.ts';
import type { Subject } from '../subject.ts';

const MOVES = wordSet(
  'move shift postpone push reschedule delay change switch rename raise increase lower cut reduce extend set update bump slip bring drop rise go',
);
const TO =
  /^(?:the|their|(?<owner>\S+['’]s)) (?<thing>\p{L}[\p{L} -]*?)(?: back| forward| up| down)? (?:from .+? )?(?:to|until|till) (?<value>.+)$/u;
export const IS_TIME =
  /^(?:\d{1,2}(?:[:.]\d\d)?(?: ?[ap]m)?|noon|midnight)(?![\d,.:]|\p{L}| (?:euros?|dollars?|people|percent))|\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|september|october|november|december)\b/iu;
const ROLE = /^(?:now )?(?:the|(?<owner>.+?)['’]s?) (?:new |current )?(?<role>\p{L}[\p{L} -]*)$/u;
const TAKES_OVER = /^over .*?\bas (?:the|(?<owner>.+?)['’]s?) (?:new )?(?<role>\p{L}[\p{L} -]*)$/u;
const LEADS = wordSet('lead manage chair head coach captain');
const NEW_ONE =
  /^an? new (?<noun>\p{L}[\p{L} -]*?)\s?(?:,|:| -|—)\s*(?:it is |(?:it's|its) )?(?:an? )?(?<value>\S.*)$/u;

/** The person at the root: "nora" for "nora.landlord". */
const rootOf = (subject: Subject): string => subject.key.split('.')[0] ?? subject.key;
const ownerKey = (owner: string): string => owner.replace(/^the user$/i, 'user').toLowerCase();

const changedObject = (subject: Subject, verb: VerbPhrase): [slot: string, value: string] | null => {
  if (!MOVES.has(verb.lemma) || (verb.tense !== 'past' && !verb.perfect)) return null;
  const { owner, thing = '', value = '' } = TO.exec(verb.rest)?.groups ?? {};
  if (thing === '' || /^(?:house|team|job|name)$/.test(thing)) return null;
  if (IS_TIME.test(value)) return [`${termKey(thing)}/day`, value];
  const key = owner ? ownerKey(owner.replace(/['’]s$/, '')) : rootOf(subject);
  return [`${key}/${termKey(thing)}`, value];
};

/** "Priya is Nora's new manager": the manager of Nora is Priya. */
const roleOf = (subject: Subject, verb: VerbPhrase): [slot: string, value: string] | null => {
  if (!subject.isPerson || subject.owner !== null || subject.key === 'user') return null;
  const isBe = verb.lemma === 'be' && isNow(verb) && !verb.negated;
  const words = isBe ? ROLE.exec(verb.rest) : verb.lemma === 'take' ? TAKES_OVER.exec(verb.rest) : null;
  const { owner, role = '' } = words?.groups ?? {};
  const head = role.split(' ').at(-1) ?? '';
  if (role === '' || !(isPersonNoun(head) || /^(?:lead|head|chair|captain|owner|contact)$/.test(head)))
    return null;
  // "the new manager" does not say of what.
  if (!owner && !role.includes(' ')) return null;
  if (isOneOfSeveral(head)) return null;
  const tie = PARTNERS[head];
  if (owner && tie) return [`${ownerKey(owner)}/partner`, `${tie} ${subject.key}`];
  return [owner ? `${ownerKey(owner)}/${termKey(role)}` : termKey(role), subject.key];
};

const ledBy = (subject: Subject, verb: VerbPhrase): [slot: string, value: string] | null => {
  const what = LEADS.has(verb.lemma) && isNow(verb) && /^the (?<what>.+)/.exec(verb.rest)?.groups?.what;
  return what ? [`${termKey(cutAt(what))} lead`, subject.key] : null;
};

const newOne = (subject: Subject, verb: VerbPhrase): [slot: string, value: string] | null => {
  if (!/^(?:get|buy|have)$/.test(verb.lemma)) return null;
  const { noun, value } = NEW_ONE.exec(verb.rest)?.groups ?? {};
  return noun && value ? [`${subject.key}/${termKey(noun)}`, cutAt(withoutDates(value))] : null;
};

export const objectFact = (subject: Subject, verb: VerbPhrase): SlotFact | null => {
  if (verb.modal !== null || verb.tense === 'future' || verb.negated) return null;
  const found =
    changedObject(subject, verb) ?? roleOf(subject, verb) ?? ledBy(subject, verb) ?? newOne(subject, verb);
  if (!found) return null;
  const [slot, value] = found;
  const terms = ruleTerms(nounPhrase(value));
  if (terms.length === 0) return null;
  return {
    slot,
    about: null,
    introduces: false,
    standing: 'holds',
    oneValue: true,
    value: terms,
    detail: ruleTerms(verb.rest),
    isStatic: false,
  };
};

// States that one word replaces by another: where a thing is, how it stands, how somebody gets to work, what somebody prefers.
import type { SlotFact } from '../../language.ts';
import { isVagueNoun } from '../gate/vague-words.ts';
import { cutAt, headWord, nameTerms, ruleTerms, termKey, withoutDates } from '../grammar/terms.ts';
import { isNow, type VerbPhrase } from '../grammar/verb-phrase.ts';
import type { Subject } from '../subject.ts';

const PLACE =
  /^(?:now |based |located |still |back |kept |stored )*(?:in|at|on|under|behind|inside|near) (?<place>(?!hold\b|time\b|sale\b|offer\b|fire\b|order\b|beta\b|general\b|fact\b)\p{L}.*)/u;
const MOVED = /^(?:back |over )?(?:to|into) (?<place>(?:the )?\p{Lu}.*|(?:room|floor) \S+.*)/u;
/** Adjectives and participles of a passing state, which have an opposite that replaces them. */
const STATUS =
  /^(?:now |currently |still |again |temporarily )*(?<status>on hold|open|closed|live|done|finished|completed?|ready|blocked|unblocked|broken|stuck|out of order|fixed|repaired|mended|replaced|fine|sick|ill|better|healed|active|inactive|available|unavailable|full|empty|approved|rejected|cancelled|canceled|paused|delayed|postponed|overdue|online|offline|in progress|in review|merged|deployed|signed|sold out|in beta|deprecated|archived|vacant|occupied|down|up)(?: again| now)?(?=$|[\s.,;])/i;
/** "I cycle in now"; "I cycle in the park" is another. */
const DRIVES_IN = /^in(?=$|[,;]| (?:now|these days|nowadays|every|most|instead)\b)/;
const COMMUTES = /^(?:drive|cycle|bike|walk|commute|take|ride|run)$/;
const PREFERS = /^(?<one>.+?) (?:to|over|instead of|rather than) (?<other>.+)$/;
/** "My commute is by train". */
const BY = /^(?:now )?(?:by|on) (?<vehicle>\p{L}+)/u;
const WORKS_AT = /^(?:now )?(?:at|with(?! (?:Dr|Mr|Mrs|Ms|Frau|Herr)\b)) (?<where>\p{Lu}.*)/u;

const day =
  /\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|april|may|june|july|august|september|october|november|december)\b/i;

const isCommute = ({ owner, head }: Subject): boolean => owner !== null && head === 'commute';

const stateOf = (subject: Subject, verb: VerbPhrase): [key: string, value: string[]] | null => {
  const rest = withoutDates(verb.rest);
  if (isCommute(subject)) {
    const vehicle = verb.lemma === 'be' && isNow(verb) ? BY.exec(rest)?.groups?.vehicle : undefined;
    return vehicle === undefined ? null : ['commute', ruleTerms(vehicle)];
  }
  if (!subject.isPerson && subject.head !== null) {
    const moved = verb.lemma === 'move' && (verb.tense === 'past' || verb.perfect);
    const place = (moved ? MOVED : verb.lemma === 'be' && isNow(verb) ? PLACE : null)?.exec(rest)?.groups
      ?.place;
    if (
      place &&
      !day.test(place) &&
      !/^(?:the )?\d|^(?:noon|midnight)/.test(place) &&
      !isVagueNoun(headWord(place))
    )
      return ['place', nameTerms(place)];
    // "works again": the state before has ended, whatever it was.
    if (verb.adverbs.includes('again') && isNow(verb) && verb.lemma !== 'be') return ['status', [verb.lemma]];
    const isStanding = /^(?:be|stay|remain)$/.test(verb.lemma) && isNow(verb);
    const status = isStanding ? STATUS.exec(rest)?.groups?.status : undefined;
    return status ? ['status', [...(verb.negated ? ['not'] : []), ...ruleTerms(status)]] : null;
  }
  if (!subject.isPerson || !isNow(verb) || verb.negated || verb.ended) return null;
  if (/^(?:drive|cycle|walk)$/.test(verb.lemma) && !verb.progressive && DRIVES_IN.test(verb.rest))
    return ['commute', [verb.lemma]];
  if (COMMUTES.test(verb.lemma) && /\bto (?:work|the office)\b/.test(rest))
    return ['commute', ruleTerms(`${verb.lemma} ${rest.replace(/\bto (?:work|the office)\b.*/, '')}`)];
  const preferred =
    verb.lemma === 'prefer'
      ? PREFERS.exec(cutAt(rest, new Set(['for', 'when', 'because'])))?.groups
      : undefined;
  if (preferred?.one && preferred.other)
    return [
      `preference:${[termKey(preferred.one), termKey(preferred.other.replace(/ now$/, ''))].sort().join(' ')}`,
      ruleTerms(preferred.one),
    ];
  const where =
    verb.lemma === 'be' && verb.adverbs.includes('now') ? WORKS_AT.exec(rest)?.groups?.where : undefined;
  return where ? ['employer', nameTerms(where)] : null;
};

export const stateFact = (subject: Subject, verb: VerbPhrase): SlotFact | null => {
  if (verb.modal !== null || verb.tense === 'future') return null;
  const found = stateOf(subject, verb);
  if (!found || found[1].length === 0) return null;
  const [key, value] = found;
  return {
    slot: `${isCommute(subject) ? subject.owner : subject.key}/${key}`,
    about: subject.about,
    introduces: false,
    standing: 'holds',
    oneValue: true,
    value,
    detail: ruleTerms(verb.rest),
    isStatic: subject.isPerson,
  };
};

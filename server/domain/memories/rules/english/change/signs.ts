// Reads the signs of change in a clause: its thing and topic, and if the thing moves, is mended or has a new holder.
import { likenessTo } from '../../../../../lib/text/meanings/word-meanings.ts';
import type { ChangeSigns } from '../../language.ts';
import { namesIn, nounPhrase, ruleTerms, withoutDates } from '../grammar/terms.ts';
import { isNow, type VerbPhrase } from '../grammar/verb-phrase.ts';
import { wordSet } from '../grammar/words.ts';
import type { Subject } from '../subject.ts';
import { whoDied } from './deaths.ts';
import { hostingOf } from './hosting.ts';
import { lifeEndsOf, lifeStateOf } from './life-events.ts';
import { measuredApart, measureKindsOf } from './measures.ts';

const isDone = (verb: VerbPhrase): boolean =>
  verb.modal === null && !verb.negated && (verb.tense === 'past' || verb.perfect);
const isState = (verb: VerbPhrase): boolean => isNow(verb) && !verb.negated && !verb.ended && !verb.perfect;

/** "has been on nights since May". */
const goesOn = ({ perfect, lemma, progressive, negated, ended, rest }: VerbPhrase): boolean =>
  perfect && (lemma === 'be' || progressive) && !negated && !ended && /\b(?:since|for) /.test(rest);

const thingOf = ({ key, noun }: Subject): string[] => ruleTerms(noun ?? key);

/** "looks after the clocks", "plays the count": one person at a time does it. Many do what these verbs name. */
const ANYONE_MAY = wordSet(
  'use like love hate enjoy know see visit attend watch hear read join go be have live work take',
);
const THE_ONE = /^(?:after |over |for |up )?the (?<object>\p{Ll}[^,;]*)$/u;

const holdingOf = ({ isPerson }: Subject, verb: VerbPhrase): string | null => {
  if (!isPerson || !isState(verb) || ANYONE_MAY.has(verb.lemma)) return null;
  const object = THE_ONE.exec(withoutDates(verb.rest))?.groups?.object;
  return object === undefined ? null : [verb.lemma, ...ruleTerms(nounPhrase(object))].join(' ');
};

/** Verbs of motion between days and amounts. */
const MOVES = wordSet('move shift postpone push reschedule delay slip bring extend change');
const LEVELS = wordSet('go rise climb fall drop sink increase decrease jump come');

const movesIn = (subject: Subject, verb: VerbPhrase): string[] => {
  const passive = verb.lemma === 'be' && /^(?:been |now )?(?<done>\p{L}+ed)\b/u.exec(verb.rest)?.groups?.done;
  const isMove = MOVES.has(verb.lemma)
    ? isDone(verb)
    : passive && /^(?:move|shift|postpone|push|reschedule|delay|extend)d?(?:ed)?$/.test(passive);
  return isMove && /\b(?:to|until|till)\b/.test(verb.rest) ? thingOf(subject) : [];
};

const MENDS = wordSet('fix repair mend heal restore cure');
const MENDED =
  /^(?:been |now |all )*(?:fixed|repaired|mended|healed|restored|replaced|fine|back|okay|ok|working|running|in order|better|cured)\b/;

const mendsIn = (subject: Subject, verb: VerbPhrase): string[][] => {
  const thing = thingOf(subject);
  const isAgain = verb.adverbs.includes('again') || /^again\b/.test(verb.rest);
  if (
    thing.length > 0 &&
    isState({ ...verb, perfect: false }) &&
    (verb.lemma === 'be' ? MENDED.test(verb.rest) : isAgain)
  )
    return [thing];
  if (!MENDS.has(verb.lemma) || !isDone(verb)) return [];
  return [ruleTerms(nounPhrase(withoutDates(verb.rest).replace(/^the user's /, '')))];
};

/** Words for things out of order; the meaning of a clause is compared with theirs. Its place, price and time are no trouble. */
const likenessToTrouble = likenessTo(['broken', 'damaged', 'faulty problem', 'pain']);
const NEAR = 0.38;
const NO_TROUBLE = /^(?:in|on|at|under|from|for|an?|the) (?!order)|\d/;

const isTrouble = (subject: Subject, verb: VerbPhrase): boolean => {
  if (thingOf(subject).length === 0 || !(isState(verb) || (verb.perfect && verb.lemma === 'be')))
    return false;
  const rest = withoutDates(verb.rest);
  if (/^(?:been )?(?:out of order|down|stuck|ill|sick)\b/.test(rest)) return true;
  if (verb.lemma === 'be' && NO_TROUBLE.test(rest)) return false;
  const words = /^(?:be|have)$/.test(verb.lemma) ? rest : verb.lemma;
  return likenessToTrouble(words) >= NEAR;
};

export const changeSigns = (memory: string, subject: Subject, verb: VerbPhrase): ChangeSigns => {
  const { others } = measuredApart(withoutDates(verb.rest));
  return {
    isOfThing: !subject.isPerson && subject.owner === null,
    thing: thingOf(subject),
    topic: [...new Set([...(subject.noun === null ? [] : ruleTerms(subject.noun)), ...others])],
    measureKinds: measureKindsOf(verb.rest),
    holding: holdingOf(subject, verb),
    mentions: namesIn(memory),
    moves: movesIn(subject, verb),
    isLevel: LEVELS.has(verb.lemma) && /^(?:up|down|back)? ?to\b/.test(verb.rest),
    mends: mendsIn(subject, verb),
    isTrouble: isTrouble(subject, verb),
    begins: false,
    ...hostingOf(subject, verb),
    lifeState: isState(verb) || goesOn(verb) ? lifeStateOf(verb) : null,
    lifeEnds: lifeEndsOf(subject, verb),
    died: whoDied(subject, verb),
  };
};

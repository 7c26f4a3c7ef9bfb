// Services that things of a project run on: "Our app runs on Heroku", "Everything is on Hetzner now".
import type { ChangeSigns } from '../../language.ts';
import { ruleTerms } from '../grammar/terms.ts';
import { isNow, type VerbPhrase } from '../grammar/verb-phrase.ts';
import type { Subject } from '../subject.ts';

const RUNS = /^(?:be|run|live|sit)$/;
const ON =
  /^(?:(?:all|hosted|deployed|running) )*on (?<host>(?!(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?\b)\p{Lu}[\p{L}.]*)/u;
const ALL = /^(?:everything|it all|all of it|the whole lot)$/i;
const MOVES = /^(?:move|migrate|switch|port)$/;
const ALL_TO = /^(?:everything|it all|all of it|the whole lot)(?: over)? to (?<host>\p{Lu}[\p{L}.]*)/u;

const keyOf = (host: string): string => ruleTerms(host).join(' ');

export const hostingOf = (subject: Subject, verb: VerbPhrase): Pick<ChangeSigns, 'runsOn' | 'isOfAll'> => {
  const none = { runsOn: null, isOfAll: false };
  if (verb.negated || verb.modal !== null || verb.tense === 'future') return none;
  const isDone = verb.tense === 'past' || verb.perfect;
  const moved = isDone && MOVES.test(verb.lemma) ? ALL_TO.exec(verb.rest) : null;
  if (moved?.groups?.host !== undefined) return { runsOn: keyOf(moved.groups.host), isOfAll: true };
  const host = RUNS.test(verb.lemma) && isNow(verb) ? ON.exec(verb.rest)?.groups?.host : undefined;
  if (subject.isPerson || host === undefined) return none;
  const isOfAll = ALL.test(subject.noun ?? '') && verb.adverbs.includes('now');
  return { runsOn: keyOf(host), isOfAll };
};

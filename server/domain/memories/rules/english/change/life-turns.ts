// Turns in the life of the speaker or their family, which few words tell: "I graduated", "I got the job", "My wife is pregnant".
// They are remembered whatever else the gate finds in them.

import type { Clause } from '../grammar/clause.ts';
import type { VerbPhrase } from '../grammar/verb-phrase.ts';
import { subjectOf } from '../subject.ts';
import { FICTION, isOnlyNearly } from './deaths.ts';
import { lifeEndsOf, toldBy } from './life-events.ts';

/** The words that may stand behind a turn: "… at last", "… on the third go"; "got the job done" is another act. */
const END = String.raw`(?=$|[,;!:)(–—]| (?:at|in|on|as|with|from|for|to \p{Lu}|today|yesterday|last|this|after|because|since|now|again|and|two|three|a)\b)`;
const CHILD = '(?:first |second |third |little |lovely |healthy )*(?:baby|boy|girl|son|daughter|twins)';
const WORK =
  '(?:job|position|role|promotion|apprenticeship|internship|scholarship|visa|flat|apartment|house|place at|contract|lead role|licen[cs]e|degree|diploma)';
const EXAM = String.raw`(?:(?:\p{L}+ ){0,2}(?:exams?|test|finals|boards|viva)|licen[cs]e|driving|probation|bar)`;
const BONE = '(?:leg|arm|ankle|wrist|foot|hand|finger|toe|rib|hip|knee|nose|collarbone|elbow|shoulder)s?';
const VICE =
  '(?:smoking|drinking|vaping|gambling|cigarettes|alcohol|booze|sugar|meat|coffee|caffeine|dairy|gluten|uni|university|college|school)';

/** Acts that are done, by the words that `toldBy` gives. */
const DONE = [
  'graduate',
  'retire',
  'resign',
  `(?:get|land) (?:the|that|their) (?:dream )?${WORK}`,
  'get (?:promoted|hired|laid off|fired|made redundant|the sack|married|engaged|divorced)',
  'be (?:promoted|hired|laid off|fired|made redundant)',
  'make (?:partner|redundant)',
  'move in together',
  '(?:break|split) up',
  'drop out',
  'get the keys',
  `have (?:an?|the|their|our) ?${CHILD}|have twins`,
  `(?:quit|stop|give up) ${VICE}`,
  `(?:pass|fail|retake) (?:(?:the|their|his|her|all|my) )*${EXAM}`,
  `(?:break|fracture|sprain|dislocate) (?:their|his|her|an?) ${BONE}`,
  'switch to .+ only',
  'turn \\d{1,3}',
];
/** States that begin with a turn. */
const STATES = [
  'engaged',
  'married',
  'pregnant',
  'single',
  'divorced',
  'widowed',
  'retired',
  'expecting',
  'unemployed',
  'together(?! (?:in|on|at|with|for|to)\\b)',
  'sober',
  'in remission',
  '(?:cancer|smoke|debt|symptom)[ -]free',
  'on day \\d+ (?:without|of) .+',
  '\\S+ (?:days?|weeks?|months?|years?) (?:sober|clean|(?:smoke|alcohol|sugar)[ -]free|without .+)',
];
const IS_DONE = new RegExp(`^(?:${DONE.join('|')})${END}`, 'u');
const IS_STATE = new RegExp(`^be (?:(?:now|finally|officially|newly) )*(?:${STATES.join('|')})${END}`, 'u');
const HAVING_CHILD = new RegExp(`^have (?:an?|another|their) ?${CHILD}${END}|^have twins${END}`, 'u');
/** "quit smoking", "no longer drinks". */
const IS_OVER = new RegExp(`^(?:smoke|drink|vape|gamble|eat (?:meat|dairy|sugar|gluten))${END}`, 'u');

/** "graduated from worrying to panicking", "broke my leg laughing". */
const FIGURE = / (?:from \p{L}+ing to|laughing)\b/u;

const tells = (verb: VerbPhrase): boolean => {
  if (verb.modal !== null || verb.tense === 'future' || isOnlyNearly(verb)) return false;
  const told = toldBy(verb);
  if (verb.ended) return IS_OVER.test(told) && !verb.usedTo;
  if (verb.negated) return false;
  if (verb.progressive) return HAVING_CHILD.test(told);
  const isDone = verb.tense === 'past' || verb.perfect;
  return (isDone && IS_DONE.test(told)) || (verb.lemma === 'be' && IS_STATE.test(told));
};

/** `speaker`: who said it; "Congrats, you graduated" is told by somebody else. */
export const isTurnOfLife = ({ subject, verb }: Clause, memory: string, speaker: string): boolean => {
  if (FICTION.test(memory) || FIGURE.test(memory)) return false;
  const own = subjectOf(speaker).key;
  const who = subjectOf(subject);
  const isOwn = who.key === own || (who.owner === own && who.isPerson);
  return isOwn && (tells(verb) || (!isOnlyNearly(verb) && lifeEndsOf(who, verb).length > 0));
};

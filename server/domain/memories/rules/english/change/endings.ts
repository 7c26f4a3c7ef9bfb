// The things that a statement ends: "sold their Golf", "switched from Slack to Teams", "dropped out of the course".
import { cutAt, ruleTerms } from '../grammar/terms.ts';
import type { VerbPhrase } from '../grammar/verb-phrase.ts';
import type { Subject } from '../subject.ts';
import { isDeath } from './deaths.ts';

/** Verbs that end what their object names, with the words between them and it. Grammar does not tell an end from a beginning. */
const ENDS: readonly (readonly [verbs: RegExp, between: RegExp])[] = [
  [
    /^(?:sell|cancel|quit|scrap|ditch|dump|donate|uninstall|deactivate|unsubscribe|divorce|abandon|discontinue|retire|close|shut|end|return|lose|leave|delete|remove|drop|stop|finish|complete|replace|swap|exchange|trade|outgrow|unfollow|terminate|resign)$/,
    /^(?:from |in |down |out of |with |off )?/,
  ],
  [/^(?:give)$/, /^(?:up|away|back)(?: on)? /],
  [/^(?:get|be)$/, /^(?:rid of|free of|cured of|out of|done with|finished with|through with|over with) /],
  // "is off work", "is off to Canada": nothing ends.
  [/^(?:get|be|come)$/, /^off (?=(?:(?:the|their|his|her) )?(?:crutches|diet|drip|oxygen|sick list)\b)/],
  [/^(?:step|stand)$/, /^down (?:as|from) /],
  [/^(?:throw|toss|phase)$/, /^(?:out|away) /],
  [/^(?:break|split|part)$/, /^(?:up with|with|ways with) /],
  [/^(?:move|check|opt|pull|sign)$/, /^(?:out of|out from|off) /],
  [/^(?:take)$/, /^over from /],
];
/** "from Slack to Teams", "to Teams from Slack". */
const FROM_TO = /\bfrom (?<old>.+?) to \S|\bto .+? from (?<old2>.+)$/;
const SWITCHES = /^(?:switch|change|move|migrate|transition|convert|upgrade|downgrade|go|swap|transfer)$/;
/** The words behind these no longer belong to the thing that ended. */
const BEHIND = / (?:for|with|by|to|because|after|before|and|in|on|last|this|at|around|as|since) .*$/;

/** Adjectives and possessives in front of the thing do not name it. */
const LEAD =
  /^(?:(?:no|their|the|his|her|its|an?|all|old|new|former|previous|current|own|first|taking|using|doing|going to|\S+['’]s)\s+)+/i;

const thing = (text: string): string[] => ruleTerms(cutAt(text.replace(LEAD, '').replace(BEHIND, '')));

/** "the low-carb thing". */
const withoutVague = (terms: readonly string[]): string[] =>
  terms.length > 1 ? terms.filter((term) => !/^(?:thing|stuff)$/.test(term)) : [...terms];

/** "My peanut allergy is gone", "Ben's tutoring is over". */
const GONE = /^(?:all )?(?:gone|over|finished|no more|cancelled|canceled|called off|history)$/;

/** "uses VS Code instead of Vim". */
const INSTEAD = /\b(?:instead of|rather than|in place of) (?<old>.+)$/;

/** "started opening on Mondays", "are closed on Mondays now". */
const OPEN_ON = /^(?:(?:open|closed|shut) )?on (?<day>\p{L}+days?)\b/iu;

const EATS = /^(?:eat|have|drink|tolerate)$/;
const FOOD = /^(?<food>\p{L}+)(?=$|,| (?:again|now|without)\b)/u;

/** The terms of each thing that has ended; empty for most statements. */
export const endedThings = (verb: VerbPhrase, subject: Subject): string[][] => {
  if (isDeath(verb) && subject.isPerson && subject.owner === null) return [ruleTerms(subject.key)];
  const eaten = FOOD.exec(verb.rest)?.groups?.food;
  // "can eat eggs" says that no allergy to eggs is left.
  if (verb.modal === 'can' && !verb.negated && EATS.test(verb.lemma) && eaten !== undefined)
    return [ruleTerms(`${eaten} allergy`)];
  if (verb.modal !== null || verb.tense === 'future' || (verb.negated && !verb.ended)) return [];
  const isDone = verb.tense === 'past' || verb.perfect || verb.lemma === 'be';
  const isChanged = verb.adverbs.includes('now') || / (?:now|too|as well)\b/.test(verb.rest);
  const found: string[] = [];
  const instead = INSTEAD.exec(verb.rest)?.groups?.old;
  if (instead) found.push(instead);
  if (verb.ended && verb.rest !== '') found.push(verb.rest);
  if (verb.lemma === 'be' && verb.tense === 'present' && !subject.isPerson && GONE.test(verb.rest))
    found.push(subject.noun ?? '');
  const day = OPEN_ON.exec(verb.rest)?.groups?.day;
  if (day !== undefined && verb.lemma === 'open' && (verb.starting || isChanged)) found.push(`closed ${day}`);
  if (day !== undefined && verb.lemma === 'be' && isChanged)
    found.push(/^closed/.test(verb.rest) ? `open ${day}` : `closed ${day}`);
  // "started eating meat again" ends a diet without meat.
  if (verb.lemma === 'eat' && verb.starting && /^(?:meat|fish|animal)/.test(verb.rest))
    found.push('vegetarian', 'vegan');
  const groups = FROM_TO.exec(verb.rest)?.groups;
  if (isDone && groups && SWITCHES.test(verb.lemma)) found.push(groups.old ?? groups.old2 ?? '');
  else if (isDone && !verb.ended) {
    const row = ENDS.find(([verbs, between]) => verbs.test(verb.lemma) && between.test(verb.rest));
    const rest = row ? verb.rest.replace(row[1], '').replace(/^in (?=the |their )/, '') : '';
    if (rest !== '') found.push(rest);
  }
  return found
    .map(thing)
    .map(withoutVague)
    .filter((terms) => terms.length > 0 && terms.length <= 4);
};

/** "Outgrew the peanut allergy": an end must name it so, because "finished the peanuts" ends no allergy. */
const NAMED_ENDS: readonly (readonly [slot: RegExp, terms: readonly string[]])[] = [
  [/\/allergy:/, ruleTerms('allergy intolerance')],
];

/** The terms by one of which alone a fact of the slot ends; empty for most. */
export const endsOnlyAs = (slot: string | null): readonly string[] =>
  NAMED_ENDS.find(([pattern]) => pattern.test(slot ?? ''))?.[1] ?? [];

// Events in a life that end a state which they do not name: a birth ends a pregnancy, a stolen car the driving of one.
import { ANYBODY, type LifeEnd, type LifeState } from '../../language.ts';
import { isNow, type VerbPhrase } from '../grammar/verb-phrase.ts';
import { type Subject, subjectOf } from '../subject.ts';

/** The verb in its plain form, and what follows. */
export const toldBy = ({ lemma, rest }: VerbPhrase): string => `${lemma} ${rest}`.trim();

/** A meal plan and a birth plan are none. */
const TIER =
  '(?:free|basic|starter|standard|plus|pro|premium|team|business|enterprise|family|personal|professional|individual|student|gold|silver|bronze|annual|yearly|monthly)';

/** By the words that `toldBy` gives. */
const STATES: readonly (readonly [state: LifeState, told: RegExp])[] = [
  [
    'expecting',
    /^(?:be (?:expecting|pregnant|due (?:in|on|any)\b)|expect(?:$| ,| too\b| (?:an? |their |his |her )?(?:first|second|third|baby|babies|child|boy|girl|son|daughter|twins|triplets)\b))/,
  ],
  ['majoring', /^(?:study (?!for\b|at\b|in\b|hard\b|every\b|\p{L}+ly\b)\p{L}|major in )/u],
  [
    'studying',
    /^(?:study (?!for\b)|be (?:an? )?(?:\p{L}+ ){0,2}student\b|go to (?:uni|college|university)\b|do (?:an?|their|his|her) (?:\p{L}+ )?(?:degree|masters?|phd|bachelors?)\b)/u,
  ],
  ['alone', /^live (?:all )?(?:alone|by (?:themself|themselves|himself|herself))\b/],
  // "drives the 47 bus": it is no car of their own.
  [
    'driving',
    /^drive (?:an?|the|their|his|her) (?!.*\b(?:bus|tram|train|truck|lorry|taxi|cab|van|ambulance)\b)/,
  ],
  ['cycling', /^(?:cycle\b|ride (?:an?|the|their|his|her) )/],
  [
    'jobless',
    /^(?:be (?:unemployed|jobless|out of work|between jobs)\b|look for (?:work\b|an? (?:new )?(?:\p{L}+ )?job\b))/u,
  ],
  ['single', /^be single(?=$|[,;.]| (?:and|again|now|since|for|but)\b)/],
  ['smoking', /^(?:smoke|vape)\b(?! (?:meat|fish|salmon|ham)\b)/],
  [
    'drinking',
    /^drink (?:alcohol|heavily|too much|.*\b(?:beers?|wines?|whisk(?:e?y|ies)|vodka|gin|cider|pints?|prosecco|cocktails?)\b)/,
  ],
  [
    'caffeine',
    /^(?:drink|have|live on) .*\b(?:coffees?|teas?|espressos?|cappuccinos?|lattes?|decaf|matcha)\b(?! (?:with|shops?|bars?|houses?|tables?|machines?|makers?|grinders?|cups?|mugs?|pots?|sets?|rooms?|stalls?|vans?|farms?|plants?|plantations?|part(?:y|ies)|mornings?)\b)/,
  ],
  [
    'nights',
    /^(?:work|be on|do)\b(?:.*(?<!day|bingo|curry|dance|date|film|game|mic|movie|poker|pub|quiz|theme|trivia)[ ,])? ?(?:nights|night shifts?|the night shift)\b(?! out\b)/,
  ],
  ['days', /^(?:work|be on|do) (?:days|day shifts?|the day shift)\b/],
  [
    'ward',
    /^(?:be (?:an? .*?)?|work (?:.*? )?)(?:on|in) the (?!same\b|other\b)(?:\p{L}+ ){1,3}(?:ward|unit|department)\b/u,
  ],
  ['plan', new RegExp(`^(?:be on|have) (?:the|an?|your) ${TIER} (?:plan|tier|subscription)\\b`, 'iu')],
];

/** "born in Leeds", "born on 3 March 1962": where and when somebody came into the world. */
const BIRTH =
  /^(?:be born\b(?!.*\b(?:in (?:\d{4}|\p{Lu})|19\d\d|20[01]\d))|have (?:an?|the|their|his|her) (?:baby|boy|girl|son|daughter|twins)\b)/u;
const GROWN =
  /^(?:mum|mom|mother|dad|father|parents?|wife|husband|partner|girlfriend|boyfriend|aunt|uncle|boss|friend|colleague|grand(?:ma|pa|mother|father|parents?))$/;
/** "is having a baby". */
const BABY = /^have (?:an?|another|their|his|her) (?:first |second |third )?(?:baby|child|boy|girl)\b/;
const STUDIES_ENDED =
  /^(?:graduate\b(?!.*\bschool\b)|finish (?:uni|college|university|(?:their|his|her|the) (?:degree|studies|masters?|phd|bachelors?))\b|get (?:their|his|her) (?:degree|diploma|masters?|phd|bachelors?)\b|drop out\b)/;
const shiftTo = (plural: string, one: string): RegExp =>
  new RegExp(
    `^(?:(?:(?:be|get) )?(?:put|moved?|switch(?:ed)?|changed?|go|transfer(?:red)?|be) (?:back )?(?:on|onto|to)|(?:work|do)) (?:${plural}|${one} shifts?|the ${one} shift)\\b(?! (?:out|off|away|and nights)\\b)`,
  );

/** By the words that `toldBy` gives of what is done, or of what is so now. */
const ENDINGS: readonly (readonly [ended: readonly LifeState[], told: RegExp])[] = [
  [['studying', 'majoring'], STUDIES_ENDED],
  [['majoring'], /^(?:switch|change) (?:their|his|her) (?:major|course|degree|subject|studies)\b/],
  [
    ['jobless'],
    /^(?:(?:get|find|land|accept|start) (?:the|an?|their|his|her) (?:\p{L}+[ -]){0,3}(?:job|position)\b|(?:get|be) hired\b|start work(?:ing)?\b)/u,
  ],
  [['single'], /^(?:be|get) (?:engaged|married|(?:back )?together(?=$|[,;.]| (?:now|again|since)\b))/],
  [
    ['smoking'],
    /^(?:be .*(?:smoke[ -]free|without (?:an? )?(?:cigarettes?|smok(?:e|ing)))|give up (?:smoking|cigarettes))\b/,
  ],
  [
    ['drinking'],
    /^(?:be (?:\S+ (?:days?|weeks?|months?|years?) )?(?:sober|alcohol[ -]free|without (?:an? )?(?:alcohol|drink(?:ing)?))|give up (?:drinking|alcohol|booze))\b/,
  ],
  [['caffeine'], /^switch to (?:\p{L}+ )?(?:coffee|tea|espresso|decaf|matcha)(?: only)?(?=$|[,;.])/u],
  [['nights'], shiftTo('days', 'day')],
  [['days'], shiftTo('nights', 'night')],
  [
    ['ward'],
    /^(?:(?:be|get) )?(?:transfer|move|switch|transferred|moved|switched) to the (?:\p{L}+ ){1,3}(?:ward|unit|department)\b/u,
  ],
  [
    ['plan'],
    new RegExp(
      `^(?:upgrade|downgrade|switch) to (?:the |an? |your )?${TIER}(?: plan| tier)?(?=$|[,;.])`,
      'iu',
    ),
  ],
];
const MOVED_IN = /^move in with (?<who>the user|\p{Lu}[\p{L}-]+)/u;
const LOST =
  /^(?:steal|nick|pinch|sell|scrap|total|wreck|write off) (?<whose>.+? )(?:old )?(?<vehicle>car|bike|bicycle)\b/;
const WAS_LOST = /^(?:be|get) (?:stolen|nicked|pinched|sold|scrapped|totall?ed|wrecked|written off)\b/;
const OWNER = /^(?<owner>.+)['’]s $/;

const isGrown = ({ key, head }: Subject): boolean => key === 'user' || GROWN.test(head ?? '');

const vehicleState = (vehicle: string | undefined): LifeState => (vehicle === 'car' ? 'driving' : 'cycling');

const lostVehicle = (subject: Subject, told: string): LifeEnd[] => {
  if (WAS_LOST.test(told) && subject.owner !== null && /^(?:car|bike|bicycle)$/.test(subject.head ?? ''))
    return [{ state: vehicleState(subject.head ?? ''), of: subject.owner }];
  const { whose, vehicle } = LOST.exec(told)?.groups ?? {};
  if (whose === undefined) return [];
  const owner = OWNER.exec(whose)?.groups?.owner;
  const isTheirs = /^(?:their|his|her|the) $/.test(whose);
  if (owner === undefined && !isTheirs) return [];
  return [{ state: vehicleState(vehicle), of: owner === undefined ? subject.key : subjectOf(owner).key }];
};

/** The state of a life that the clause tells; null for most. */
export const lifeStateOf = (verb: VerbPhrase): LifeState | null => {
  const told = toldBy(verb);
  if (verb.progressive && BABY.test(told)) return 'expecting';
  return STATES.find(([, pattern]) => pattern.test(told))?.[0] ?? null;
};

/** The states that the event ends, and whose; empty for most. */
export const lifeEndsOf = (subject: Subject, verb: VerbPhrase): LifeEnd[] => {
  const told = toldBy(verb);
  if (verb.modal !== null || verb.progressive || verb.tense === 'future') return [];
  if (verb.ended)
    return /^drink(?:$|[,;.]| alcohol)/.test(told) ? [{ state: 'drinking', of: subject.key }] : [];
  const isDone = verb.tense === 'past' || verb.perfect;
  if (verb.negated || !(isDone || isNow(verb))) return [];
  const ended = ENDINGS.filter(([, pattern]) => pattern.test(told)).flatMap(([states]) => states);
  if (ended.length > 0) return ended.map((state) => ({ state, of: subject.key }));
  if (!isDone) return [];
  if (told.startsWith('give birth')) return [{ state: 'expecting', of: subject.key }];
  // The birth of a child seldom tells whose it is.
  if (BIRTH.test(told) && !(verb.lemma === 'be' && isGrown(subject)))
    return [{ state: 'expecting', of: ANYBODY }];
  const who = MOVED_IN.exec(told)?.groups?.who;
  if (who !== undefined) return [subject.key, subjectOf(who).key].map((of) => ({ state: 'alone', of }));
  return lostVehicle(subject, told);
};

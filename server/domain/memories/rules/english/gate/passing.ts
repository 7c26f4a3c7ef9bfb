// Remarks that pass with a talk: aims that all people have, moods and meetings of a day, courtesies to whoever listens.
import type { Clause } from '../grammar/clause.ts';
import { type VerbToken, verbTokensOf } from '../grammar/verbs.ts';
import { withoutOwner, wordSet } from '../grammar/words.ts';
import { isOwn } from './remarks.ts';
import { isVagueNoun, JUDGING, LIGHT, MENTAL, VAGUE_ACTS } from './vague-words.ts';
import { evidenceIn } from './worth.ts';
import { IS_DATED, withoutDay } from './written-days.ts';

/** "It helps", "to live": acts of everybody. */
const ACTS_OF_ALL = wordSet('help make inspire use live improve do encourage support have show keep');
const MEANS_TO = wordSet('want hope wish aim use look strive');
const LITTLE = 1;
/** Thanks and pride say little of their cause in two nouns. */
const LITTLE_FELT = 2;

/** "John wants to make a positive difference": what most people want. */
const isAspiration = ({ verb }: Clause, rest: readonly VerbToken[]): boolean =>
  MEANS_TO.has(verb.lemma) &&
  rest.some(({ lower }, at) => {
    const next = rest[at + 1];
    return lower === 'to' && ACTS_OF_ALL.has(next?.verb?.lemma ?? next?.lower ?? '');
  });

const NEEDS = wordSet('need want hope have try');
const RESTS = wordSet('rest relax slow sleep run push');
const isVagueAct = (lemma: string): boolean =>
  LIGHT.has(lemma) || VAGUE_ACTS.has(lemma) || MENTAL.has(lemma) || RESTS.has(lemma);

/** "needs to take a break", "has to go": no noun tells what is to be done. */
const isVagueNeed = ({ verb }: Clause, [to, next]: readonly VerbToken[], found: number): boolean =>
  found === 0 && NEEDS.has(verb.lemma) && to?.lower === 'to' && isVagueAct(next?.verb?.lemma ?? '');

/** "was just remembering": what comes to somebody's mind. */
const REMEMBERS = wordSet('remember wonder reminisce');

/** "is doing their best", "has been thinking about the future", "is always looking for new ideas". */
const PASSING = wordSet('do get love think');
const LOOKS_FOR = /^(?:for|to)\b/;

const isPassing = ({ verb }: Clause, rest: readonly VerbToken[]): boolean =>
  verb.progressive &&
  (PASSING.has(verb.lemma) || (verb.lemma === 'look' && LOOKS_FOR.test(verb.rest))) &&
  !rest.some(({ lower }) => /.ing$/.test(lower));

/** "got a great shot", "had a bit of a setback": a picture of something, or a mood of a time. */
const VAGUE_OBJECT =
  /^(?:(?:a|an|the|some|another|quite|lots?|bit|of|such|few|\p{L}+ing|great|good|nice|cool|sore|similar|amazing|awesome) )*(?:idea|pics?|photos?|pictures?|shots?|setbacks?|snags?|spot|phase)\b(?! (?:of|with) (?:an?|the|my|our|their|\p{Lu}))/u;
const TAKES = wordSet('get take have hit go make');

/** "had a great time", "went to an event", "drove somewhere fun": no word tells what it was. */
const EVENTS = wordSet(
  'event place somewhere tour trip time blast turnout ton tons day week weekend night moment experience stuff thing people ride rush lot fun',
);
const MEETS = wordSet(
  'go take attend have get hold visit join hit drive make raise experience enjoy meet learn see share spend do',
);
const WATCHES = wordSet('watch read see play start finish hear');
const A_FILM = /^an? (?:\p{L}+ )?(?:movie|film|show|book|game|video|series|song|episode)$/u;
const SMALL = /^(?:DET|ADP|ADV|PART|PRON|CCONJ|SCONJ|NUM|AUX)$/;

const isVagueEvent = ({ verb }: Clause, rest: readonly VerbToken[], own: ReadonlySet<string>): boolean => {
  const isEvent = ({ lower }: VerbToken): boolean => EVENTS.has(lower) || EVENTS.has(lower.replace(/s$/, ''));
  const isSmall = (token: VerbToken): boolean =>
    SMALL.test(token.pos) ||
    JUDGING.has(token.lower) ||
    own.has(withoutOwner(token.lower)) ||
    (token.verb !== undefined && MEETS.has(token.verb.lemma)) ||
    isEvent(token);
  if (verb.tense === 'past' && WATCHES.has(verb.lemma) && A_FILM.test(verb.rest)) return true;
  return MEETS.has(verb.lemma) && rest.some(isEvent) && rest.every(isSmall);
};

const MOODS = wordSet('encouraging driven overwhelmed fired charged amped ready');
/** "passionate about education" lasts. */
const LASTING = wordSet(
  'passionate interested keen curious determined committed able willing bound off new different',
);
const LIKES = wordSet('love like enjoy adore');
/** "loves the connection", "the way that it feels". */
const OF_THE = /^(?:the|all the|all of the|that|this) (?<noun>\p{L}+)/u;

/** "loves the characters": of what, another sentence tells. "Loves the ocean" does not need it. */
const OF_WHAT_IS_KNOWN =
  /^(?:(?:watching|playing|reading) )?the (?!(?:\p{L}+ )?(?:ocean|sea|beach|lake|mountains?|outdoors|rain|cold|snow|water|sun|sky|theat(?:er|re)|gym|city|country|countryside|cinema|woods|forest|night|summer|winter|autumn|spring|museum|opera|library|zoo)\b)(?:\p{L}+ )?(?:and \p{L}+ )?\p{L}+(?: and (?:the )?(?:\p{L}+ )?\p{L}+)?$/u;

/** "is blessed to have them", "has been super encouraging", "loved exploring the outdoors". */
const isMood = ({ verb }: Clause, rest: readonly VerbToken[]): boolean => {
  const { lower = '' } = rest.find(({ pos }) => pos !== 'ADV' && pos !== 'DET' && pos !== 'PART') ?? {};
  if (verb.lemma === 'be') return MOODS.has(lower) || (JUDGING.has(lower) && !LASTING.has(lower));
  if (!LIKES.has(verb.lemma) || verb.usedTo) return false;
  const isOfThen = verb.tense === 'past' && !verb.perfect && /ing$/.test(lower);
  return isOfThen || isVagueNoun(OF_THE.exec(verb.rest)?.groups?.noun ?? '');
};

const FELT = wordSet(
  'grateful thankful proud happy glad excited thrilled lucky blessed overwhelmed amazed honored honoured touched pleased inspired moved surprised impressed shocked motivated relieved exhausted nervous',
);

/** "has been overwhelmed by the response and the helpers". */
const isFeeling = ({ verb }: Clause, rest: readonly VerbToken[], found: number): boolean =>
  verb.lemma === 'be' && found <= LITTLE_FELT && FELT.has(rest.find(({ pos }) => pos !== 'ADV')?.lower ?? '');

/** Acts that leave nothing behind: "played all night", "walked around their street". */
const IDLE_ACTS = wordSet(
  'walk wait hang chill laugh chat talk dance play hike swim dig push sit stand look see hit dress connect bond relax unwind feel cry cheer smile',
);

/** "is having dinner", "is sitting in the garden". */
const AT_PRESENT = wordSet('walk wait sit stand watch eat drink rest relax chill');

const isIdleAct = ({ verb }: Clause): boolean => {
  if (verb.perfect || verb.usedTo) return false;
  if (verb.tense === 'past') return IDLE_ACTS.has(verb.lemma);
  return verb.tense === 'present' && verb.progressive && AT_PRESENT.has(verb.lemma);
};

/** "The best part for Anna was the company". */
const BEST_PART =
  /^(?:the|one of the) (?:best|worst|hardest|coolest|funniest|most \p{L}+) (?:part|thing|moment|bit)\b/iu;
/** "loves seeing others succeed": how something feels. */
const SEES = /^(?:seeing|knowing|hearing|feeling|having|bringing|how|when|that)\b/i;

/** Acts of this moment: "is off to swim", "just got back from their walk". */
const AT_THE_MOMENT =
  /^off to \p{Ll}|^to (?:go|run|leave)(?:$|,| now\b)|^an? (?:feeling|hunch) |\b(?:at|for|during) the (?:event|cause|occasion)$|^back (?:home )?from (?:(?:a|the|their|his|her) )?(?:\p{Ll}+ )?(?:walk|run|jog|gym|work|shops?|store|shopping|meeting|class|lunch|dinner|errands?|school)\b|^(?:an? |the )?day[- ]off$|\bfor (?:the (?:last|past) (?:half )?(?:an )?(?:hours?|minutes?)|half an hour)\b/u;

/** "is doing well": an answer to a greeting. */
const IS_WELL =
  /^(?:(?:pretty|really|very|quite|so) )*(?:well|good|great|fine|okay|ok|alright)(?=$|[,;]| (?:\p{Lu}|and\b|but\b|today\b|too\b))/u;
const HOME = /^(?:\p{L}+ )?home\b/u;
const SLEPT = /^(?:(?:up|pretty|really|so|very|just) )*(?:well|good|badly|bad|late|early|in|up)\b/;
/** "a packed schedule", "a bit of a stressful day". */
const BUSY_DAY =
  /^(?:a|an|quite an?) (?:(?:pretty|really|very|bit|of|a|so) )*(?:packed|busy|stressful|long|rough|hard|lazy|slow|full|tiring|chill|relaxing) (?:day|schedule|week|morning|night)(?: at work| today)?$/;
const RETURNS = wordSet('get head come go');
const UNWINDS = wordSet('unwind relax chill sit watch hang wait head lie scroll');

/** The state of a day: "is doing well", "slept badly", "just got home", "had a busy day", "is about to leave". */
const isOfTheDay = ({ verb }: Clause, plain: string): boolean => {
  const { lemma, progressive, adverbs } = verb;
  const isPast = verb.tense === 'past';
  return (
    (lemma === 'do' && progressive && IS_WELL.test(plain)) ||
    ((lemma === 'wake' || lemma === 'sleep') && isPast && SLEPT.test(plain)) ||
    (RETURNS.has(lemma) && (progressive || isPast) && HOME.test(plain)) ||
    (lemma === 'have' && BUSY_DAY.test(plain)) ||
    (lemma === 'be' && plain.startsWith('about to ')) ||
    (progressive && adverbs.includes('just') && UNWINDS.has(lemma))
  );
};

/** An act that is everybody's, or that passes, without a name or a number: what is said of it is no fact. */
export const isPassingEvent = (clause: Clause, own: ReadonlySet<string>): boolean => {
  const { verb } = clause;
  const [plain = ''] = withoutDay(verb.rest).split(/(?:^|\s)[-–—]\s/);
  const rest = verbTokensOf(plain);
  if ((verb.progressive && REMEMBERS.has(verb.lemma)) || isOfTheDay(clause, plain)) return true;
  if (rest.some(({ word, lower }) => /^\p{Lu}|\d/u.test(word) && !own.has(withoutOwner(lower)))) return false;
  if (TAKES.has(verb.lemma) && VAGUE_OBJECT.test(plain.replace(/^through /, ''))) return true;
  if (AT_THE_MOMENT.test(plain) || isVagueEvent(clause, rest, own)) return true;
  const found = evidenceIn(rest, own);
  const isOfOwn = isOwn(clause.subject, own);
  if (isOfOwn && isFeeling(clause, rest, found)) return true;
  if (
    found <= LITTLE_FELT &&
    (BEST_PART.test(clause.subject) ||
      (LIKES.has(verb.lemma) && (SEES.test(plain) || OF_WHAT_IS_KNOWN.test(plain))))
  )
    return true;
  if (found > LITTLE) return false;
  const isUndated = !IS_DATED.test(verb.rest);
  return (
    isAspiration(clause, rest) ||
    (isUndated && isVagueNeed(clause, rest, found)) ||
    isPassing(clause, rest) ||
    (isOfOwn && (isMood(clause, rest) || (isUndated && isIdleAct(clause))))
  );
};

/** "can only imagine", "hears the class that Anna takes is good": an answer to what the other said. */
const ANSWERS = wordSet('imagine agree disagree hear bet guess wonder relate appreciate');

/** "knows how hard that is". */
const KNOWS = wordSet('know understand see realize realise show learn remember');
const HOW =
  /^how (?:much|many|hard|tough|important|great|good|amazing|lucky|difficult|special|\p{L}+ (?:it|that|this|things|life) )\b/iu;
/** "loves Tom's idea", said to Tom. */
const PRAISES = wordSet('love like admire enjoy see believe support');

/** "can send Anna a link", "can't agree with Anna": said to whoever listens. */
export const isToListener = ({ subject, verb }: Clause, own: ReadonlySet<string>): boolean => {
  if (!isOwn(subject, own)) return false;
  if (ANSWERS.has(verb.lemma) && verb.tense === 'present' && !verb.perfect) return true;
  if (KNOWS.has(verb.lemma) && HOW.test(verb.rest)) return true;
  const rest = verbTokensOf(verb.rest);
  const speaker = withoutOwner(verbTokensOf(subject)[0]?.lower ?? '');
  const toOther = rest.findIndex(
    ({ lower }) => own.has(withoutOwner(lower)) && withoutOwner(lower) !== speaker,
  );
  const isTold = verb.lemma === 'tell' || /^to (?:tell|share|ask|show)\b/.test(verb.rest);
  return (
    (toOther >= 0 && isTold) ||
    (verb.modal !== null && toOther === 0) ||
    (PRAISES.has(verb.lemma) && toOther >= 0)
  );
};

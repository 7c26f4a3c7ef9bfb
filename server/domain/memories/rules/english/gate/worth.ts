// The gate: a memory needs somebody or something named, and something concrete said about it. All else stays in the passages.
import { createMemo } from '../../../../../lib/memo.ts';
import type { BriefFact } from '../../language.ts';
import { type Clause, clauseOf } from '../grammar/clause.ts';
import { isPersonNoun, isPetNoun } from '../grammar/people.ts';
import type { VerbPhrase } from '../grammar/verb-phrase.ts';
import { type VerbToken, verbTokensOf } from '../grammar/verbs.ts';
import { tokensOf, withoutOwner, wordSet } from '../grammar/words.ts';
import { isOwn, isRemark } from './remarks.ts';
import { isVagueNoun, JUDGING, LIGHT, MENTAL, VAGUE_ACTS } from './vague-words.ts';

export interface Judged {
  readonly memory: string;
  readonly fact: BriefFact | null;
  /** The names of the speaker and the listener, which are not what is said. */
  readonly names: readonly string[];
  readonly isDated: boolean;
  readonly isConversation: boolean;
}

const POINTING =
  /^(?:he|she|it|they|this|that|these|those|there|here|what|who|which|you|your|everyone|everybody|everything|nothing|nobody|someone|something|anyone|anything|one|such|all|both|some|many|most|others?|life|family|love|must|just|so|sounds?|looks?|oh|as|when|since|while|if|after|before|despite|though|although|especially|even|because|in|at|on|with|for|like)\b/i;
/** "A safe home is key": a generality. */
const INDEFINITE = /^an? /i;
/** "this book" was shown and is not named. */
export const SHOWN = /\b(?:this|these|that|those) (?:\p{L}+ )?\p{L}+/u;
const PROMISES = new Set(['will', 'would', 'could', 'should', 'might', 'may', 'must', 'shall']);
const ENOUGH = 2;
/** A statement without a verb that the grammar finds needs more. */
const ENOUGH_UNREAD = 5;

/** A row of a table, "fruit: apple; price: 3": it is searched as a passage. */
export const ROW = /^[^:;]{1,40}: [^;]*; [^:;]{1,40}: /;

/** The words for a time are counted apart. */
const TIMES =
  /^(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|(?:mon|tues|wednes|thurs|fri|satur|sun)day|spring|summer|autumn|winter|weekend|week|year|month|(?:19|20)\d\d)$/;

/** "March 3", "Monday": a time alone says nothing. */
export const saysMoreThanTime = (said: string): boolean =>
  verbTokensOf(said).some(({ lower }) => /\p{L}/u.test(lower) && !TIMES.test(lower));

/** "yesss", "hahaha": letters alone, drawn out. The repeated digits of "flight 1112" are none. */
const isCry = (lower: string): boolean => /^\p{L}+$/u.test(lower) && /(.)\1\1|(?:ha){2}/.test(lower);

/** "pnpm", "mofongo": a word that the grammar has never seen is concrete. */
const isUnseen = ({ isKnown, lower, word }: VerbToken): boolean =>
  !isKnown &&
  word === lower &&
  !isVagueNoun(lower) &&
  /^(?=.{4}|.*\d)[\p{L}\d][\p{L}\d.'’-]+$/u.test(lower) &&
  !isCry(lower);

/** The evidence in words: names and numbers count double. */
export const evidenceIn = (tokens: readonly VerbToken[], own: ReadonlySet<string>): number => {
  let found = 0;
  for (const token of tokens) {
    const { pos, lower, word, verb } = token;
    const plain = withoutOwner(lower);
    if (own.has(plain) || TIMES.test(plain)) continue;
    if (pos === 'NUM' || /^\d/.test(word)) found += 1;
    else if (/^\p{Lu}/u.test(word) && /^(?:PROPN|ADJ|X)$/.test(pos)) found += 2;
    else if (pos === 'NOUN' && verb === undefined && !isVagueNoun(plain)) found += 1;
    else if (pos === 'NOUN' && verb !== undefined && !isVagueNoun(verb.lemma)) found += 1;
    else if (isUnseen(token)) found += 1;
  }
  return found;
};

/** A noun, a name or a number, or an act that is not vague. */
const isConcrete = (words: string, own: ReadonlySet<string>): boolean => {
  const tokens = verbTokensOf(words);
  const acts = tokens.filter(({ pos, lower }) => pos === 'VERB' && !own.has(withoutOwner(lower)));
  return (
    evidenceIn(tokens, own) > 0 ||
    acts.some(({ lower, verb }) => !VAGUE_ACTS.has(verb?.lemma ?? lower) && !MENTAL.has(verb?.lemma ?? lower))
  );
};

/** The tagger takes any capitalised word for a name, also "Patience" at the beginning. */
const isName = ({ pos, word, lower }: VerbToken): boolean =>
  pos === 'PROPN' && /^\p{Lu}/u.test(word) && !isVagueNoun(lower);

/** True for a subject that names somebody or something. */
export const isNamedSubject = (subject: string, own: ReadonlySet<string>): boolean => {
  if (POINTING.test(subject) || INDEFINITE.test(subject)) return false;
  const tokens = verbTokensOf(`${subject} is here`).slice(0, -2);
  const [first] = tokens;
  if (!first || (/ing$/.test(first.lower) && first.pos !== 'PROPN')) return false;
  if (tokens.some(({ lower }) => own.has(withoutOwner(lower)))) return true;
  if (tokens.some(isName)) return true;
  if (first.pos === 'ADJ' || first.pos === 'ADV' || first.pos === 'INTJ') return false;
  const behind = tokens.findIndex(({ pos }, at) => at > 0 && pos === 'ADP');
  const phrase = behind < 0 ? tokens : tokens.slice(0, behind);
  const last = phrase.at(-1);
  // The tagger takes "the key" for an adjective.
  const head =
    phrase.findLast(({ pos }) => pos === 'NOUN') ??
    (first.pos === 'DET' && last?.pos === 'ADJ' && !phrase.some(({ lower }) => lower === 'and')
      ? last
      : undefined);
  // "day care", "door code": a noun before the noun makes it concrete.
  const isCompound = phrase.filter(({ pos }) => pos === 'NOUN').length > 1;
  // A bare plural is a generality: "Kids are resilient".
  const isBare =
    tokens.length <= 2 && /s$/.test(head?.lower ?? '') && first.pos !== 'DET' && first.pos !== 'NUM';
  return head !== undefined && (isCompound || !isVagueNoun(head.lower)) && !isBare;
};

/** Slots that take any noun as their value. */
const OPEN_SLOT = /\/(?:taste|has|habit|plan|learning|fear):/;

/** A fact of a known kind needs a value that is not vague: "likes the idea" is none. */
const isKnownFact = (fact: BriefFact | null, rest: string, own: ReadonlySet<string>): boolean =>
  fact !== null &&
  (fact.slot !== null || fact.introduces || fact.isStatic || fact.ends.length > 0) &&
  (rest === '' ||
    fact.measures.length > 0 ||
    (fact.slot !== null && !OPEN_SLOT.test(fact.slot)) ||
    isConcrete(rest, own));

/** A lasting fact of a kind whose values a rule lists: the model does not doubt it. */
export const isListedFact = (fact: BriefFact | null): boolean =>
  fact?.slot != null && fact.isStatic && !OPEN_SLOT.test(fact.slot);

const remembered = createMemo<ReadonlySet<string>>(64);

export const ownWords = (names: readonly string[]): ReadonlySet<string> => {
  const all = names.join(' ');
  return remembered(all, () => {
    const words = tokensOf(all).map(({ lower }) => lower);
    return new Set(['user', ...words.filter((word) => word !== 'the')]);
  });
};

/** A sentence whose subject is unclear is kept beside the one before it where it says much: "They offer yoga and boxing on Fridays". */
const ENOUGH_UNCLEAR = 3;

export const leansOnMuch = (
  memory: string,
  names: readonly string[],
  { hasBefore, isConversation, isDated }: { hasBefore: boolean; isConversation: boolean; isDated: boolean },
): boolean => {
  // "The hall double booked us. So it will be 30 August": the day is what is said.
  if (isDated && hasBefore && /^(?:(?:so|then|now|and|but) )?it (?:is|was|will be)\b/i.test(memory))
    return true;
  const holds = (least: number): boolean => evidenceIn(verbTokensOf(memory), ownWords(names)) >= least;
  if (!isConversation) return hasBefore && holds(ENOUGH);
  if (/^(?:he|she)\b/i.test(memory)) return hasBefore && holds(1);
  return /^they\b/i.test(memory) && holds(ENOUGH_UNCLEAR);
};

/** A statement in which the grammar finds no verb: a line of a note. */
const isWorthNoting = ({ memory, isDated, isConversation }: Judged, own: ReadonlySet<string>): boolean =>
  !isConversation &&
  !POINTING.test(memory) &&
  !ROW.test(memory) &&
  evidenceIn(verbTokensOf(memory), own) + Number(isDated) >= ENOUGH_UNREAD;

interface Evidence {
  readonly verb: VerbPhrase;
  /** The words behind the verb. */
  readonly rest: readonly VerbToken[];
  readonly found: number;
  readonly isDated: boolean;
  /** In a note, a state of a bare thing is what is noted: "Rocket is sound again"; in talk it is mostly a remark. */
  readonly isNote: boolean;
}

/** A promise to do it some day is none; a plan has a day or a place: "might move to Paris". */
const isPromise = ({ verb, found, isDated }: Evidence): boolean => {
  if (verb.modal === null || !PROMISES.has(verb.modal) || verb.adverbs.includes('rather')) return false;
  if (verb.modal === 'will') return !isDated && found <= ENOUGH;
  return verb.modal !== 'might' || found < ENOUGH;
};

/** "got a chance", "made this cake": the object says nothing about the subject. */
const hasVagueObject = ({ verb, rest, found, isDated }: Evidence): boolean => {
  if (SHOWN.test(verb.rest) && found + Number(isDated) <= ENOUGH) return true;
  const object = rest.find(({ pos }) => /^(?:NOUN|PROPN|NUM)$/.test(pos));
  const isLight = LIGHT.has(verb.lemma) && verb.lemma !== 'be';
  return isLight && found < ENOUGH && object?.pos === 'NOUN' && isVagueNoun(object.lower);
};

/** The adjective or noun after "is", without adverbs and articles. */
const complementIn = (rest: readonly VerbToken[]): VerbToken | undefined =>
  rest.find(({ pos }) => pos !== 'ADV' && pos !== 'DET' && pos !== 'PART');

/** "Apex Legends looks tough". */
const JUDGED_BY = wordSet('be look sound seem feel');

export const isJudgement = ({ verb }: Clause): boolean =>
  JUDGED_BY.has(verb.lemma) && JUDGING.has(complementIn(verbTokensOf(verb.rest))?.lower ?? '');

const SHARE_OF_WORK =
  /^(?:all |most )?(?:of )?(?:the |our |their )?(?:accounts|bathrooms?|bins?|books|cleaning|cooking|dishes|driving|garden(?:ing)?|hallway|hoovering|ironing|kitchen|laundry|lawn|payroll|rubbish|school runs?|shopping|stairs|taxes|vacuuming|washing(?: up)?|days|earl(?:y|ies)|evenings|lates|mornings|nights|weekdays|weekends|(?:mon|tues|wednes|thurs|fri|satur|sun)days)(?=$|[\s.,])/i;

/** "Jonas does the kitchen": who does which share of the work that people divide. */
const isShareOfWork = ({ lemma, tense, modal, rest }: VerbPhrase): boolean =>
  lemma === 'do' && tense === 'present' && modal === null && SHARE_OF_WORK.test(rest);

/** Turns in a life, which the verb alone states: "Mr. Ferrant moved out". */
const TURNS = wordSet('move quit retire resign die graduate divorce marry separate');

const saysEnough = (subject: string, said: Evidence, own: ReadonlySet<string>): boolean => {
  const { verb, rest, found, isDated } = said;
  const words = verbTokensOf(subject);
  const isKin = words.some(({ lower }) => isPersonNoun(lower) || isPetNoun(lower));
  const isOwned = /['’]s? \p{L}/u.test(subject) && !isVagueNoun(words.at(-1)?.lower ?? '');
  const isOther = words.some((word) => isName(word) && !own.has(withoutOwner(word.lower)));
  // A thing with the article is definite: "The key is under the flowerpot".
  const isThing = /^the /i.test(subject) && !/^the user\b/i.test(subject);
  const state = complementIn(rest);
  // "Cake was had".
  const isLightState = LIGHT.has(state?.verb?.lemma ?? '');
  const isState =
    verb.lemma === 'be' &&
    /^(?:ADJ|VERB)$/.test(state?.pos ?? '') &&
    (isKin || isOwned || isThing || (isOther && said.isNote && !isLightState));
  const saysMuch = verb.lemma !== 'be' && !LIGHT.has(verb.lemma);
  // "got their driving licence": it is somebody's own.
  const isTheirs = LIGHT.has(verb.lemma) && /^(?:their|his|her) /.test(verb.rest);
  const isInability = verb.modal === 'can' && verb.negated;
  const isTurn = isOther && TURNS.has(verb.lemma) && (verb.tense === 'past' || verb.perfect);
  const isAct = (saysMuch && (isKin || isOwned || isThing || isDated || isTurn)) || (isThing && isDated);
  if (found === 0 && !isState && !isAct) return false;
  const signs = [isThing, isInability || isTheirs, isDated, saysMuch, isKin || isOwned || isOther, isState];
  return found + signs.filter(Boolean).length >= ENOUGH;
};

export const isWorthKeeping = (judged: Judged): boolean => {
  const { memory, fact, names, isDated } = judged;
  const own = ownWords(names);
  const clause = clauseOf(memory);
  if (!clause) return isWorthNoting(judged, own);
  const { subject, verb } = clause;
  const isCounted = fact !== null && fact.slot !== null && (fact.measures.length > 0 || fact.kind === 'name');
  if (!isNamedSubject(subject, own) && !(isCounted && !POINTING.test(subject))) return false;
  if (judged.isConversation && !isCounted && isRemark({ clause, memory, own })) return false;
  // "Rome is a great city": what somebody thinks of it.
  const isPraise = judged.isConversation && !isCounted && isJudgement(clause) && !isOwn(subject, own);
  if (isPraise && evidenceIn(verbTokensOf(verb.rest), own) < ENOUGH) return false;
  const isExperience = verb.lemma === 'have' && (verb.perfect || verb.tense === 'past');
  if (!isExperience && isKnownFact(fact, verb.rest, own)) return true;
  if (MENTAL.has(verb.lemma)) return false;
  const begin = memory.lastIndexOf(verb.rest);
  const rest = verbTokensOf(memory).filter(({ start }) => start >= begin && start < begin + verb.rest.length);
  if (isJudgement(clause)) return false;
  const said: Evidence = {
    verb,
    rest,
    found: evidenceIn(rest, own),
    isDated,
    isNote: !judged.isConversation,
  };
  if (isShareOfWork(verb)) return true;
  if (isPromise(said) || hasVagueObject(said)) return false;
  return saysEnough(subject, said, own);
};

/** "31 May it is", "decaf it is": what was decided. */
const DECIDED =
  /^(?!.*\b(?:what|how|as|like|whatever|who|where|when|than) it is)(?!(?:I|if|so|that|this|here|there)\b)\S+(?: \S+){0,3} it is(?=$|[,.!]| (?:then|now|for)\b)/i;

export const isDecision = (said: string): boolean => {
  if (!DECIDED.test(said)) return false;
  const tokens = verbTokensOf(said);
  return (
    evidenceIn(tokens, ownWords([])) > 0 || tokens.some(({ lower }) => TIMES.test(lower.replace(/s$/, '')))
  );
};

// Remarks of a conversation that have the form of a statement and say nothing outside it: "The kids loved it", "Tough times pass".
import type { Clause } from '../grammar/clause.ts';
import { isPersonNoun } from '../grammar/people.ts';
import { type VerbToken, verbTokensOf } from '../grammar/verbs.ts';
import { DETERMINERS, withoutOwner, wordSet } from '../grammar/words.ts';
import { isVagueNoun, VAGUE_ACTS } from './vague-words.ts';

interface Said {
  readonly clause: Clause;
  readonly memory: string;
  /** The names of the speaker and the listener, which are not what is said. */
  readonly own: ReadonlySet<string>;
}

/** A name or a number gives a remark something to remember. */
const isSpecific = ({ word, lower }: VerbToken, own: ReadonlySet<string>): boolean =>
  /\d/.test(word) || (/^\p{Lu}/u.test(word) && !own.has(withoutOwner(lower)));

export const isOwn = (words: string, own: ReadonlySet<string>): boolean =>
  verbTokensOf(words).some(({ lower }) => own.has(withoutOwner(lower)));

const behindFirst = (memory: string): VerbToken[] => verbTokensOf(memory).slice(1);

/** "The connection it brings", "a few of them": nothing before the pronoun tells what it means. */
export const leavesOpen = ({ clause, memory, own }: Said): boolean => {
  // "The kids loved it": the subject is something else.
  if (/^(?:it|them)(?!\s+(?:when|that|if|to)\b)\b/i.test(clause.verb.rest)) return true;
  const tokens = verbTokensOf(memory);
  const at = tokens.findIndex(
    ({ lower, word }, place) => place > 0 && word !== 'IT' && /^(?:it|them|him|her)$/.test(lower),
  );
  const next = tokens[at + 1]?.lower ?? '';
  if (at < 0 || /^(?:when|that|if|to)$/.test(next)) return false;
  const isMeant = ({ pos, lower }: VerbToken): boolean =>
    /^(?:NOUN|PROPN)$/.test(pos) && !own.has(withoutOwner(lower)) && !isVagueNoun(lower);
  const isOthers = tokens.slice(0, at).some(({ lower }) => lower === 'others');
  const isClear = tokens.slice(0, at).some(isMeant) || (isOthers && tokens[at]?.lower === 'them');
  return !isClear;
};

/** "is working on something", "is something that Anna wants": the object stays open. */
const OPEN_OBJECT =
  /^(?:(?:on|for|at|with|about) )?(?:(?:something|anything|everything|stuff|things)\b|(?:one|some)(?: (?:in|on|at|with|from|for|to|last|next|soon)\b|$))|\blike (?:this|that|these|those)$/i;

const DEGREES = wordSet('so really very too pretty quite super totally absolutely truly extremely');
const A_LITTLE = /\ba (?:little|bit)\b/i;

/** "The personal touch really sets it apart": a comment on a thing that the conversation shows. */
const praises = ({ clause, own }: Said): boolean =>
  (/^such\b/i.test(clause.verb.rest) && !isOwn(clause.subject, own)) ||
  (/^the (?!(?:first|last|next|only) time\b)/i.test(clause.subject) &&
    !/^the user\b/i.test(clause.subject) &&
    !/['’]s? \p{L}/u.test(clause.subject) &&
    ([...clause.verb.adverbs, ...verbTokensOf(clause.verb.rest).map(({ lower }) => lower)].some((word) =>
      DEGREES.has(word),
    ) ||
      A_LITTLE.test(clause.verb.rest)));

/** "Kids" begins a sentence with a capital: as "kids", the grammar knows it for a common word. */
const asCommon = (first: VerbToken): VerbToken => {
  const [plain] = verbTokensOf(`${first.lower} is here`);
  return plain?.isKnown ? plain : first;
};

/** "Deliveries go to the back door", "Branches are named after the ticket": a rule of a place or a project. */
const isRuled = ({ verb }: Clause): boolean => {
  const [first] = verbTokensOf(verb.rest);
  if (verb.lemma === 'be' && /(?:ed|en|wn)$/.test(first?.lower ?? '') && first?.pos === 'VERB') return true;
  const noun = /\b(?:at|in|on|to|under|behind|from|by|near) the (?:\p{L}+ )?(?<noun>\p{L}+)/u.exec(verb.rest)
    ?.groups?.noun;
  return noun !== undefined && !isVagueNoun(noun.toLowerCase());
};

/** "Dad has a new car". */
const isRelative = ({ lower }: VerbToken): boolean =>
  isPersonNoun(withoutOwner(lower)) && !/[^'’]s$/.test(lower);

/** "Memories and motivators help", "Tough times pass": a subject without an article that names nobody. */
const isGeneral = ({ clause, memory, own }: Said): boolean => {
  const [word, ...others] = verbTokensOf(`${clause.subject} is here`).slice(0, -2);
  if (!word || isRelative(word) || isRuled(clause)) return false;
  const owner = [word, ...others].findIndex(({ lower }) => own.has(withoutOwner(lower)));
  if (owner >= 0 && others[owner - 2]?.lower !== 'like') return false;
  if (DETERMINERS.has(word.lower)) return false;
  const first = asCommon(word);
  if (first.pos === 'NUM' || first.pos === 'DET') return false;
  if (/ing$/.test(first.lower) && first.isKnown) return !isOwn(memory, own);
  const nouns = [first, ...others].filter(({ pos }) => /^(?:NOUN|PROPN)$/.test(pos));
  // "Branch names start with the ticket number": a noun before the noun makes it concrete.
  const isCompound = nouns.length > 1 && nouns.length === others.length + 1 && first.pos === 'NOUN';
  if (isCompound) return false;
  const isJoined = others.some(({ lower }) => lower === 'and') && first.pos !== 'PROPN';
  const isMany = nouns.some(({ lower, pos }) => pos === 'NOUN' && /[^s]s$/.test(lower));
  return isJoined || isMany || isVagueNoun(nouns.at(-1)?.lower ?? '') || first.pos === 'ADJ';
};

/** A name, a number or an address makes a sentence more than a generality. */
export const namesNothing = ({ memory, own }: Said): boolean =>
  !/[@/_]|(?<=\s)\.\p{Ll}/u.test(memory) && !behindFirst(memory).some((token) => isSpecific(token, own));

/** "Hotels should have a gym" is a wish. */
const WISHES = wordSet('should must');
const LITTLE = 1;

const nounsIn = (words: string, own: ReadonlySet<string>): number =>
  verbTokensOf(words).filter(
    ({ pos, lower }) => /^(?:NOUN|NUM)$/.test(pos) && !isVagueNoun(lower) && !own.has(withoutOwner(lower)),
  ).length;

/**
 * "Memories help Nora and others stay on track", "Small acts can have a big effect": a vague act of many that says little. "Tests run
 * with jest" has such a subject and says something of one project.
 */
export const isGenerality = (said: Said): boolean => {
  const { verb } = said.clause;
  const isAct = verb.lemma !== 'be' && verb.tense === 'present' && VAGUE_ACTS.has(verb.lemma);
  if (!isAct || WISHES.has(verb.modal ?? '') || !namesNothing(said) || !isGeneral(said)) return false;
  return nounsIn(verb.rest, said.own) <= LITTLE;
};

export const isRemark = (said: Said): boolean =>
  OPEN_OBJECT.test(said.clause.verb.rest) ||
  (namesNothing(said) && (leavesOpen(said) || praises(said) || isGeneral(said)));

/** "I slept like a stone": the words behind the verb are a comparison alone. "It looks like a duck" says what it looks like. */
const COMPARES =
  /^(?!.*\b(?:and|but|looks?|looked|sounds?|tastes?|smells?|feels?|felt|shaped|seems?|is|are|was) )[^,;:\d]* like an? \p{Ll}+[\s.!]*$/u;
/** "…, so obviously I'm becoming a monk". */
const CONCLUDES = /\bso (?:obviously|clearly) (?:I|we|my)\b/i;
const NO_BUSINESS = /^(?:AOB|any other business)\b\W*(?:none|nil|nothing)\b/i;

/** A sentence that is not meant as it stands, or states that there is nothing. "My daughter swims like a fish" tells what she can do. */
export const isJest = (said: string): boolean =>
  CONCLUDES.test(said) ||
  NO_BUSINESS.test(said) ||
  (COMPARES.test(said) && !verbTokensOf(said).some(({ lower }) => isPersonNoun(withoutOwner(lower))));

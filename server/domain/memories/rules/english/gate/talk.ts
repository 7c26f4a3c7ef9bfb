// Talk: people who tell each other of their days in long messages, most of whose sentences are remarks. The messages of people who
// arrange something are short, and to an assistant people say what it is to know.
import type { ReadSource } from '../../../../../adapters/language-model/ports/memory-reader.ts';
import type { Clause } from '../grammar/clause.ts';
import { isPersonNoun, isPetNoun } from '../grammar/people.ts';
import { type VerbToken, verbTokensOf } from '../grammar/verbs.ts';
import { withoutOwner, wordSet } from '../grammar/words.ts';
import { isVagueNoun } from './vague-words.ts';
import { evidenceIn } from './worth.ts';

/** In characters, on the average; two sentences. */
const LONG_ON_AVERAGE = 80;
const ENOUGH_PEOPLE = 2;

export const isTalk = ({ conversation, around, fresh }: ReadSource): boolean => {
  const messages = [...around, ...fresh];
  const people = new Set(messages.map(({ speaker, role }) => (role === 'assistant' ? null : speaker)));
  if (!conversation || people.has(null) || people.size < ENOUGH_PEOPLE) return false;
  return messages.reduce((sum, { text }) => sum + text.length, 0) >= LONG_ON_AVERAGE * messages.length;
};

/** A day as it is written out: "on 3 May 2023", "in the week of 3 May 2023". */
const WRITTEN_DAY =
  /\b(?:on |in |at |around |since |until |from )?(?:the \p{L}+ of )?(?:\p{Lu}\p{Ll}+day )?(?:\d{1,2} )?(?:January|February|March|April|May|June|July|August|September|October|November|December) \d{4}\b/gu;

interface Said {
  /** Null where the grammar reads none. */
  readonly clause: Clause | null;
  readonly memory: string;
  /** As it was said, without openers. */
  readonly said: string;
  /** The names of the speaker and the listener. */
  readonly own: ReadonlySet<string>;
}

const OPEN = /^(?:it|them|there|one)$/;
/** "There is", "when it is", "one day", "one of the dogs": the word stands for nothing that was named. */
const NOT_OPEN = /^(?:is|are|was|were|when|that|if|to|day|of)$/;
/** "a bunch of them", "a few of those". */
const SOME_OF = /\b(?:one|some|many|few|lot|lots|bunch|all|most|any) of (?:it|them|these|those)\b/i;

/** "John played one with friends", "stayed there quite a bit": no noun before the word tells what it means. */
const leavesThingOpen = (tokens: readonly VerbToken[], own: ReadonlySet<string>): boolean => {
  const isMeant = ({ pos, lower }: VerbToken): boolean =>
    /^(?:NOUN|PROPN)$/.test(pos) && !own.has(withoutOwner(lower)) && !isVagueNoun(lower);
  return tokens.some(({ lower, word }, at) => {
    if (at === 0 || word === 'IT' || !OPEN.test(lower)) return false;
    const next = tokens[at + 1];
    if (NOT_OPEN.test(next?.lower ?? '')) return false;
    if (lower === 'one' && /^(?:NOUN|PROPN|ADJ|NUM)$/.test(next?.pos ?? '')) return false;
    return !tokens.slice(0, at).some(isMeant);
  });
};

/** "a fan of this genre", "this instrument, which": it was shown, and nothing behind it tells what it is. */
const SHOWS =
  /\b(?:this|these|those) (?!(?:days?|times?|mornings?|afternoon|evenings?|weeks?|weekends?|months?|years?|spring|summer|autumn|winter|season|term)\b)(?:\p{L}[\p{L}'’-]* ?){0,4}?(?=$|,| (?:which|but|so|because)\b)/iu;

const isOfSomebody = (tokens: readonly VerbToken[], own: ReadonlySet<string>): boolean =>
  tokens.some(({ lower }) => {
    const plain = withoutOwner(lower);
    return own.has(plain) || isPersonNoun(plain) || isPetNoun(plain);
  });

const isName = (token: VerbToken | undefined): boolean =>
  token !== undefined && token.pos === 'PROPN' && /^\p{Lu}/u.test(token.word);

/** "We can play slot machines", "We should fight for more money": what could be done together. */
const PROPOSES = /^(?:can|could|should|must)$/;

const isProposal = ({ subject, verb }: Clause, own: ReadonlySet<string>): boolean =>
  PROPOSES.test(verb.modal ?? '') &&
  !verb.negated &&
  (/ and others$/.test(subject) || !isOfSomebody(verbTokensOf(subject), own));

/** "It helps", "to live": acts of everybody. */
const ACTS_OF_ALL = wordSet('help make inspire use live improve do encourage support have show keep');
const MEANS_TO = wordSet('want hope wish aim use look strive');
const LITTLE = 1;

/** "John wants to make a positive difference": what most people want. */
const isAspiration = ({ verb }: Clause, rest: readonly VerbToken[]): boolean =>
  MEANS_TO.has(verb.lemma) &&
  rest.some(({ lower }, at) => {
    const next = rest[at + 1];
    return lower === 'to' && ACTS_OF_ALL.has(next?.verb?.lemma ?? next?.lower ?? '');
  });

/** "is doing their best", "has been thinking about the future", "is always looking for new ideas". */
const PASSING = wordSet('do get love think');
const LOOKS_FOR = /^(?:for|to)\b/;

const isPassing = ({ verb }: Clause, rest: readonly VerbToken[]): boolean =>
  verb.progressive &&
  (PASSING.has(verb.lemma) || (verb.lemma === 'look' && LOOKS_FOR.test(verb.rest))) &&
  !rest.some(({ lower }) => /.ing$/.test(lower));

/** "got a great shot", "had a bit of a setback": a picture of something, or a mood of a time. */
const VAGUE_OBJECT =
  /^(?:(?:a|an|the|some|another|quite|lots?|bit|of|such|few|\p{L}+ing|great|good|nice|cool|sore|similar|amazing|awesome) )*(?:pics?|photos?|pictures?|shots?|setbacks?|snags?|spot|phase)\b(?! (?:of|with) (?:an?|the|my|our|their|\p{Lu}))/u;
const TAKES = wordSet('get take have hit go make');

/** An act that is everybody's, or that passes, without a name or a number: what is said of it is no fact. */
const saysLittle = (clause: Clause, own: ReadonlySet<string>): boolean => {
  const { verb } = clause;
  const plain = verb.rest.replace(WRITTEN_DAY, '');
  const rest = verbTokensOf(plain);
  if (rest.some(({ word, lower }) => /^\p{Lu}|\d/u.test(word) && !own.has(withoutOwner(lower)))) return false;
  if (TAKES.has(verb.lemma) && VAGUE_OBJECT.test(plain.replace(/^through /, ''))) return true;
  if (evidenceIn(rest, own) > LITTLE) return false;
  return isAspiration(clause, rest) || isPassing(clause, rest);
};

/** "Here is a pic", "There was this game", "Don't be afraid". */
const SHOWS_OR_ASKS = /^(?:here|there|don't)\b/i;

/** "Games are a blast when you hang out with friends": "you" is everybody. */
const OF_ALL = /\b(?:when|if|once|where|how|that|because) you\b/i;

/** A statement that needs what was shown or said before it, or that says nothing of people: "The salad idea is a smart move". */
export const isRemarkInTalk = ({ clause, memory, own, said }: Said): boolean => {
  const tokens = verbTokensOf(memory);
  if (
    SHOWS_OR_ASKS.test(memory) ||
    SHOWS.test(memory) ||
    SOME_OF.test(memory) ||
    leavesThingOpen(tokens, own)
  )
    return true;
  if (!isOfSomebody(tokens, own) && !isName(tokens[0])) return true;
  if (clause === null) return false;
  if (OF_ALL.test(said) && !isOfSomebody(verbTokensOf(clause.subject), own)) return true;
  return isProposal(clause, own) || saysLittle(clause, own);
};

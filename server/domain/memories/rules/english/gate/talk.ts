// Talk: people who tell each other of their days in long messages, most of whose sentences are remarks. The messages of people who
// arrange something are short, and to an assistant people say what it is to know.
import type { ReadSource } from '../../../../../adapters/language-model/ports/memory-reader.ts';
import type { Clause } from '../grammar/clause.ts';
import { isPersonNoun, isPetNoun } from '../grammar/people.ts';
import { type VerbToken, verbTokensOf } from '../grammar/verbs.ts';
import { withoutOwner } from '../grammar/words.ts';
import { isVagueNoun } from './vague-words.ts';

/** In characters, on the average; two sentences. */
const LONG_ON_AVERAGE = 80;
const ENOUGH_PEOPLE = 2;

export const isTalk = ({ conversation, around, fresh }: ReadSource): boolean => {
  const messages = [...around, ...fresh];
  const people = new Set(messages.map(({ speaker, role }) => (role === 'assistant' ? null : speaker)));
  if (!conversation || people.has(null) || people.size < ENOUGH_PEOPLE) return false;
  return messages.reduce((sum, { text }) => sum + text.length, 0) >= LONG_ON_AVERAGE * messages.length;
};

interface Said {
  /** Null where the grammar reads none. */
  readonly clause: Clause | null;
  readonly memory: string;
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

/** A statement that needs what was shown or said before it, or that says nothing of people: "The salad idea is a smart move". */
export const isRemarkInTalk = ({ clause, memory, own }: Said): boolean => {
  const tokens = verbTokensOf(memory);
  if (SHOWS.test(memory) || SOME_OF.test(memory) || leavesThingOpen(tokens, own)) return true;
  if (!isOfSomebody(tokens, own) && !isName(tokens[0])) return true;
  return clause !== null && isProposal(clause, own);
};

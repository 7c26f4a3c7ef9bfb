// Talk: people who tell each other of their days in long messages, most of whose sentences are remarks. The messages of people who
// arrange something are short, and to an assistant people say what it is to know.
import type { ReadSource } from '../../../../../adapters/language-model/ports/memory-reader.ts';
import type { Clause } from '../grammar/clause.ts';
import { isEverydayNoun } from '../grammar/mention.ts';
import { isNameWord } from '../grammar/names.ts';
import { isPersonNoun, isPetNoun } from '../grammar/people.ts';
import { type VerbToken, verbTokensOf } from '../grammar/verbs.ts';
import { withoutOwner, wordSet } from '../grammar/words.ts';
import { SUBORDINATE } from '../sentences/excluded.ts';
import { BY_SOMEBODY, leavesWordOpen } from './open-words.ts';
import { isPassingEvent, isToListener } from './passing.ts';
import { isVagueNoun, JUDGING } from './vague-words.ts';
import { withoutDay } from './written-days.ts';

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
  /** As it was said, without openers. */
  readonly said: string;
  /** The names of the speaker and the listener. */
  readonly own: ReadonlySet<string>;
}

const isOfSomebody = (tokens: readonly VerbToken[], own: ReadonlySet<string>): boolean =>
  tokens.some(({ lower }) => {
    const plain = withoutOwner(lower);
    return own.has(plain) || isPersonNoun(plain) || isPetNoun(plain);
  });

/** "Max", "Dr Lund": friends are called by one name; two are mostly of somebody known to all, or of a thing. */
const isFriend = (tokens: readonly VerbToken[]): boolean => {
  const [first, second] = tokens;
  if (first === undefined || !isNameWord(first.word) || isEverydayNoun(first.word)) return false;
  return (
    first.pos === 'PROPN' &&
    (/^(?:dr|mr|mrs|ms|miss|prof)$/.test(first.lower) || !/^\p{Lu}\p{Ll}/u.test(second?.word ?? ''))
  );
};

/** "We can play slot machines", "We should fight for more money": what could be done together. */
const PROPOSES = /^(?:can|could|should|must)$/;

const isProposal = ({ subject, verb }: Clause, own: ReadonlySet<string>): boolean =>
  PROPOSES.test(verb.modal ?? '') &&
  !verb.negated &&
  (/ and others$/.test(subject) || !isOfSomebody(verbTokensOf(subject), own));

/** "Here is a pic", "There was this game", "Don't be afraid". */
const SHOWS_OR_ASKS =
  /^(?:heres?|there|don't|(?:sounds?|looks?|seems?) (?:like|good|great|so|really|very)|(?:(?:so|really|very) )*(?:glad|sorry|proud|happy))\b/i;

/** "Games are a blast when you hang out with friends": "you" is everybody. */
const OF_ALL = /\b(?:when|if|once|where|how|that|because) you\b/i;

/** The names of the speaker and the listener where a verb follows: "Anna went", "Anna and others all went". */
const actsIn = (tokens: readonly VerbToken[], own: ReadonlySet<string>): number =>
  tokens.filter(({ lower }, at) => {
    const isMany = tokens[at + 1]?.lower === 'and' && tokens[at + 2]?.lower === 'others';
    const next = tokens[at + (isMany ? 3 : 1)];
    return own.has(lower) && (next?.verb !== undefined || /^(?:VERB|AUX|ADV|DET)$/.test(next?.pos ?? ''));
  }).length;

/** "When Anna was five", "Since Anna was five": a time without what was then. */
const isTimeAlone = (memory: string, tokens: readonly VerbToken[], own: ReadonlySet<string>): boolean =>
  SUBORDINATE.test(memory) &&
  !memory.includes(',') &&
  !/ing$/.test(tokens[1]?.lower ?? '') &&
  !/^(?:after|before|since|until) (?:the|an?|my|our|their|his|her) /i.test(memory) &&
  actsIn(tokens, own) < 2;

/** "Rome is a must-see city", "The photo is from Rome", "Tons has happened": a thing that is praised or shown, or nothing at all. */
const SHOWN_THING =
  /^(?:the (?:photo|picture|pic|image|painting|man|woman|person|guy|girl|view)s?\b(?! (?:of|that) )|(?:tons|lots|plenty|bonus points|nature)\b)/i;
const PRAISE = /\bmust-\p{L}|^the (?:man|best|goat|bomb|one)$/iu;
/** "a legendary thing to watch" */
const A_THING = /^an? (?:\p{L}[\p{L}-]* ){0,2}(?<noun>\p{L}+)(?=$|,| to | for )/u;

/** "is awesome", "has great graphics", "is a legendary thing": what somebody thinks of it. */
const isPraised = ({ verb }: Clause): boolean => {
  if (verb.tense === 'past' || !/^(?:be|have|look|sound|offer|give)$/.test(verb.lemma)) return false;
  if (PRAISE.test(verb.rest) || isVagueNoun(A_THING.exec(verb.rest)?.groups?.noun ?? '')) return true;
  return verbTokensOf(verb.rest).some(({ lower }) => JUDGING.has(lower));
};

const isOfAThing = (
  { subject, verb }: Clause,
  tokens: readonly VerbToken[],
  own: ReadonlySet<string>,
): boolean => {
  if (SHOWN_THING.test(subject)) return true;
  if (tokens.some(({ lower }) => own.has(withoutOwner(lower)))) return false;
  if (isOfSomebody(verbTokensOf(subject), own)) return false;
  return isPraised({ subject, verb });
};

/** "has been playing for four months", "doesn't go often", "is a fan too": of what, another sentence tells. */
const NEEDS_OBJECT = wordSet(
  'play do go use take make get learn try finish buy send give love like enjoy want need join attend visit choose add create build bring win challenge',
);
const NO_OBJECT =
  /^(?:(?:for|since) (?:about |over |around |almost |nearly )*(?:an?|\d+|\p{L}+) \p{L}+|often\b.*|much|hard|themself|themselves|)$/iu;
const ALIKE = /^an? (?:(?:big|huge|real) )*(?:fan|lover)$/i;

const lacksObject = ({ verb }: Clause): boolean =>
  (NEEDS_OBJECT.has(verb.lemma) && NO_OBJECT.test(withoutDay(verb.rest))) ||
  (verb.lemma === 'be' && ALIKE.test(verb.rest));

/** A statement that needs what was shown or said before it, or that says nothing of people: "The salad idea is a smart move". */
export const isRemarkInTalk = ({ clause, memory, own, said }: Said): boolean => {
  const tokens = verbTokensOf(memory);
  if (SHOWS_OR_ASKS.test(memory) || isTimeAlone(memory, tokens, own) || leavesWordOpen(memory, own))
    return true;
  if (!isOfSomebody(tokens, own) && !isFriend(tokens)) return true;
  if (clause === null) return false;
  if (isOfAThing(clause, tokens, own) || lacksObject(clause)) return true;
  if (OF_ALL.test(said) && !isOfSomebody(verbTokensOf(clause.subject), own)) return true;
  return isProposal(clause, own) || isToListener(clause, own) || isPassingEvent(clause, own);
};

/** "At the harbour in May Anna asked …": a statement behind a time or a place. */
const FRONT = /^(?:On|In|At|For|With|From|After|Before|During|When|While|One (?:time|day))\b/;

/** "One of the neighbours, Laura, wrote a letter". */
const ONE_OF = /^(?:One|Two|Some|Both|Most) of (?!them\b|it\b|these\b|those\b|us\b)\p{L}/u;

/** "A gift from Anna's grandmother in Sweden": what somebody owns, with a name or a number. */
const isOfTheirs = (memory: string, own: ReadonlySet<string>): boolean => {
  const tokens = verbTokensOf(memory);
  const isOwners = ({ lower }: VerbToken): boolean => /['’]s?$/.test(lower) && own.has(withoutOwner(lower));
  const names = ({ word, lower }: VerbToken, at: number): boolean =>
    /\d/.test(word) || (at > 0 && /^\p{Lu}\p{Ll}/u.test(word) && !own.has(withoutOwner(lower)));
  return tokens[0]?.pos !== 'ADP' && tokens.some(isOwners) && tokens.some(names);
};

/** True for words that say nothing of their speaker, whose name alone would stand in front: "Max and Daisy". */
export const isFragmentInTalk = (memory: string, own: ReadonlySet<string>): boolean => {
  const whom = BY_SOMEBODY.exec(memory)?.groups?.whom;
  if (whom !== undefined) return !own.has(whom.toLowerCase());
  if (isOfTheirs(memory, own)) return false;
  if (ONE_OF.test(memory)) return !verbTokensOf(memory).some(({ lower }) => own.has(withoutOwner(lower)));
  return !FRONT.test(memory) || actsIn(verbTokensOf(memory), own) === 0;
};

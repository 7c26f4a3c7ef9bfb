// The people and things that a statement names, and the pronouns that fit them.
import { createMemo } from '../../../../../lib/memo.ts';
import { meaningOfRoot } from '../../../../../lib/text/meanings/word-meanings.ts';
import { analyse } from '../../../../../lib/text/terms/analyse.ts';
import { rootOf } from '../../../../../lib/text/terms/derivations.ts';
import { isNameWord, isOrganisation, NAMES_AND_WORDS, PLACE_PREPOSITIONS } from './names.ts';
import { type Gender, genderOf, isPersonNoun, isPetNoun, meansSeveral, STRANGERS } from './people.ts';
import { verbTokensOf } from './verbs.ts';
import { type Token, tokensOf, withoutOwner } from './words.ts';

export interface Mention {
  /** The form in a sentence: "Anna's brother Jim". */
  readonly text: string;
  readonly gender: Gender;
  readonly isMany: boolean;
  readonly isThing: boolean;
  readonly isNamed: boolean;
  /** "Dinner is at 7" begins with a capital as well. */
  readonly isFirstWord: boolean;
}

interface FoundMention {
  /** Null for the name of a place or an organisation. */
  readonly mention: Mention | null;
  readonly next: number;
}

const NO_PERSON_BEHIND = new RegExp(`^(?:the|an?|${[...PLACE_PREPOSITIONS].join('|')})$`);

/** "Mr. Lowe": the title belongs to the name. */
const TITLES: Readonly<Record<string, Gender>> = {
  mr: 'he',
  mrs: 'she',
  ms: 'she',
  miss: 'she',
  dr: 'any',
  prof: 'any',
};

const isTitle = (token: Token | undefined): boolean => TITLES[token?.lower ?? ''] !== undefined;

/** The first word of a statement, if it may be whom "their" stands for: "Anna lives with their sister". */
const SUBJECT = /^(?:The user|The author|\p{Lu}[\p{L}’'-]*)(?= )/u;

const ownerAt = (text: string, tokens: readonly Token[], at: number): string | null => {
  const owner = tokens[at];
  if (!owner) return null;
  if (owner.lower === 'their') {
    const subject = at > 0 ? SUBJECT.exec(text)?.[0] : undefined;
    return subject === undefined || subject === 'The' ? null : `${subject.replace(/^The/, 'the')}'s`;
  }
  // "Anton and his wife Rukmini": the name says enough.
  if (/^(?:his|her)$/.test(owner.lower)) return at > 0 ? '' : null;
  if (!/['’]s?$/.test(owner.word)) return null;
  const before = tokens[at - 1];
  // "The user's neighbour's parrot" is not "the neighbour's".
  const first = at > 0 && isSomebody(owner) ? ownerAt(text, tokens, at - 1) : null;
  if (first) return `${first} ${owner.word}`;
  if (isTitle(before)) return `${before?.word} ${owner.word}`;
  return before?.lower === 'the' && /^(?:user|author)/.test(owner.lower) ? `the ${owner.word}` : owner.word;
};

const isSomebody = (token: Token | undefined): boolean => {
  const noun = withoutOwner(token?.lower ?? '');
  return isPersonNoun(noun) || isPetNoun(noun);
};

/** "Neighbour's parrot", "neighbour's old parrot". */
const ownsKin = (tokens: readonly Token[], owner: number): boolean =>
  isSomebody(tokens[owner + 1]) || isSomebody(tokens[owner + 2]);

/** "Around their street, and a stranger": what follows has no owner. */
const ANOTHER = /^(?:and|or|but|an?|the)$/;

/** "Anna's brother Jim", "their sister's" from the owner's token on; null if no person or animal follows. */
const kinAt = (text: string, tokens: readonly Token[], at: number): FoundMention | null => {
  const owner = ownerAt(text, tokens, at);
  if (owner === null) return null;
  for (let noun = at + 1; noun <= at + 4; noun++) {
    const { lower = '', word = '' } = tokens[noun] ?? {};
    if (ANOTHER.test(lower)) return null;
    const kin = withoutOwner(lower);
    if (!isPersonNoun(kin) && !isPetNoun(kin)) continue;
    let next = noun + 1;
    const isName = (token: Token | undefined): boolean =>
      isTitle(token) || (isNameWord(token?.word ?? '') && !/['’]s?$/.test(token?.word ?? ''));
    if (kin === lower) while (isName(tokens[next])) next++;
    const names = tokens.slice(noun + 1, next).map((token) => token.word);
    if (owner === '' && names.length === 0) return null;
    return {
      mention: {
        text: (owner === '' ? names : [owner, withoutOwner(word), ...names]).join(' '),
        ...{
          gender: genderOf(kin),
          isMany: meansSeveral(kin),
          isThing: isPetNoun(kin) && !meansSeveral(kin),
        },
        ...{ isNamed: names.length > 0, isFirstWord: false },
      },
      // The owner of somebody else is looked at again, as an owner.
      next: kin !== lower && ownsKin(tokens, noun) ? noun : next,
    };
  }
  return null;
};

/** The text of a person whom no words name: a pronoun that may mean them stays as it was said. */
export const A_STRANGER = '';
const IS_OR_AS = /^(?:is|was|are|were|be|been|being|become|became|as|like|called)$/;

/** "A little girl": she is nobody whom an earlier message names. "Tom is a quiet man" says it of Tom. */
const strangerAt = (tokens: readonly Token[], at: number): FoundMention | null => {
  if (!/^an?$/.test(tokens[at]?.lower ?? '') || IS_OR_AS.test(tokens[at - 1]?.lower ?? '')) return null;
  const noun = [1, 2, 3].map((step) => at + step).find((place) => STRANGERS.has(tokens[place]?.lower ?? ''));
  if (noun === undefined) return null;
  const gender = genderOf(tokens[noun]?.lower ?? '');
  const one = { text: A_STRANGER, gender, isMany: false, isThing: false, isNamed: false, isFirstWord: false };
  return { mention: one, next: noun + 1 };
};

/** The words of a name: a space between them, or the full stop of a short form. */
const GOES_ON = /^(?: |\. )$/;
const SHORT_FORM = 3;

/** "Why is Aragorn Anna's favourite": the name of the speaker begins another. */
const nameEnd = (
  text: string,
  tokens: readonly Token[],
  first: number,
  isSelf: (name: string) => boolean,
): number => {
  let next = first + 1;
  for (; isNameWord(tokens[next]?.word ?? ''); next++) {
    const [before, token] = [tokens[next - 1], tokens[next]];
    const gap = text.slice(before?.end, token?.start);
    if (isSelf(withoutOwner(token?.word ?? '')) && !isSelf(text.slice(tokens[first]?.start, token?.end)))
      break;
    if (!GOES_ON.test(gap) || (gap !== ' ' && (before?.word.length ?? 0) > SHORT_FORM)) break;
  }
  return next;
};

/** A run of capitalised words: "Lena", "Mr. Lowe", but not "at St. Mary's". */
const nameAt = (
  text: string,
  tokens: readonly Token[],
  at: number,
  isSelf: (name: string) => boolean,
): FoundMention | null => {
  const title = isTitle(tokens[at]) ? tokens[at] : undefined;
  const first = title === undefined ? at : at + 1;
  if (!isNameWord(tokens[first]?.word ?? '')) return null;
  const next = nameEnd(text, tokens, first, isSelf);
  // "at St. Mary's", "the Swan".
  const isPlace = title === undefined && NO_PERSON_BEHIND.test(tokens[at - 1]?.lower ?? '');
  const name = withoutOwner(text.slice(tokens[first]?.start, tokens[next - 1]?.end));
  if (isPlace || isOrganisation(name)) return { mention: null, next };
  const whole = withoutOwner(text.slice(tokens[at]?.start, tokens[next - 1]?.end));
  const gender = TITLES[title?.lower ?? ''] ?? genderOf(name);
  const isFirstWord = at === 0 && next === 1 && !/^,? and \p{Lu}/u.test(text.slice(tokens[0]?.end));
  return {
    mention: { text: whole, gender, isMany: false, isThing: false, isNamed: true, isFirstWord },
    next,
  };
};

/** "Moira's neighbour is called Graham", "my dog's name is Rex", "Tom is Anna's brother": both words mean one. */
const IS = /^(?:(?: name)? is| was)(?: (?:called|named|now))*(?: the)? $/;

const asOne = (one: Mention, other: Mention): Mention | null => {
  const [kin, named] = one.isNamed ? [other, one] : [one, other];
  if (kin.isNamed || !named.isNamed || kin.isMany) return null;
  return { ...kin, text: `${kin.text} ${named.text}`, isNamed: true };
};

/** `isSelf`: true for the name of the speaker or the listener. */
export const mentionsIn = (statement: string, isSelf: (name: string) => boolean): Mention[] => {
  const tokens = tokensOf(statement);
  const found: Mention[] = [];
  let end = 0;
  for (let at = 0; at < tokens.length; ) {
    const owner = isTitle(tokens[at]) ? at + 1 : at;
    const one =
      kinAt(statement, tokens, owner) ?? nameAt(statement, tokens, at, isSelf) ?? strangerAt(tokens, at);
    const { mention = null, next = at + 1 } = one ?? {};
    if (mention !== null && !isSelf(mention.text)) {
      const before = found.at(-1);
      const isSame = before !== undefined && IS.test(statement.slice(end, tokens[at]?.start));
      const joined = isSame ? asOne(before, mention) : null;
      if (joined) found.pop();
      found.push(joined ?? mention);
      end = tokens[next - 1]?.end ?? end;
    }
    at = next;
  }
  // "Adopted a girl, Aoife" names her.
  const named = found.findLastIndex(({ isNamed }) => isNamed);
  return found.filter(({ text }, at) => text !== A_STRANGER || at > named);
};

export const genderOfPronoun = (pronoun: string): Gender => {
  if (/^(?:he|him|his)$/.test(pronoun)) return 'he';
  return /^(?:she|her|hers)$/.test(pronoun) ? 'she' : 'any';
};

export const fitsPronoun = (pronoun: string, mention: Mention): boolean => {
  if (/^(?:they|them|their|theirs)$/.test(pronoun)) return mention.isMany;
  if (/^(?:it|its)$/.test(pronoun)) return mention.isThing;
  const gender = genderOfPronoun(pronoun);
  return !mention.isMany && (mention.gender === 'any' || mention.gender === gender);
};

const tags = createMemo<string | null>(1_024);

/** The part of speech of the word in small letters; null if the model of English does not know it, or if it is a name. */
const tagOfWord = (word: string): string | null =>
  tags(word, () => {
    const lower = word.toLowerCase();
    const [first] = NAMES_AND_WORDS.has(lower) ? [] : verbTokensOf(`${lower} is here`);
    return first?.isKnown ? first.pos : null;
  });

/** A rarer word that the model of English knows is as likely a name: "Rolf", "Mavis". */
const EVERYDAY = 0.94;

/** "Dinner": the first word of a statement has a capital in any case. */
export const isEverydayNoun = (word: string): boolean =>
  !/\s/.test(word) &&
  tagOfWord(word) === 'NOUN' &&
  (meaningOfRoot(rootOf(analyse(word)[0] ?? ''))?.weight ?? 1) < EVERYDAY;

export const isCommonNoun = ({ text, gender, isFirstWord }: Mention): boolean =>
  isFirstWord && gender === 'any' && tagOfWord(text) !== null;

/** "Rent is 890": no pronoun for a person means it. */
export const isThingInFront = ({ text, gender, isFirstWord }: Mention): boolean =>
  isFirstWord && gender === 'any' && isEverydayNoun(text);

export const nameOfMention = ({ text }: Mention): string => text.slice(text.lastIndexOf(' ') + 1);

const isPartOf = (part: Mention, whole: Mention): boolean => {
  const [text, longer] = [part.text.toLowerCase(), whole.text.toLowerCase()];
  if (text === longer) return false;
  const isOwner = whole.isThing && longer.startsWith(`${text}'s `);
  return longer.endsWith(` ${text}`) || longer.startsWith(`${text} `) || isOwner;
};

/**
 * "Anna's brother Tom" and "Tom" or "Anna's brother" are one: the longer words stand for both. Of "Anna's brother's dog", a
 * pronoun that fits both means the dog.
 */
export const onePerPerson = (mentions: readonly Mention[]): Mention[] => {
  const inside = mentions.filter(({ isFirstWord }) => !isFirstWord);
  const texts = [...new Map([...mentions, ...inside].map((one) => [one.text, one])).values()];
  return texts.filter((one) => !texts.some((other) => isPartOf(one, other)));
};

// Recent mentions of people and things, so that "she" and "it" can be replaced if only one reading is possible.
import { isNameWord, isOrganisation, PLACE_PREPOSITIONS } from './names.ts';
import { type Gender, genderOf, isManyNoun, isPersonNoun, isPetNoun } from './people.ts';
import { replaceTokens } from './person.ts';
import { verbTokensOf } from './verbs.ts';
import { type Token, tokensOf, withoutOwner } from './words.ts';

interface Mention {
  /** The form in a sentence: "Anna's brother Jim". */
  readonly text: string;
  readonly gender: Gender;
  readonly isMany: boolean;
  readonly isThing: boolean;
  readonly isNamed: boolean;
}

export interface Mentions {
  /** Starts another utterance. */
  turn(by: string): void;
  /** Records the people and things that a finished statement names; `thing`: the thing that it introduces ("Anna's puppy"). */
  note(statement: string, thing: string | null): void;
  /** Records the people that a sentence names of which nothing is kept: "How is Tom?" */
  hear(sentence: string): void;
  /** The clause with its pronoun replaced; null if the pronoun cannot be resolved. */
  resolve(clause: string): string | null;
}

/** "Anna's brother Jim" from the owner's token on; null if no person or animal follows. */
const kinAt = (tokens: readonly Token[], at: number): FoundMention | null => {
  const owner = tokens[at];
  if (!owner || !/['’]s?$/.test(owner.word)) return null;
  for (let noun = at + 1; noun <= at + 4; noun++) {
    const { lower = '' } = tokens[noun] ?? {};
    if (!isPersonNoun(lower) && !isPetNoun(lower)) continue;
    let next = noun + 1;
    while (isNameWord(tokens[next]?.word ?? '') && !/['’]s?$/.test(tokens[next]?.word ?? '')) next++;
    const names = tokens.slice(noun + 1, next).map(({ word }) => word);
    const lead = tokens[at - 1]?.lower === 'the' && owner.lower.startsWith('user') ? 'the ' : '';
    const text = [`${lead}${owner.word}`, tokens[noun]?.word, ...names].join(' ');
    return {
      mention: {
        ...{ text, gender: genderOf(lower), isMany: isManyNoun(lower), isThing: isPetNoun(lower) },
        isNamed: names.length > 0,
      },
      next,
    };
  }
  return null;
};

/** "Mr. Lowe": the title belongs to the name. */
const TITLES: Readonly<Record<string, Gender>> = {
  mr: 'he',
  mrs: 'she',
  ms: 'she',
  miss: 'she',
  dr: 'any',
  prof: 'any',
};
/** The words of a name: a space between them, or the full stop of a short form. */
const GOES_ON = /^(?: |\. )$/;
const SHORT_FORM = 3;

const nameEnd = (text: string, tokens: readonly Token[], first: number): number => {
  let next = first + 1;
  for (; isNameWord(tokens[next]?.word ?? ''); next++) {
    const [before, token] = [tokens[next - 1], tokens[next]];
    const gap = text.slice(before?.end, token?.start);
    if (!GOES_ON.test(gap) || (gap !== ' ' && (before?.word.length ?? 0) > SHORT_FORM)) break;
  }
  return next;
};

interface FoundMention {
  /** Null for the name of a place or an organisation. */
  readonly mention: Mention | null;
  readonly next: number;
}

/** A run of capitalised words: "Lena", "Mr. Lowe", but not "at St. Mary's". */
const nameAt = (text: string, tokens: readonly Token[], at: number): FoundMention | null => {
  const title = tokens[at] && TITLES[tokens[at].lower] !== undefined ? tokens[at] : undefined;
  const first = title === undefined ? at : at + 1;
  if (!isNameWord(tokens[first]?.word ?? '')) return null;
  const next = nameEnd(text, tokens, first);
  const isPlace = title === undefined && PLACE_PREPOSITIONS.has(tokens[at - 1]?.lower ?? '');
  const name = withoutOwner(text.slice(tokens[first]?.start, tokens[next - 1]?.end));
  if (isPlace || isOrganisation(name)) return { mention: null, next };
  const whole = withoutOwner(text.slice(tokens[at]?.start, tokens[next - 1]?.end));
  const gender = TITLES[title?.lower ?? ''] ?? genderOf(name);
  return { mention: { text: whole, gender, isMany: false, isThing: false, isNamed: true }, next };
};

/** "Moira's neighbour is called Graham", "Tom is Anna's brother": both words mean one person. */
const IS = /^(?: is| was)(?: (?:called|named|now))*(?: the)? $/;

const asOne = (one: Mention, other: Mention): Mention | null => {
  const [kin, named] = one.isNamed ? [other, one] : [one, other];
  if (kin.isNamed || !named.isNamed || kin.isMany) return null;
  return { ...kin, text: `${kin.text} ${named.text}`, isNamed: true };
};

const mentionsIn = (statement: string, isSelf: (name: string) => boolean): Mention[] => {
  const tokens = tokensOf(statement);
  const found: Mention[] = [];
  let end = 0;
  for (let at = 0; at < tokens.length; ) {
    const one = kinAt(tokens, at) ?? nameAt(statement, tokens, at);
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
  return found;
};

const THIRD = /^(?:he|she|him|her|his|hers|they|them|their|theirs|it|its)$/;
const SUBJECT_ONLY = /^(?:it|its|they|their)$/;
/** Nouns that "they" and "it" may mean within the same sentence. */
const NAMES_SOMETHING = /\b(?:an?|the|some|two|three|four|five|these|those|every|each|all|my|our)\s+\p{L}/iu;

/** "I hate it when people are late": "it" means the clause that follows. */
const pointsAhead = (tokens: readonly Token[], at: number): boolean =>
  at > 0 && tokens[at]?.lower === 'it' && /^(?:when|that|if|to)$/.test(tokens[at + 1]?.lower ?? '');

/** After this many words, a pronoun mostly means something in the same sentence: "started doing aerial yoga, it …". */
const LATE = 4;

const fitsPronoun = (pronoun: string, mention: Mention): boolean => {
  if (/^(?:they|them|their|theirs)$/.test(pronoun)) return mention.isMany;
  if (/^(?:it|its)$/.test(pronoun)) return mention.isThing;
  const gender: Gender = /^(?:he|him|his)$/.test(pronoun) ? 'he' : 'she';
  return !mention.isMany && (mention.gender === 'any' || mention.gender === gender);
};

const isPossessivePlace = (next: Token | undefined): boolean =>
  next !== undefined &&
  !/^(?:to|for|with|at|in|on|from|and|but|a|an|the|is|was|when|because|that|so|about|again|very|yesterday|today)$/.test(
    next.lower,
  );

const replacement = (pronoun: string, text: string, next: Token | undefined): string => {
  if (/^(?:his|their|its)$/.test(pronoun) || (pronoun === 'her' && isPossessivePlace(next)))
    return `${text}'s`;
  return text;
};

interface Said {
  readonly by: string;
  mentions: Mention[];
}
const MOST_TURNS = 3;

/** "Dinner is at 7" begins with a capital as well. */
const isCommonNoun = ({ text }: Mention): boolean => {
  const [word, ...others] = text.split(' ');
  const [plain] = verbTokensOf(`${word?.toLowerCase()} is here`);
  return others.length === 0 && plain?.isKnown === true && genderOf(text) === 'any';
};

/** "Anna's brother Tom" and "Tom" are one: the longer words stand for both. */
const onePerPerson = (mentions: readonly Mention[]): Mention[] => {
  const texts = [...new Map(mentions.map((one) => [one.text, one])).values()];
  return texts.filter(
    ({ text }) => !texts.some((other) => other.text !== text && other.text.endsWith(` ${text}`)),
  );
};

/** `isSelf`: true for the name of the speaker or the listener. */
export const createMentions = (isSelf: (name: string) => boolean): Mentions => {
  let before: Said[] = [];
  let now: Said = { by: '', mentions: [] };

  /** The people of the message before, and of the speaker's own one before: an assistant may have answered it. */
  const lately = (): Mention[] => {
    const own = before.slice(-MOST_TURNS).findLast(({ by }) => by === now.by);
    return [...new Set([before.at(-1), own])].flatMap((said) => said?.mentions ?? []);
  };

  const candidates = (pronoun: string): Mention[] => {
    // "It" and "they" cannot be resolved from another speaker's message.
    for (const mentions of SUBJECT_ONLY.test(pronoun) ? [now.mentions] : [now.mentions, lately()]) {
      const fitting = onePerPerson(mentions.filter((one) => fitsPronoun(pronoun, one)));
      const sure = fitting.length > 1 ? fitting.filter((one) => !isCommonNoun(one)) : fitting;
      if (sure.length > 0) return sure;
      if (fitting.length > 0) return fitting;
    }
    return [];
  };

  function resolve(clause: string): string | null {
    const tokens = tokensOf(clause);
    const at = tokens.findIndex(({ lower }, place) => THIRD.test(lower) && !pointsAhead(tokens, place));
    const token = tokens[at];
    if (!token) return clause;
    const head = clause.slice(0, token.start);
    // "Anna's brother sold his car": the sentence itself resolves the pronoun.
    if (
      at > 0 &&
      (NAMES_SOMETHING.test(head) ||
        mentionsIn(
          head.replace(/^\S+/, (word) => word),
          isSelf,
        ).length > 0)
    )
      return clause;
    const isLate = at >= LATE;
    if (at > 0 && SUBJECT_ONLY.test(token.lower)) return isLate ? clause : null;
    const [only, ...others] = candidates(token.lower);
    if (!only || others.length > 0) return isLate ? clause : null;
    return replaceTokens(
      clause,
      tokens,
      new Map([[at, replacement(token.lower, only.text, tokens[at + 1])]]),
    );
  }

  return {
    turn: (by) => {
      before = [...before, now].slice(-MOST_TURNS);
      now = { by, mentions: [] };
    },
    note: (statement, thing) => {
      // "It" means the subject of the sentence before.
      now.mentions = now.mentions.filter(({ text, isThing }) => !isThing || statement.includes(text));
      now.mentions.push(...mentionsIn(statement, isSelf));
      if (thing !== null) {
        const isMany = /[^s]s$/.test(thing);
        now.mentions.push({ text: thing, gender: 'any', isMany, isThing: !isMany, isNamed: false });
      }
    },
    hear: (sentence) => {
      now.mentions.push(...mentionsIn(sentence, isSelf).filter(({ isThing }) => !isThing));
    },
    resolve,
  };
};

// Recent mentions of people and things, so that "she" and "it" can be replaced if only one reading is possible.
import { isNameWord, isOrganisation, PLACE_PREPOSITIONS } from './names.ts';
import { type Gender, genderOf, isManyNoun, isPersonNoun, isPetNoun } from './people.ts';
import { replaceTokens } from './person.ts';
import { type Token, tokensOf, withoutOwner } from './words.ts';

interface Mention {
  /** The form in a sentence: "Anna's brother Jim". */
  readonly text: string;
  readonly gender: Gender;
  readonly isMany: boolean;
  readonly isThing: boolean;
}

export interface Mentions {
  /** Starts another utterance. */
  turn(): void;
  /** Records the people and things that a finished statement names; `thing`: the thing that it introduces ("Anna's puppy"). */
  note(statement: string, thing: string | null): void;
  /** The clause with its pronoun replaced; null if the pronoun cannot be resolved. */
  resolve(clause: string): string | null;
}

/** "Anna's brother Jim" from the owner's token on; null if no person or animal follows. */
const kinAt = (tokens: readonly Token[], at: number): { mention: Mention; next: number } | null => {
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
      mention: { text, gender: genderOf(lower), isMany: isManyNoun(lower), isThing: isPetNoun(lower) },
      next,
    };
  }
  return null;
};

const nameAt = (tokens: readonly Token[], at: number): { mention: Mention; next: number } | null => {
  if (!isNameWord(tokens[at]?.word ?? '') || PLACE_PREPOSITIONS.has(tokens[at - 1]?.lower ?? '')) return null;
  let next = at + 1;
  while (isNameWord(tokens[next]?.word ?? '') && tokens[next]?.start === (tokens[next - 1]?.end ?? -2) + 1)
    next++;
  const text = tokens
    .slice(at, next)
    .map(({ word }) => withoutOwner(word))
    .join(' ');
  if (isOrganisation(text)) return null;
  return { mention: { text, gender: 'any', isMany: false, isThing: false }, next };
};

const mentionsIn = (statement: string, isSelf: (name: string) => boolean): Mention[] => {
  const tokens = tokensOf(statement);
  const found: Mention[] = [];
  for (let at = 0; at < tokens.length; ) {
    const one = kinAt(tokens, at) ?? nameAt(tokens, at);
    if (one && !isSelf(one.mention.text)) found.push(one.mention);
    at = one ? one.next : at + 1;
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
  const gender: Gender = /^s?he|^hi/.test(pronoun) && !pronoun.startsWith('s') ? 'he' : 'she';
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

/** `isSelf`: true for the name of the speaker or the listener. */
export const createMentions = (isSelf: (name: string) => boolean): Mentions => {
  let before: Mention[] = [];
  let now: Mention[] = [];

  const candidates = (pronoun: string): Mention[] => {
    // "It" and "they" cannot be resolved from another speaker's message.
    for (const mentions of SUBJECT_ONLY.test(pronoun) ? [now] : [now, before]) {
      const fitting = new Map(
        mentions.filter((one) => fitsPronoun(pronoun, one)).map((one) => [one.text, one]),
      );
      if (fitting.size > 0) return [...fitting.values()];
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
    turn: () => {
      before = now;
      now = [];
    },
    note: (statement, thing) => {
      // "It" means the subject of the sentence before.
      now = now.filter(({ text, isThing }) => !isThing || statement.includes(text));
      now.push(...mentionsIn(statement, isSelf));
      if (thing !== null) {
        const isMany = /[^s]s$/.test(thing);
        now.push({ text: thing, gender: 'any', isMany, isThing: !isMany });
      }
    },
    resolve,
  };
};

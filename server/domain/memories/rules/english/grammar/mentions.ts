// Replaces "she" and "it" by whom or what the last messages name, if only one reading is possible.
import { createHeardMentions, ONLY_NEAR } from './heard-mentions.ts';
import { isCommonNoun, mentionsIn } from './mention.ts';
import { isNameWord } from './names.ts';
import { replaceTokens } from './person.ts';
import { type Token, tokensOf } from './words.ts';

export interface Mentions {
  /** Starts another utterance. */
  turn(by: string): void;
  /** Starts another clause or sentence: within a sentence, a pronoun means whom the clause before it names. */
  clause(): void;
  /** Records the people and things that a finished statement names; `thing`: the thing that it introduces ("Anna's puppy"). */
  note(statement: string, thing: string | null): void;
  /** Records the people that a sentence names of which nothing is kept: "How is Tom?" */
  hear(clause: string): void;
  /** The clause with its pronoun replaced; null if the pronoun cannot be resolved. */
  resolve(clause: string): string | null;
}

const THIRD = /^(?:he|she|him|her|his|hers|they|them|their|theirs|it|its)$/;
/** Nouns that "they" and "it" may mean within the same sentence. */
const NAMES_SOMETHING = /\b(?:an?|the|some|two|three|four|five|these|those|every|each|all|my|our)\s+\p{L}/iu;

/** "I hate it when people are late": "it" means the clause that follows. */
const pointsAhead = (tokens: readonly Token[], at: number): boolean =>
  at > 0 && tokens[at]?.lower === 'it' && /^(?:when|that|if|to)$/.test(tokens[at + 1]?.lower ?? '');

/** After this many words, a pronoun mostly means something in the same sentence: "started doing aerial yoga, it …". */
const LATE = 4;

const isPossessivePlace = (next: Token | undefined): boolean =>
  next !== undefined &&
  !/^(?:to|for|with|at|in|on|from|and|but|a|an|the|is|was|when|because|that|so|about|again|very|yesterday|today|tomorrow|tonight|alone|together|twice|once|every|each|as|if|by|into|up|out|off|back|over|home|here|there|too)$/.test(
    next.lower,
  );

const replacement = (pronoun: string, text: string, next: Token | undefined): string => {
  if (/^(?:his|their|its)$/.test(pronoun) || (pronoun === 'her' && isPossessivePlace(next)))
    return `${text}'s`;
  return text;
};

const OWNED_OR_NAMED = /\b(?:my|our|your|his|her) \p{Ll}|. \p{Lu}\p{Ll}/u;

/** Most sentences name nobody, which their letters tell. */
export const mayMention = (sentence: string): boolean =>
  OWNED_OR_NAMED.test(sentence) || isNameWord(/^\p{Lu}\p{Ll}+/u.exec(sentence)?.[0] ?? '');

/** `isSelf`: true for the name of the speaker or the listener. */
export const createMentions = (isSelf: (name: string) => boolean): Mentions => {
  const heard = createHeardMentions();
  function resolve(clause: string): string | null {
    const tokens = tokensOf(clause);
    const at = tokens.findIndex(({ lower }, place) => THIRD.test(lower) && !pointsAhead(tokens, place));
    const token = tokens[at];
    if (!token) return clause;
    const head = clause.slice(0, token.start);
    // "Anna's brother sold his car": the sentence itself resolves the pronoun.
    if (at > 0 && (NAMES_SOMETHING.test(head) || mentionsIn(head, isSelf).length > 0)) return clause;
    const isLate = at >= LATE;
    if (at > 0 && ONLY_NEAR.test(token.lower)) return isLate ? clause : null;
    const [only, ...others] = heard.candidates(token.lower);
    if (!only || others.length > 0) return isLate ? clause : null;
    heard.learn(token.lower, only);
    return replaceTokens(
      clause,
      tokens,
      new Map([[at, replacement(token.lower, only.text, tokens[at + 1])]]),
    );
  }

  return {
    turn: heard.turn,
    clause: heard.clause,
    note: (statement, thing) => {
      heard.dropThings(statement);
      heard.add(mentionsIn(statement, isSelf));
      if (thing === null) return;
      const isNamed = /\s\p{Lu}\S*$/u.test(thing);
      const isMany = !isNamed && /[^s]s$/.test(thing);
      heard.add([{ text: thing, gender: 'any', isMany, isThing: !isMany, isNamed, isFirstWord: false }]);
    },
    hear: (clause) => {
      const people = mentionsIn(resolve(clause) ?? clause, isSelf).filter(({ isThing }) => !isThing);
      heard.add(people.filter((one) => !isCommonNoun(one)));
    },
    resolve,
  };
};

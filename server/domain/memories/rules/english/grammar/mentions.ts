// Replaces "she" and "it" by whom or what the last messages name, if only one reading is possible.
import { createHeardMentions, ONLY_NEAR } from './heard-mentions.ts';
import { A_STRANGER, isCommonNoun, isEverydayNoun, type Mention, mentionsIn } from './mention.ts';
import { isNameWord } from './names.ts';
import { type Gender, isPersonNoun, isPetNoun, STRANGERS } from './people.ts';
import { replaceTokens } from './person.ts';
import { headWord } from './terms.ts';
import { type Token, tokensOf } from './words.ts';

/** The meanings of "it" after a statement. */
export interface NamedThings {
  /** The thing that it is about: "Anna's car". */
  readonly told: string | null;
  /** The thing that it introduces, perhaps a person or an animal: "Anna's puppy". */
  readonly introduced: string | null;
}

export interface Mentions {
  /** Starts another utterance. */
  turn(by: string): void;
  /** Starts another clause or sentence: within a sentence, a pronoun means whom the clause before it names. */
  clause(): void;
  /** Records the people and things that a finished statement names. */
  note(statement: string, things: NamedThings | null): void;
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

/** "It is raining", "it was hard to say goodbye": "it" means nothing that was named. */
const MEANS_NOTHING =
  /^it(?: is| was| has| had| will| may| might| has been| had been)?(?: \p{L}+ly| also| still| always| just)? (?:(?:rain|snow|hail|thunder|freez|pour)\p{L}*\b|(?:\p{L}+ ){1,2}(?:to (?!(?:the|an?|my|our|your|his|her|their) )\p{Ll}|(?:that|if|when|how|why)\b))/iu;

/** After this many words, a pronoun mostly means something in the same sentence: "started doing aerial yoga, it …". */
const LATE = 4;

const isPossessivePlace = (next: Token | undefined): boolean =>
  next !== undefined &&
  !/^(?:to|for|with|at|in|on|from|and|but|a|an|the|is|was|when|because|that|so|about|again|very|yesterday|today|tomorrow|tonight|alone|together|twice|once|every|each|as|if|by|into|up|out|off|back|over|home|here|there|too|some|any|no|more|another|lots|plenty|something|anything|nothing|everything|nearby|around|away|through|after|before|until|during|since|who|where|how|what|why|which|then|soon|later|better|outside|inside|upstairs|downstairs|whenever|while)$/.test(
    next.lower,
  );

const replacement = (pronoun: string, text: string, next: Token | undefined): string => {
  if (/^(?:his|their|its)$/.test(pronoun) || (pronoun === 'her' && isPossessivePlace(next)))
    return `${text}'s`;
  return text;
};

const OWNED_OR_NAMED = new RegExp(
  String.raw`\b(?:my|our|your|his|her) \p{Ll}|. \p{Lu}\p{Ll}|\b[Aa]n? (?:\p{L}+ ){0,2}(?:${[...STRANGERS].join('|')})\b`,
  'u',
);

/** Most sentences name nobody, which their letters tell. */
export const mayMention = (sentence: string): boolean =>
  OWNED_OR_NAMED.test(sentence) || isNameWord(/^\p{Lu}\p{Ll}+/u.exec(sentence)?.[0] ?? '');

const thingMention = (text: string, gender: Gender): Mention => {
  const isNamed = /\s\p{Lu}\S*$/u.test(text);
  const isMany = !isNamed && /[^s]s$/.test(text);
  return { text, gender, isMany, isThing: !isMany, isNamed, isFirstWord: false };
};

/** A rare word may be an animal or a person: "greyhound", "lodger". */
const genderOfThing = (text: string): Gender => {
  const head = headWord(text);
  const isSomeone =
    /\s\p{Lu}\S*$/u.test(text) || isPersonNoun(head) || isPetNoun(head) || !isEverydayNoun(head);
  return isSomeone ? 'any' : 'none';
};

/** `isSelf`: true for the name of the speaker or the listener. */
export const createMentions = (isSelf: (name: string) => boolean): Mentions => {
  const heard = createHeardMentions();
  function resolve(clause: string): string | null {
    const tokens = tokensOf(clause);
    const at = tokens.findIndex(({ lower }, place) => THIRD.test(lower) && !pointsAhead(tokens, place));
    const token = tokens[at];
    if (!token) return clause;
    if (at === 0 && MEANS_NOTHING.test(clause)) return null;
    const head = clause.slice(0, token.start);
    // "Anna's brother sold his car": the sentence itself resolves the pronoun.
    if (at > 0 && (NAMES_SOMETHING.test(head) || mentionsIn(head, isSelf).length > 0)) return clause;
    const isLate = at >= LATE;
    if (at > 0 && ONLY_NEAR.test(token.lower)) return isLate ? clause : null;
    const [only, ...others] = heard.candidates(token.lower);
    if (!only || others.length > 0 || only.text === A_STRANGER) return isLate ? clause : null;
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
    note: (statement, things) => {
      heard.dropThings(statement);
      heard.add(mentionsIn(statement, isSelf));
      const { told, introduced } = things ?? { told: null, introduced: null };
      if (told !== null) heard.add([thingMention(told, 'none')]);
      if (introduced !== null) heard.add([thingMention(introduced, genderOfThing(introduced))]);
    },
    hear: (clause) => {
      const people = mentionsIn(resolve(clause) ?? clause, isSelf).filter(({ isThing }) => !isThing);
      heard.add(people.filter((one) => !isCommonNoun(one)));
    },
    resolve,
  };
};

// The people and things named in the last messages, and whom of them a pronoun may mean.
import {
  fitsPronoun,
  genderOfPronoun,
  isCommonNoun,
  isThingInFront,
  type Mention,
  nameOfMention,
  onePerPerson,
} from './mention.ts';
import type { Gender } from './people.ts';

interface Said {
  readonly by: string;
  mentions: Mention[];
}
const MOST_TURNS = 3;

/** "It" and "they" cannot be resolved from another speaker's message. */
export const ONLY_NEAR = /^(?:it|its|they|their)$/;

export interface HeardMentions {
  turn(by: string): void;
  clause(): void;
  add(mentions: readonly Mention[]): void;
  /** Forgets the things that the statement does not name: "it" means the subject of the sentence before. */
  dropThings(statement: string): void;
  /** The people whom the pronoun may mean. */
  candidates(pronoun: string): Mention[];
  /** "She" meant Rukmini before, so that "he" does not. */
  learn(pronoun: string, meant: Mention): void;
}

export const createHeardMentions = (): HeardMentions => {
  let before: Said[] = [];
  let now: Said = { by: '', mentions: [] };
  let clauseFrom = 0;
  const genders = new Map<string, Gender>();

  /** The people of the message before, and of the speaker's own one before: an assistant may have answered it. */
  const lately = (): Mention[] => {
    const own = before.findLast(({ by }) => by === now.by);
    return [...new Set([before.at(-1), own])].flatMap((said) => said?.mentions ?? []);
  };
  const withGender = (one: Mention): Mention =>
    one.gender === 'any' ? { ...one, gender: genders.get(nameOfMention(one)) ?? 'any' } : one;
  const fittingIn = (mentions: readonly Mention[], pronoun: string): Mention[] => {
    const fitting = onePerPerson(
      mentions.map(withGender).filter((one) => fitsPronoun(pronoun, one) && !isThingInFront(one)),
    );
    const sure = fitting.length > 1 ? fitting.filter((one) => !isCommonNoun(one)) : fitting;
    return sure.length > 0 ? sure : fitting;
  };

  return {
    turn: (by) => {
      before = [...before, now].slice(-MOST_TURNS);
      now = { by, mentions: [] };
      clauseFrom = 0;
    },
    clause: () => {
      clauseFrom = now.mentions.length;
    },
    add: (mentions) => {
      now.mentions.push(...mentions);
    },
    dropThings: (statement) => {
      const isKept = ({ isThing, text }: Mention): boolean => !isThing || statement.includes(text);
      clauseFrom = now.mentions.slice(0, clauseFrom).filter(isKept).length;
      now.mentions = now.mentions.filter(isKept);
    },
    candidates: (pronoun) => {
      const inClause = fittingIn(now.mentions.slice(clauseFrom), pronoun);
      if (inClause.length > 0) return inClause;
      const inMessage = fittingIn(now.mentions, pronoun);
      if (ONLY_NEAR.test(pronoun)) return inMessage;
      const earlier = fittingIn(lately(), pronoun);
      if (inMessage.length === 0) return earlier;
      // "My boss Mrs Lund is away." "Kim got the chair, so she …": a name may be a man's, "Mrs" is a woman's.
      const isOpen = inMessage.length === 1 && inMessage[0]?.gender === 'any';
      return onePerPerson([
        ...inMessage,
        ...(isOpen ? earlier.filter(({ gender }) => gender !== 'any') : []),
      ]);
    },
    learn: (pronoun, meant) => {
      const gender = genderOfPronoun(pronoun);
      if (gender !== 'any' && meant.isNamed) genders.set(nameOfMention(meant), gender);
    },
  };
};

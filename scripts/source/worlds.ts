// The worlds in `test/memories/worlds/`: what people say of their lives, and later statements with what each replaces.
import { readdirSync, readFileSync } from 'node:fs';

interface WrittenWorld {
  /** "user", or the name of the one who speaks; null where each line names its speaker, and in a note without an author. */
  readonly speaker: string | null;
  readonly known: readonly string[];
  /** A later statement, and the places of those that it replaces. */
  readonly later: readonly (readonly [text: string, replaces: readonly number[]])[];
  /** Lines that deserve no memory. */
  readonly chatter?: readonly string[];
}

export interface Line {
  /** Null for the user, and in a note. */
  readonly speaker: string | null;
  readonly words: string;
  readonly isConversation: boolean;
}

export interface World extends Required<WrittenWorld> {
  /** Worlds of one name are one person: they are trained on or judged together. */
  readonly name: string;
  readonly lineOf: (said: string) => Line;
}

/** "Anna: I like tea" is said by Anna. */
const SPEAKER = /^(?<name>\p{Lu}[\p{L}.]+(?: \p{Lu}\p{L}+)?): (?<words>.+)$/u;
/** "Lena (1st right): moin", in a chat. */
const ANY_SPEAKER = /^(?<name>[^:]{1,30}): (?<words>.+)$/u;

/** `by`: who speaks where the line names nobody; null for the user. */
export const spokenLine = (said: string, by: string | null, pattern = SPEAKER): Line => {
  const { name = by, words = said } = pattern.exec(said)?.groups ?? {};
  return { speaker: name, words, isConversation: true };
};

const noteLine = (words: string): Line => ({ speaker: null, words, isConversation: false });

/** A few names stand before all lines of a chat. */
const isChat = ({ known }: WrittenWorld): boolean => {
  const names = known.map((said) => ANY_SPEAKER.exec(said)?.[1]);
  return names.every((name) => name !== undefined) && new Set(names).size < known.length / 2;
};

const lineReader = (world: WrittenWorld): World['lineOf'] => {
  if (world.speaker !== null) {
    const by = world.speaker === 'user' ? null : world.speaker;
    return (said) => spokenLine(said, by);
  }
  return isChat(world) ? (said) => spokenLine(said, null, ANY_SPEAKER) : noteLine;
};

const WORLDS = new URL('../../test/memories/worlds/', import.meta.url);

const readWorldsIn = (folder: URL): World[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .flatMap((file) => {
      const worlds = JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as WrittenWorld[];
      return worlds.map((world, at) => ({
        ...{ ...world, chatter: world.chatter ?? [], name: `${file} ${at}` },
        lineOf: lineReader(world),
      }));
    });

export const readWorlds = (): World[] => readWorldsIn(WORLDS);

/** No model learns from them. */
export const readPlainWorlds = (): World[] => readWorldsIn(new URL('plain/', WORLDS));

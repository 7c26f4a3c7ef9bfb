// A mark of the features that a model sees, from a few plain statements. Training writes it into the model and a test compares it,
// because a model that counts by other columns than those it was trained with judges at random, and nothing else would show it.
import { createHash } from 'node:crypto';
import { lastingFeatures } from '../../server/domain/memories/rules/english/lasting/chance-of-lasting.ts';
import { grammar } from '../../server/domain/memories/rules/grammar.ts';
import { comparedOf } from '../../server/domain/memories/rules/replacing/compared-statement.ts';
import { featuresWithEach } from '../../server/domain/memories/rules/replacing/pair-features.ts';
import { wordsOfLater, wordsOfPair } from '../../server/domain/memories/rules/replacing/pair-words.ts';

/** Plain enough that a change of the grammar seldom reads them in another way. */
const EARLIER = [
  'The user lives in Leeds',
  'The user works at a bank',
  "The user's sister Anna has two cats",
  'The rent is 840 euros a month',
  'Anna is vegetarian',
  'The meeting is on Tuesdays at 10:00',
];
const LATER = [
  'The user has moved to York',
  'Anna also has a dog now',
  'The rent is 910 euros a month now',
  'The meeting is on Thursdays from now on',
  'Anna eats fish again',
];

export const PLAIN_STATEMENTS = [...EARLIER, ...LATER];

const DIGITS = 4;
export const rounded = (row: readonly number[]): number[] => row.map((one) => Number(one.toFixed(DIGITS)));
export const markOf = (seen: unknown): string =>
  createHash('sha256').update(JSON.stringify(seen)).digest('hex').slice(0, 16);

const compared = (memory: string) => {
  const fact = grammar.factOf(memory);
  const statement = fact && comparedOf(fact, (key) => key);
  if (!statement) throw new Error(`"${memory}" gives no statement.`);
  return { ...statement, isSameTime: false };
};

export const markOfReplacing = (): string => {
  const earlier = EARLIER.map(compared);
  const [before] = earlier;
  const around = { before: before?.sketch ?? null, others: earlier.map(({ sketch }) => sketch) };
  const seen = LATER.map(compared).map((later) => ({
    rows: featuresWithEach(later, earlier, around).map(rounded),
    words: earlier.map(({ sketch }) => wordsOfPair(later.sketch, sketch)),
    ofLater: wordsOfLater(later.sketch),
  }));
  return markOf(seen);
};

export const markOfLasting = (): string =>
  markOf(
    PLAIN_STATEMENTS.map((memory) => {
      const { fact, sketch } = compared(memory);
      return [rounded(lastingFeatures({ memory, fact, sketch, isDated: false })), wordsOfLater(sketch)];
    }),
  );

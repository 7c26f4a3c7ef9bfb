// The features of statements that are compared, as the model of replacement sees them.
import { comparedOf } from '../../server/domain/memories/rules/replacing/compared-statement.ts';
import {
  featuresWithEach,
  withEvidence,
} from '../../server/domain/memories/rules/replacing/pair-features.ts';
import { wordsOfLater, wordsOfPair } from '../../server/domain/memories/rules/replacing/pair-words.ts';
import { nearestIn } from '../../server/domain/memories/rules/replacing/replaced-by.ts';
import type { Example, Stage, Staging } from '../source/folds.ts';
import type { Comparison, Label, Said } from './comparison.ts';

export interface ComparedPair extends Example {
  readonly later: Said;
  readonly earlier: Said;
  readonly laterWords: readonly string[];
  readonly words: readonly string[];
  /** The same for all that the later statement is compared with at once. */
  readonly among: readonly unknown[];
  /** True: the pair occurs a second time, among fewer others. Only the trees see it twice. */
  readonly isAgain: boolean;
}

const pairsOf = (
  { group, later, around, canonical, earlier }: Comparison,
  isAgain = false,
): ComparedPair[] => {
  const fresh = comparedOf(later.fact, canonical);
  if (!fresh) return [];
  const known = nearestIn(
    fresh,
    earlier.flatMap(([said, label]) => {
      const one = said.memory === later.memory ? null : comparedOf(said.fact, canonical);
      return one ? [{ ...one, ...label, said }] : [];
    }),
  );
  const rows = featuresWithEach(fresh, known, around);
  const laterWords = wordsOfLater(fresh.sketch);
  return known.map(({ said, sketch, isYes, weight }, at) => ({
    ...{ group, later, earlier: said, isYes, weight, isAgain, laterWords, among: earlier },
    row: rows[at] ?? [],
    words: wordsOfPair(fresh.sketch, sketch),
  }));
};

const lighter = ([said, label]: readonly [Said, Label]): [Said, Label] => [
  said,
  { ...label, weight: label.weight / 2 },
];

const isReplaced = ([, { isYes }]: readonly [Said, Label]): boolean => isYes;

/** A container may hold many statements or few: the same among all, among some, and alone with its nearest. */
export const pairsAmongMore = (comparison: Comparison): ComparedPair[] => {
  const { earlier } = comparison;
  const all = pairsOf(comparison);
  const nearness = ({ row }: ComparedPair): number => (row[1] ?? 0) + (row[8] ?? 0);
  const nearest = all.toSorted((one, other) => nearness(other) - nearness(one))[0]?.earlier;
  const alone = earlier.filter((one) => isReplaced(one) || (one[0] === nearest && !earlier.some(isReplaced)));
  const other = all
    .filter(({ isYes }) => !isYes)
    .toSorted((one, other) => nearness(other) - nearness(one))[0]?.earlier;
  const lacking = earlier.some(isReplaced) ? earlier.filter((one) => one[0] === other) : [];
  const some = earlier.filter((one, at) => isReplaced(one) || at % 6 === 0);
  const fewer = [some, alone, lacking].filter(({ length }) => length > 0 && length < earlier.length);
  return [all, ...fewer.map((few) => pairsOf({ ...comparison, earlier: few.map(lighter) }, true))].flat();
};

/** If the later statement replaces any, by its own words. */
const OF_LATER: Stage<ComparedPair> = {
  cases: (pairs) =>
    [...Map.groupBy(pairs, ({ later }) => later).values()].flatMap((same) => {
      const [first] = same;
      const isYes = same.some((pair) => pair.isYes);
      return first ? [{ group: first.group, words: first.laterWords, isYes, weight: 1 }] : [];
    }),
  words: ({ laterWords }) => laterWords,
};

/** If it replaces this one, by the words of both. */
const OF_PAIR: Stage<ComparedPair> = {
  cases: (pairs) => pairs.filter(({ isAgain }) => !isAgain),
  words: ({ words }) => words,
};

export const STAGES = [OF_LATER, OF_PAIR];

/** The pairs of one later statement compete. */
export const rowsWithEvidence: Staging<ComparedPair>['rows'] = (pairs, [ofLater = [], ofPair = []]) => {
  const places = Map.groupBy(pairs.keys(), (at) => pairs[at]?.among);
  const rows: (readonly number[])[] = [];
  for (const same of places.values()) {
    const [first = 0] = same;
    const together = withEvidence(
      same.map((at) => pairs[at]?.row ?? []),
      ofLater[first] ?? 0,
      same.map((at) => ofPair[at] ?? 0),
    );
    for (const [place, row] of together.entries()) rows[same[place] ?? 0] = row;
  }
  return rows;
};

// Trains the model that decides if a later statement replaces an earlier one, and prints how well it does on groups of texts
// that it was not trained on:
//
//   node scripts/replacing/train.ts [--write | --check] [--details]
//   node scripts/replacing/train.ts --without eleventh,twelfth [--details]
//
// The second form trains without these sets and judges them, so that their writers are unseen.
import { parseArgs } from 'node:util';
import { READ_SETS } from '../../test/memories/sets.ts';
import { markOfReplacing } from '../source/feature-marks.ts';
import { type Judged, judgeBy, judgeFolds, train } from '../source/folds.ts';
import { keepModel } from '../source/kept-model.ts';
import { comparisonsOfSets, readComparisons } from './examples.ts';
import { type ComparedPair, pairsAmongMore, rowsWithEvidence, STAGES } from './rows.ts';

const STAGING = {
  stages: STAGES,
  rows: rowsWithEvidence,
  boosting: { trees: 400, depth: 5, rate: 0.05, leastEvidence: 6, shrinkage: 5 },
};
const LIMITS = [0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95];
const PRECISION = 0.97;

const kindOfGroup = ({ group }: ComparedPair): string =>
  /^(?:world|pair|sentence)/.exec(group)?.[0] ?? 'scenario';

/** The lowest chance from which so many of the replacements are right. */
const limitFor = (firsts: readonly Judged<ComparedPair>[]): string => {
  let [right, most, limit] = [0, 0, 1];
  for (const [at, { example, chance }] of firsts.toSorted((a, b) => b.chance - a.chance).entries()) {
    if (example.isYes) right++;
    if (right >= PRECISION * (at + 1)) [most, limit] = [right, chance];
  }
  return `${most} right at a precision of ${PRECISION}, from ${limit.toFixed(3)}`;
};

/** For each later statement, the likeliest earlier one counts. */
const printFigures = (judged: readonly Judged<ComparedPair>[]): void => {
  const among = judged.filter(({ example }) => !example.isAgain);
  for (const [kind, some] of [
    ['all', among] as const,
    ...Map.groupBy(among, (one) => kindOfGroup(one.example)),
  ]) {
    const firsts = [...Map.groupBy(some, ({ example }) => example.later).values()].map((pairs) =>
      pairs.reduce((best, one) => (one.chance > best.chance ? one : best)),
    );
    const wanted = new Set(some.filter(({ example }) => example.isYes).map(({ example }) => example.later))
      .size;
    const figures = LIMITS.map((limit) => {
      const made = firsts.filter(({ chance }) => chance >= limit);
      return `${limit}: ${made.filter(({ example }) => example.isYes).length}/${made.length}`;
    });
    console.log(`${kind}, ${wanted} replaced: ${limitFor(firsts)}; ${figures.join('  ')}`);
  }
};

const { values: options } = parseArgs({
  options: {
    write: { type: 'boolean' },
    check: { type: 'boolean' },
    details: { type: 'boolean' },
    without: { type: 'string', default: '' },
  },
});
const features = markOfReplacing();
const unseen = READ_SETS.filter((set) => options.without.split(',').includes(set));
const pairs = readComparisons(READ_SETS.filter((set) => !unseen.includes(set))).flatMap(pairsAmongMore);
console.log(`${pairs.length} pairs, ${pairs.filter(({ isYes }) => isYes).length} replaced`);

const judge = (): Judged<ComparedPair>[] => {
  if (unseen.length === 0) return judgeFolds(pairs, STAGING);
  const judged = comparisonsOfSets(unseen).flatMap(pairsAmongMore);
  return judgeBy(train(pairs, STAGING), judged, STAGING);
};

if (!options.write && !options.check) {
  const judged = judge();
  printFigures(judged);
  if (options.details)
    for (const { example, chance } of judged)
      if (!example.isAgain && (example.isYes ? chance < 0.6 : chance > 0.6))
        console.log(
          `${example.isYes ? 'missed' : 'wrong'} ${chance.toFixed(2)} [${kindOfGroup(example)}] ${example.later.memory} <- ${example.earlier.memory}`,
        );
} else
  keepModel(
    () => ({ ...train(pairs, STAGING), features }),
    new URL('../../server/domain/memories/rules/replacing/model.json', import.meta.url),
  );

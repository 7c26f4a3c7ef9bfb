// Trains the model that decides if a later statement replaces an earlier one, and prints how well it does on groups of texts
// that it was not trained on:
//
//   node scripts/replacing/train.ts [--write]
import { writeFileSync } from 'node:fs';
import { boost } from '../source/boosting.ts';
import { type Judged, judgeFolds } from '../source/folds.ts';
import { type Example, readExamples } from './examples.ts';

const OPTIONS = { trees: 240, depth: 4, rate: 0.1, leastEvidence: 1, shrinkage: 2 };
const LIMITS = [0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95];

const kindOf = ({ group }: Example): string => /^(?:world|pair|sentence)/.exec(group)?.[0] ?? 'scenario';

/** Of each later statement the likeliest earlier one counts. */
const printFigures = (judged: readonly Judged<Example>[]): void => {
  for (const [kind, some] of [
    ['all', judged] as const,
    ...Map.groupBy(judged, (one) => kindOf(one.example)),
  ]) {
    const firsts = [...Map.groupBy(some, ({ example }) => `${example.group}|${example.later}`).values()].map(
      (pairs) => pairs.reduce((best, one) => (one.chance > best.chance ? one : best)),
    );
    const wanted = new Set(
      some.filter(({ example }) => example.isYes).map(({ example }) => `${example.group}|${example.later}`),
    ).size;
    const figures = LIMITS.map((limit) => {
      const made = firsts.filter(({ chance }) => chance >= limit);
      const right = made.filter(({ example }) => example.isYes).length;
      return `${limit}: ${right}/${made.length} of ${wanted}`;
    });
    console.log(`${kind}: ${figures.join('  ')}`);
  }
};

const examples = await readExamples();
console.log(`${examples.length} pairs, ${examples.filter(({ isYes }) => isYes).length} replaced`);
const judged = judgeFolds(examples, OPTIONS);
printFigures(judged);
if (process.argv.includes('--details'))
  for (const { example, chance } of judged)
    if ((example.isYes && chance < 0.6) || (!example.isYes && chance > 0.6))
      console.log(
        `${example.isYes ? 'missed' : 'wrong'} ${chance.toFixed(2)} [${kindOf(example)}] ${example.later} <- ${example.earlier}`,
      );
if (process.argv.includes('--write')) {
  const file = new URL('../../server/domain/memories/rules/replacing/model.json', import.meta.url);
  writeFileSync(file, `${JSON.stringify(boost(examples, OPTIONS))}\n`);
}

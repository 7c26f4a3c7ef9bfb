// Trains the model that decides if a statement lasts, so that a profile shows it as such, and prints how well it does on groups
// of statements that it was not trained on:
//
//   node scripts/lasting/train.ts [--write | --check] [--details]

import { markOfLasting } from '../source/feature-marks.ts';
import { judgeFolds, type Stage, type Staging, train } from '../source/folds.ts';
import { keepModel } from '../source/kept-model.ts';
import { readStatements, type Statement } from './statements.ts';

const WORDS: Stage<Statement> = { cases: (statements) => [...statements], words: ({ words }) => words };
const STAGING: Staging<Statement> = {
  stages: [WORDS],
  rows: (statements, [evidence = []]) => statements.map(({ row }, at) => [...row, evidence[at] ?? 0]),
  boosting: { trees: 140, depth: 3, rate: 0.1, leastEvidence: 2, shrinkage: 3 },
};
const LIMITS = [0.2, 0.3, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8];
const FILE = new URL(
  '../../server/domain/memories/rules/english/lasting/lasting-model.json',
  import.meta.url,
);

const features = markOfLasting();
const statements = await readStatements();
const lasting = statements.filter(({ isYes }) => isYes).length;
console.log(`${statements.length} statements, ${lasting} last`);
const marked = statements.filter(({ isMarked }) => isMarked);
const markedRight = marked.filter(({ isYes }) => isYes).length;
console.log(`rules alone: ${markedRight} that last, ${marked.length - markedRight} that do not`);
if (process.argv.some((option) => option === '--write' || option === '--check'))
  keepModel(() => ({ ...train(statements, STAGING), features }), FILE);
else {
  const judged = judgeFolds(statements, STAGING);
  for (const limit of LIMITS) {
    const kept = judged.filter(({ chance }) => chance >= limit);
    const right = kept.filter(({ example }) => example.isYes).length;
    console.log(
      `${limit}: ${right} of ${lasting} that last, ${kept.length - right} of ${statements.length - lasting} that do not`,
    );
  }
  if (process.argv.includes('--details'))
    for (const { example, chance } of judged)
      if (example.isYes !== chance >= 0.5)
        console.log(
          `${example.isYes ? 'missed' : 'wrong'} ${chance.toFixed(2)} [${example.group}] ${example.memory}`,
        );
}

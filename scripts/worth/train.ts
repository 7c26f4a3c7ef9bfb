// Trains the model that decides if a sentence deserves a memory where the grammar finds no statement in it, and prints how well
// it does on groups of sentences that it was not trained on:
//
//   node scripts/worth/train.ts [--write] [--details]
import { writeFileSync } from 'node:fs';
import { boost } from '../source/boosting.ts';
import { judgeFolds } from '../source/folds.ts';
import { readSentences } from './sentences.ts';

const OPTIONS = { trees: 120, depth: 3, rate: 0.1, leastEvidence: 2, shrinkage: 3 };
const LIMITS = [0.1, 0.2, 0.3, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95];

const sentences = readSentences();
const worth = sentences.filter(({ isYes }) => isYes).length;
console.log(`${sentences.length} sentences, ${worth} worth a memory`);
const judged = judgeFolds(sentences, OPTIONS);
for (const limit of LIMITS) {
  const kept = judged.filter(({ chance }) => chance >= limit);
  const right = kept.filter(({ example }) => example.isYes).length;
  console.log(
    `${limit}: ${right} of ${worth} worth it, ${kept.length - right} of ${sentences.length - worth} not`,
  );
}
if (process.argv.includes('--details'))
  for (const { example, chance } of judged)
    if (example.isYes ? chance < 0.4 : chance > 0.6)
      console.log(
        `${example.isYes ? 'missed' : 'wrong'} ${chance.toFixed(2)} [${example.group}] ${example.said}`,
      );
if (process.argv.includes('--write')) {
  const file = new URL('../../server/domain/memories/rules/english/gate/worth-model.json', import.meta.url);
  writeFileSync(file, `${JSON.stringify(boost(sentences, OPTIONS))}\n`);
}

// Trains the model that decides if a sentence deserves a memory, and prints how well it does on groups of sentences that it was
// not trained on:
//
//   node scripts/worth/train.ts [--write | --check] [--details]

import { judgeFolds, type Stage, type Staging, train } from '../source/folds.ts';
import { keepModel } from '../source/kept-model.ts';
import { markOfWorth } from './mark.ts';
import { readSentences, type Sentence } from './sentences.ts';

const WORDS: Stage<Sentence> = { cases: (sentences) => [...sentences], words: ({ words }) => words };
const STAGING: Staging<Sentence> = {
  stages: [WORDS],
  rows: (sentences, [evidence = []]) => sentences.map(({ row }, at) => [...row, evidence[at] ?? 0]),
  boosting: { trees: 160, depth: 4, rate: 0.1, leastEvidence: 2, shrinkage: 3 },
};
const LIMITS = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95];

const features = markOfWorth();
const sentences = readSentences();
const worth = sentences.filter(({ isYes }) => isYes).length;
console.log(`${sentences.length} sentences, ${worth} worth a memory`);
if (process.argv.some((option) => option === '--write' || option === '--check'))
  keepModel(
    () => ({ ...train(sentences, STAGING), features }),
    new URL('../../server/domain/memories/rules/english/gate/worth-model.json', import.meta.url),
  );
else {
  const judged = judgeFolds(sentences, STAGING);
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
}

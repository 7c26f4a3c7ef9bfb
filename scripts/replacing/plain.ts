// Prints how well the model of replacement, with its limits, judges the plain worlds, from which it did not learn:
//
//   node scripts/replacing/plain.ts
//
// "Lacking" leaves out the statement that is replaced, as a container may never have held it: then each replacement is wrong.
import {
  type ComparedStatement,
  comparedOf,
} from '../../server/domain/memories/rules/replacing/compared-statement.ts';
import type { Circumstances } from '../../server/domain/memories/rules/replacing/pair-features.ts';
import { replacedBy } from '../../server/domain/memories/rules/replacing/replaced-by.ts';
import { readPlainWorlds } from '../source/worlds.ts';
import type { Comparison, Label, Said } from './comparison.ts';
import { comparisonsOfWorld } from './examples.ts';

type Earlier = ComparedStatement & Circumstances & Label;

const comparedIn = ({ later, canonical, earlier }: Comparison): Earlier[] =>
  earlier.flatMap(([said, label]: readonly [Said, Label]) => {
    const one = said.memory === later.memory ? null : comparedOf(said.fact, canonical);
    return one ? [{ ...one, ...label }] : [];
  });

const figures = (comparisons: readonly Comparison[]): string => {
  const counts = { wanted: 0, made: 0, right: 0, lacking: 0 };
  for (const comparison of comparisons) {
    const later = comparedOf(comparison.later.fact, comparison.canonical);
    if (!later) continue;
    const earlier = comparedIn(comparison);
    const found = replacedBy(later, earlier, comparison.around);
    if (found?.kind === 'updates') counts.made++;
    if (found?.kind === 'updates' && found.earlier.isYes) counts.right++;
    if (!comparison.earlier.some(([, { isYes }]) => isYes)) continue;
    counts.wanted++;
    const others = earlier.filter(({ isYes }) => !isYes);
    if (replacedBy(later, others, comparison.around)?.kind === 'updates') counts.lacking++;
  }
  const { wanted, made, right, lacking } = counts;
  return `${right} of ${made} right, of ${wanted} wanted; lacking: ${lacking} made`;
};

const isLater = ({ earlier }: Comparison): boolean => !earlier.some(([, { isSameTime }]) => isSameTime);
const fileOf = ({ name }: { name: string }): string => name.replace(/ \d+$/, '');

for (const [file, worlds] of Map.groupBy(readPlainWorlds(), fileOf))
  console.log(`${file}: ${figures(worlds.flatMap(comparisonsOfWorld).filter(isLater))}`);

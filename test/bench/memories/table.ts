// The figures of a set as a table, as a whole or by category.
import { type Judged, MEASURES, type Measure, type Share } from './judge.ts';

const sumOf = (judged: readonly Judged[], measure: Measure): Share => ({
  part: judged.reduce((sum, { shares }) => sum + shares[measure].part, 0),
  whole: judged.reduce((sum, { shares }) => sum + shares[measure].whole, 0),
});

const figureOf = (measure: Measure, { part, whole }: Share): string => {
  if (whole === 0) return '-';
  const figure = part / whole;
  return measure === 'memories per fact' ? figure.toFixed(2) : `${(100 * figure).toFixed(1)} %`;
};

const WIDTH = Math.max(...MEASURES.map((measure) => measure.length));
const PLACES = 9;

export function printFigures(judged: readonly Judged[]): void {
  for (const measure of MEASURES) {
    const share = sumOf(judged, measure);
    console.log(
      `${measure.padEnd(WIDTH)}  ${figureOf(measure, share).padStart(PLACES)}  (${share.part} of ${share.whole})`,
    );
  }
}

export function printByCategory(judged: readonly Judged[]): void {
  for (const [category, some] of Map.groupBy(judged, (one) => one.category)) {
    console.log(`\n${category}: ${some.length} scenarios`);
    for (const measure of MEASURES) {
      const share = sumOf(some, measure);
      if (share.whole === 0) continue;
      console.log(
        `  ${measure.padEnd(WIDTH)}  ${figureOf(measure, share).padStart(PLACES)}  (${share.part} of ${share.whole})`,
      );
    }
  }
}

export function printProblems(judged: readonly Judged[]): void {
  for (const { id, problems } of judged)
    if (problems.length > 0) console.log(`\n${id}\n  ${problems.join('\n  ')}`);
}

// Divides texts into steps of a model: they bound the memory and the time of a step.

const MOST_TEXTS_PER_STEP = 32;

/**
 * The places of the texts in each step. Texts of similar length go together, because a step costs its longest text times
 * their number. `lengths`: the number of tokens of each text; `most`: the tokens of one step.
 */
export const stepsByLength = (lengths: readonly number[], most: number): number[][] => {
  const lengthOf = (at: number): number => lengths[at] ?? 0;
  const byLength = lengths.map((_, at) => at).sort((a, b) => lengthOf(a) - lengthOf(b));
  const steps: number[][] = [];
  let step: number[] = [];
  for (const at of byLength) {
    const cost = lengthOf(at) * (step.length + 1);
    if (step.length > 0 && (step.length >= MOST_TEXTS_PER_STEP || cost > most)) {
      steps.push(step);
      step = [];
    }
    step.push(at);
  }
  return step.length > 0 ? [...steps, step] : steps;
};

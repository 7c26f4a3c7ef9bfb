// A sum of small decision trees, as `scripts/replacing/` and `scripts/worth/` train it: each adds a number for the features of a case.

export interface BoostedTrees {
  /** What is added where no tree says anything. */
  readonly bias: number;
  /** Each tree asks so many times. */
  readonly depth: number;
  /** A feature, and the limit up to which a case goes to the left. */
  readonly splits: readonly (readonly number[])[];
  /**
   * Of each tree the place of the split at each inner node, -1 where it ends early, and then thousandths that the leaves add,
   * from left to right. Nodes 2n + 1 and 2n + 2 follow node n.
   */
  readonly trees: readonly (readonly number[])[];
}

const THOUSANDTH = 0.001;

export const treeValue = (
  { depth, splits }: BoostedTrees,
  tree: readonly number[],
  row: readonly number[],
): number => {
  let node = 0;
  for (let asked = 0; asked < depth; asked++) {
    const split = splits[tree[node] as number];
    const isLeft = split === undefined || (row[split[0] as number] ?? 0) <= (split[1] as number);
    node = 2 * node + (isLeft ? 1 : 2);
  }
  return (tree[node] as number) * THOUSANDTH;
};

/** Between 0 and 1. */
export const probabilityBy = (model: BoostedTrees, row: readonly number[]): number => {
  const score = model.trees.reduce((sum, tree) => sum + treeValue(model, tree, row), model.bias);
  return 1 / (1 + Math.exp(-score));
};

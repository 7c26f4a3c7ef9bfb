// A sum of small decision trees, as `scripts/replacing/` trains it: each adds a number for the features of a case.

/** Places 2n + 1 and 2n + 2 follow place n: the first where the feature is at most the limit. */
export interface Tree {
  /** The place of the feature that each inner node asks for; -1 where the tree ends early. */
  readonly features: readonly number[];
  readonly limits: readonly number[];
  /** The numbers of the last row, from left to right. */
  readonly values: readonly number[];
}

export interface BoostedTrees {
  /** What is added where no tree says anything. */
  readonly bias: number;
  readonly trees: readonly Tree[];
}

export const treeValue = ({ features, limits, values }: Tree, row: readonly number[]): number => {
  let node = 0;
  while (node < features.length) {
    const feature = features[node] ?? -1;
    node = 2 * node + (feature < 0 || (row[feature] ?? 0) <= (limits[node] ?? 0) ? 1 : 2);
  }
  return values[node - features.length] ?? 0;
};

/** Between 0 and 1. */
export const probabilityBy = ({ bias, trees }: BoostedTrees, row: readonly number[]): number => {
  const score = trees.reduce((sum, tree) => sum + treeValue(tree, row), bias);
  return 1 / (1 + Math.exp(-score));
};

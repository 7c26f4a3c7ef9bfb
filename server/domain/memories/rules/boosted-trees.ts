// A sum of small decision trees, as `scripts/replacing/` and `scripts/worth/` train it: each adds a number for the features of a case.

export interface BoostedTrees {
  /** The number that the sum begins with, before any tree. */
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

/** The nodes of all trees one after the other, because a walk over them is mostly the wait for memory. */
interface FlatTrees {
  readonly size: number;
  readonly features: Uint16Array;
  /** The limit of an inner node, and the number that a leaf adds. */
  readonly numbers: Float64Array;
}

const flattened = ({ trees, splits }: BoostedTrees): FlatTrees => {
  const size = trees[0]?.length ?? 0;
  const inner = size >> 1;
  const flat = {
    size,
    features: new Uint16Array(size * trees.length),
    numbers: new Float64Array(size * trees.length),
  };
  for (const [at, tree] of trees.entries())
    for (const [node, value] of tree.entries()) {
      const place = at * size + node;
      // Of a tree that ends early, all cases go to the left.
      const [feature = 0, limit = Infinity] = splits[value] ?? [];
      if (node < inner) flat.features[place] = feature;
      flat.numbers[place] = node < inner ? limit : value * THOUSANDTH;
    }
  return flat;
};

const flatTrees = new WeakMap<BoostedTrees, FlatTrees>();

const flatOf = (model: BoostedTrees): FlatTrees => {
  const known = flatTrees.get(model) ?? flattened(model);
  flatTrees.set(model, known);
  return known;
};

/** Between 0 and 1. */
export const probabilityBy = (model: BoostedTrees, row: readonly number[]): number => {
  const { size, features, numbers } = flatOf(model);
  let score = model.bias;
  for (let root = 0; root < numbers.length; root += size) {
    let node = 0;
    for (let asked = 0; asked < model.depth; asked++) {
      const place = root + node;
      const isLeft = (row[features[place] as number] ?? 0) <= (numbers[place] as number);
      node = 2 * node + (isLeft ? 1 : 2);
    }
    score += numbers[root + node] as number;
  }
  return 1 / (1 + Math.exp(-score));
};

// Trains a sum of small decision trees for yes and no: each tree corrects what those before it got wrong. The same cases in the
// same order give the same trees.
import type { BoostedTrees } from '../../server/domain/memories/rules/boosted-trees.ts';

export interface Case {
  readonly row: readonly number[];
  readonly isYes: boolean;
  readonly weight: number;
}

export interface Boosting {
  readonly trees: number;
  readonly depth: number;
  readonly rate: number;
  /** A split must leave this much evidence on each side. */
  readonly leastEvidence: number;
  /** Draws the numbers of a leaf towards 0. */
  readonly shrinkage: number;
}

const BINS = 48;
/** The numbers of leaves are whole thousandths. */
const THOUSAND = 1000;

const withThreeDigits = (value: number): number => Number(value.toPrecision(3));

/** For each feature the numbers of all cases, which is much faster to go through than the rows. */
const columnsOf = (cases: readonly Case[]): Float64Array[] => {
  const columns = (cases[0]?.row ?? []).map(() => new Float64Array(cases.length));
  for (let at = 0; at < cases.length; at++) {
    const { row } = cases[at] as Case;
    for (let feature = 0; feature < columns.length; feature++)
      (columns[feature] as Float64Array)[at] = row[feature] ?? 0;
  }
  return columns;
};

/** The limits that a split by a feature may use: about as many values lie between one and the next. */
const limitsOf = (column: Float64Array): number[] => {
  const sorted = column.toSorted();
  const values: number[] = [];
  for (let at = 0; at < sorted.length; at++)
    if (at === 0 || sorted[at] !== sorted[at - 1]) values.push(sorted[at] as number);
  const chosen =
    values.length <= BINS
      ? values
      : Array.from({ length: BINS }, (_, at) => sorted[Math.floor((at * sorted.length) / BINS)] ?? 0);
  const limits = [...new Set(chosen.map(withThreeDigits))].sort((a, b) => a - b);
  return limits.filter((limit) => limit >= (values[0] ?? 0) && limit < (values.at(-1) ?? 0));
};

/** The place of the first limit that is not below the value. */
const placeAmong = (value: number, limits: readonly number[]): number => {
  let [from, to] = [0, limits.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (value <= (limits[middle] as number)) to = middle;
    else from = middle + 1;
  }
  return from;
};

interface Training {
  /** For each feature, the place of each case among its limits. */
  readonly bins: readonly Uint8Array[];
  readonly limits: readonly (readonly number[])[];
  readonly options: Boosting;
  readonly first: Float64Array;
  readonly second: Float64Array;
}

interface Split {
  readonly feature: number;
  readonly place: number;
  readonly gain: number;
}

/** For each feature that a tree sees: the sums of both slopes at each place among its limits, in turns. */
type Sums = readonly Float64Array[];

const gathered = (slopes: Float64Array, members: Int32Array): Float64Array => {
  const own = new Float64Array(members.length);
  for (let at = 0; at < members.length; at++) own[at] = slopes[members[at] as number] as number;
  return own;
};

const sumsOf = (
  members: Int32Array,
  features: readonly number[],
  { bins, limits, first, second }: Training,
): Sums => {
  const [ones, twos] = [gathered(first, members), gathered(second, members)];
  return features.map((feature) => {
    const sums = new Float64Array(2 * ((limits[feature]?.length ?? 0) + 1));
    const places = bins[feature] as Uint8Array;
    for (let at = 0; at < members.length; at++) {
      const place = 2 * (places[members[at] as number] as number);
      (sums[place] as number) += ones[at] as number;
      (sums[place + 1] as number) += twos[at] as number;
    }
    return sums;
  });
};

/** The sums of the other side of a split. */
const without = (all: Sums, some: Sums): Sums =>
  all.map((sums, at) => sums.map((sum, place) => sum - (some[at]?.[place] ?? 0)));

const bestOfFeature = (feature: number, sums: Float64Array, options: Boosting): Split | null => {
  let [allOnes, allTwos] = [0, 0];
  for (let at = 0; at < sums.length; at += 2) {
    allOnes += sums[at] as number;
    allTwos += sums[at + 1] as number;
  }
  const worth = (one: number, two: number): number => (one * one) / (two + options.shrinkage);
  const whole = worth(allOnes, allTwos);
  let best: Split | null = null;
  let [left, leftTwo] = [0, 0];
  for (let place = 0; 2 * place < sums.length - 2; place++) {
    left += sums[2 * place] as number;
    leftTwo += sums[2 * place + 1] as number;
    if (leftTwo < options.leastEvidence || allTwos - leftTwo < options.leastEvidence) continue;
    const gain = worth(left, leftTwo) + worth(allOnes - left, allTwos - leftTwo) - whole;
    if (gain > (best?.gain ?? 1e-6)) best = { feature, place, gain };
  }
  return best;
};

/** Mixes two numbers, so that a choice by the result looks like one at random. */
const draw = (place: number, at: number): number => {
  const mixed = Math.imul(Math.imul(place + 1, 2654435761) ^ Math.imul(at + 1, 40503), 2246822519);
  return (mixed ^ (mixed >>> 15)) >>> 3;
};

/** Each tree sees other features and other cases, half of them, which makes trees differ and is faster. */
const isSeen = (place: number, at: number): boolean => draw(place, at) % 2 === 0;
const FEATURES = 7919;

const bestSplit = (sums: Sums, features: readonly number[], options: Boosting): Split | null => {
  let best: Split | null = null;
  for (const [at, feature] of features.entries()) {
    const split = bestOfFeature(feature, sums[at] as Float64Array, options);
    if (split && split.gain > (best?.gain ?? 0)) best = split;
  }
  return best;
};

const leafValue = (members: Int32Array, { first, second, options }: Training): number => {
  let [one, two] = [0, 0];
  for (const member of members) {
    one += first[member] as number;
    two += second[member] as number;
  }
  return Math.round((THOUSAND * -options.rate * one) / (two + options.shrinkage));
};

const NONE = new Int32Array(0);

interface Node {
  readonly members: Int32Array;
  /** Null where nothing is split any more. */
  readonly sums: Sums | null;
}

/** Both sides of a split; only the smaller one is summed up. */
const parted = (
  { members, sums }: Node,
  { feature, place }: Split,
  sumUp: ((members: Int32Array) => Sums) | null,
  { bins }: Training,
): Node[] => {
  const places = bins[feature] as Uint8Array;
  const left = members.filter((member) => (places[member] as number) <= place);
  const right = members.filter((member) => (places[member] as number) > place);
  if (sumUp === null || sums === null) return [left, right].map((some) => ({ members: some, sums: null }));
  const isLeftLess = left.length < right.length;
  const less = sumUp(isLeftLess ? left : right);
  const more = without(sums, less);
  return [
    { members: left, sums: isLeftLess ? less : more },
    { members: right, sums: isLeftLess ? more : less },
  ];
};

/** The places of the splits in the list of all splits, and the numbers of the leaves. */
const growTree = (chosen: Int32Array, at: number, training: Training, splitAt: (split: Split) => number) => {
  const { limits, options } = training;
  const features = [...limits.keys()].filter(
    (feature) => isSeen(feature, at + FEATURES) && (limits[feature]?.length ?? 0) > 0,
  );
  const sumUp = (members: Int32Array): Sums => sumsOf(members, features, training);
  const inner = 2 ** options.depth - 1;
  const tree: number[] = [];
  const nodes: Node[] = [{ members: chosen, sums: sumUp(chosen) }];
  for (let place = 0; place < inner; place++) {
    const node = nodes[place] as Node;
    const split = node.sums && bestSplit(node.sums, features, options);
    tree.push(split === null ? -1 : splitAt(split));
    const isLast = 2 * place + 1 >= inner;
    nodes.push(
      ...(split === null
        ? [
            { members: node.members, sums: null },
            { members: NONE, sums: null },
          ]
        : parted(node, split, isLast ? null : sumUp, training)),
    );
  }
  return [...tree, ...nodes.slice(inner).map(({ members }) => leafValue(members, training))];
};

interface SplitList {
  readonly all: (readonly number[])[];
  /** The same by the places of their limits. */
  readonly own: Split[];
  readonly placeOf: (split: Split) => number;
}

/** The splits that any tree uses, each once. */
const createSplitList = (limits: Training['limits']): SplitList => {
  const all: (readonly number[])[] = [];
  const own: Split[] = [];
  const places = new Map<string, number>();
  return {
    all,
    own,
    placeOf(split) {
      const { feature, place } = split;
      const key = `${feature} ${place}`;
      const known = places.get(key) ?? all.length;
      if (known === all.length) {
        all.push([feature, limits[feature]?.[place] ?? 0]);
        own.push(split);
      }
      places.set(key, known);
      return known;
    },
  };
};

const THOUSANDTH = 0.001;

/** Adds what a tree says of each case. */
const addValues = (
  scores: Float64Array,
  tree: readonly number[],
  { own }: SplitList,
  { bins, options }: Training,
): void => {
  const walk = tree.map((split) => {
    const { feature, place } = own[split] ?? { feature: 0, place: 255 };
    return { places: bins[feature] as Uint8Array, place };
  });
  for (let at = 0; at < scores.length; at++) {
    let node = 0;
    for (let asked = 0; asked < options.depth; asked++) {
      const { places, place } = walk[node] as (typeof walk)[number];
      node = 2 * node + ((places[at] as number) <= place ? 1 : 2);
    }
    (scores[at] as number) += (tree[node] as number) * THOUSANDTH;
  }
};

const startingScore = (cases: readonly Case[]): number => {
  const all = cases.reduce((sum, { weight }) => sum + weight, 0);
  const yes = cases.reduce((sum, { weight, isYes }) => sum + (isYes ? weight : 0), 0);
  return withThreeDigits(Math.log(yes / (all - yes)));
};

export const boost = (cases: readonly Case[], options: Boosting): BoostedTrees => {
  const columns = columnsOf(cases);
  const limits = columns.map(limitsOf);
  const bins = columns.map((column, feature) => {
    const [own, places] = [limits[feature] as number[], new Uint8Array(column.length)];
    for (let at = 0; at < column.length; at++) places[at] = placeAmong(column[at] as number, own);
    return places;
  });
  const bias = startingScore(cases);
  const scores = new Float64Array(cases.length).fill(bias);
  const splits = createSplitList(limits);
  const everyCase = Int32Array.from(cases.keys());
  const trees: number[][] = [];
  const model = { bias, depth: options.depth, splits: splits.all, trees };
  const training = {
    ...{ bins, limits, options },
    ...{ first: new Float64Array(cases.length), second: new Float64Array(cases.length) },
  };
  for (let at = 0; at < options.trees; at++) {
    for (let place = 0; place < cases.length; place++) {
      const { isYes, weight } = cases[place] as Case;
      const chance = 1 / (1 + Math.exp(-(scores[place] as number)));
      training.first[place] = weight * (chance - Number(isYes));
      training.second[place] = weight * Math.max(1e-6, chance * (1 - chance));
    }
    const seen = everyCase.filter((place) => isSeen(place, at));
    const tree = growTree(seen, at, training, splits.placeOf);
    trees.push(tree);
    addValues(scores, tree, splits, training);
  }
  return model;
};

// Trains a sum of small decision trees for yes and no: each tree corrects what those before it got wrong. The same cases in the
// same order give the same trees.
import { type BoostedTrees, treeValue } from '../../server/domain/memories/rules/boosted-trees.ts';

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

/** For each feature, the limits that a split may use: about as many values lie between one and the next. */
const limitsOf = (cases: readonly Case[], features: number): number[][] =>
  Array.from({ length: features }, (_, feature) => {
    const sorted = cases.map(({ row }) => row[feature] ?? 0).sort((a, b) => a - b);
    const values = [...new Set(sorted)];
    const chosen =
      values.length <= BINS
        ? values
        : Array.from({ length: BINS }, (_bin, at) => sorted[Math.floor((at * sorted.length) / BINS)] ?? 0);
    const limits = [...new Set(chosen.map(withThreeDigits))].sort((a, b) => a - b);
    return limits.filter((limit) => limit >= (values[0] ?? 0) && limit < (values.at(-1) ?? 0));
  });

const placeAmong = (value: number, limits: readonly number[]): number => {
  const at = limits.findIndex((limit) => value <= limit);
  return at < 0 ? limits.length : at;
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

const sumsOf = (
  members: Int32Array,
  features: readonly number[],
  { bins, limits, first, second }: Training,
): Sums =>
  features.map((feature) => {
    const sums = new Float64Array(2 * ((limits[feature]?.length ?? 0) + 1));
    const places = bins[feature] as Uint8Array;
    for (const member of members) {
      const place = 2 * (places[member] as number);
      (sums[place] as number) += first[member] as number;
      (sums[place + 1] as number) += second[member] as number;
    }
    return sums;
  });

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
  readonly placeOf: (split: Split) => number;
}

/** The splits that any tree uses, each once. */
const createSplitList = (limits: Training['limits']): SplitList => {
  const all: (readonly number[])[] = [];
  const places = new Map<string, number>();
  return {
    all,
    placeOf({ feature, place }) {
      const key = `${feature} ${place}`;
      const known = places.get(key) ?? all.length;
      if (known === all.length) all.push([feature, limits[feature]?.[place] ?? 0]);
      places.set(key, known);
      return known;
    },
  };
};

const startingScore = (cases: readonly Case[]): number => {
  const all = cases.reduce((sum, { weight }) => sum + weight, 0);
  const yes = cases.reduce((sum, { weight, isYes }) => sum + (isYes ? weight : 0), 0);
  return withThreeDigits(Math.log(yes / (all - yes)));
};

export const boost = (cases: readonly Case[], options: Boosting): BoostedTrees => {
  const rows = cases.map(({ row }) => row);
  const limits = limitsOf(cases, rows[0]?.length ?? 0);
  const bins = limits.map((own, feature) =>
    Uint8Array.from(rows, (row) => placeAmong(row[feature] ?? 0, own)),
  );
  const bias = startingScore(cases);
  const scores = new Float64Array(cases.length).fill(bias);
  const splits = createSplitList(limits);
  const everyCase = Int32Array.from(rows, (_row, place) => place);
  const trees: number[][] = [];
  const model = { bias, depth: options.depth, splits: splits.all, trees };
  const training = {
    ...{ bins, limits, options },
    ...{ first: new Float64Array(cases.length), second: new Float64Array(cases.length) },
  };
  for (let at = 0; at < options.trees; at++) {
    for (const [place, { isYes, weight }] of cases.entries()) {
      const chance = 1 / (1 + Math.exp(-(scores[place] as number)));
      training.first[place] = weight * (chance - Number(isYes));
      training.second[place] = weight * Math.max(1e-6, chance * (1 - chance));
    }
    const seen = everyCase.filter((place) => isSeen(place, at));
    const tree = growTree(seen, at, training, splits.placeOf);
    trees.push(tree);
    for (const [place, row] of rows.entries()) (scores[place] as number) += treeValue(model, tree, row);
  }
  return model;
};

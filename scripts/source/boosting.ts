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

const shortened = (value: number): number => Number(value.toPrecision(3));

/** For each feature, the limits that a split may use: about as many values lie between one and the next. */
const limitsOf = (cases: readonly Case[], features: number): number[][] =>
  Array.from({ length: features }, (_, feature) => {
    const sorted = cases.map(({ row }) => row[feature] ?? 0).sort((a, b) => a - b);
    const values = [...new Set(sorted)];
    const chosen =
      values.length <= BINS
        ? values
        : Array.from({ length: BINS }, (_bin, at) => sorted[Math.floor((at * sorted.length) / BINS)] ?? 0);
    const limits = [...new Set(chosen.map(shortened))].sort((a, b) => a - b);
    return limits.filter((limit) => limit >= (values[0] ?? 0) && limit < (values.at(-1) ?? 0));
  });

const placeOf = (value: number, limits: readonly number[]): number => {
  const at = limits.findIndex((limit) => value <= limit);
  return at < 0 ? limits.length : at;
};

interface Training {
  /** Of each feature, the place of each case among its limits. */
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

const bestOfFeature = (feature: number, members: Int32Array, training: Training): Split | null => {
  const { bins, limits, options, first, second } = training;
  const size = limits[feature]?.length ?? 0;
  if (size === 0) return null;
  const [ones, twos] = [new Float64Array(size + 1), new Float64Array(size + 1)];
  const places = bins[feature] as Uint8Array;
  for (const member of members) {
    const place = places[member] as number;
    (ones[place] as number) += first[member] as number;
    (twos[place] as number) += second[member] as number;
  }
  const allOnes = ones.reduce((sum, one) => sum + one, 0);
  const allTwos = twos.reduce((sum, two) => sum + two, 0);
  const worth = (one: number, two: number): number => (one * one) / (two + options.shrinkage);
  const whole = worth(allOnes, allTwos);
  let best: Split | null = null;
  let [left, leftTwo] = [0, 0];
  for (let place = 0; place < size; place++) {
    left += ones[place] as number;
    leftTwo += twos[place] as number;
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

const bestSplit = (members: Int32Array, at: number, training: Training): Split | null => {
  let best: Split | null = null;
  for (const feature of training.limits.keys()) {
    if (!isSeen(feature, at + FEATURES)) continue;
    const split = bestOfFeature(feature, members, training);
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

/** The places of the splits in the list of all splits, and the numbers of the leaves. */
const growTree = (chosen: Int32Array, at: number, training: Training, splitAt: (split: Split) => number) => {
  const { depth } = training.options;
  const inner = 2 ** depth - 1;
  const tree: number[] = [];
  const members: Int32Array[] = [chosen];
  for (let node = 0; node < inner; node++) {
    const here = members[node] ?? NONE;
    const split = here.length > 0 ? bestSplit(here, at, training) : null;
    tree.push(split === null ? -1 : splitAt(split));
    const places = split ? (training.bins[split.feature] as Uint8Array) : null;
    const isLeft = (member: number): boolean =>
      places === null || (places[member] as number) <= (split?.place ?? 0);
    members.push(here.filter(isLeft), places === null ? NONE : here.filter((member) => !isLeft(member)));
  }
  return [...tree, ...members.slice(inner).map((here) => leafValue(here, training))];
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
  return shortened(Math.log(yes / (all - yes)));
};

export const boost = (cases: readonly Case[], options: Boosting): BoostedTrees => {
  const rows = cases.map(({ row }) => row);
  const limits = limitsOf(cases, rows[0]?.length ?? 0);
  const bins = limits.map((own, feature) => Uint8Array.from(rows, (row) => placeOf(row[feature] ?? 0, own)));
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

// Trains a sum of small decision trees for yes and no: each tree corrects what those before it got wrong.
import { type BoostedTrees, type Tree, treeValue } from '../../server/domain/memories/rules/boosted-trees.ts';

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

/** For each feature, the limits that a split may use. */
const limitsOf = (cases: readonly Case[], features: number): number[][] =>
  Array.from({ length: features }, (_, feature) => {
    const values = [...new Set(cases.map(({ row }) => row[feature] ?? 0))].sort((a, b) => a - b);
    const step = Math.max(1, Math.ceil(values.length / BINS));
    return values.slice(0, -1).filter((_value, at) => at % step === 0);
  });

interface Slopes {
  readonly first: Float64Array;
  readonly second: Float64Array;
}

interface Split {
  readonly feature: number;
  readonly limit: number;
  readonly gain: number;
}

interface Training {
  readonly bins: readonly Uint8Array[];
  readonly limits: readonly (readonly number[])[];
  readonly options: Boosting;
}

const bestOfFeature = (
  feature: number,
  members: readonly number[],
  { first, second }: Slopes,
  { bins, limits, options }: Training,
): Split | null => {
  const own = limits[feature] ?? [];
  if (own.length === 0) return null;
  const [ones, twos] = [new Float64Array(own.length + 1), new Float64Array(own.length + 1)];
  const places = bins[feature] as Uint8Array;
  let [allOnes, allTwos] = [0, 0];
  for (const member of members) {
    const place = places[member] as number;
    const [one, two] = [first[member] as number, second[member] as number];
    (ones[place] as number) += one;
    (twos[place] as number) += two;
    allOnes += one;
    allTwos += two;
  }
  const worth = (one: number, two: number): number => (one * one) / (two + options.shrinkage);
  let best: Split | null = null;
  let [left, leftTwo] = [0, 0];
  for (const [at, limit] of own.entries()) {
    left += ones[at] as number;
    leftTwo += twos[at] as number;
    if (leftTwo < options.leastEvidence || allTwos - leftTwo < options.leastEvidence) continue;
    const gain = worth(left, leftTwo) + worth(allOnes - left, allTwos - leftTwo) - worth(allOnes, allTwos);
    if (gain > (best?.gain ?? 1e-6)) best = { feature, limit, gain };
  }
  return best;
};

const bestSplit = (members: readonly number[], slopes: Slopes, training: Training): Split | null => {
  let best: Split | null = null;
  for (const feature of training.limits.keys()) {
    const split = bestOfFeature(feature, members, slopes, training);
    if (split && split.gain > (best?.gain ?? 0)) best = split;
  }
  return best;
};

/** Each tree sees another half of the cases, which makes them differ and is faster. */
const halfOf = (cases: number, at: number): number[] =>
  Array.from({ length: cases }, (_, place) => place).filter(
    (place) => ((Math.imul(place + 1, 2654435761) ^ Math.imul(at + 1, 40503)) >>> 7) % 2 === 0,
  );

const growTree = (
  rows: readonly (readonly number[])[],
  chosen: number[],
  slopes: Slopes,
  training: Training,
): Tree => {
  const { depth, rate, shrinkage } = training.options;
  const inner = 2 ** depth - 1;
  const features: number[] = Array(inner).fill(-1);
  const limits: number[] = Array(inner).fill(0);
  const values: number[] = Array(2 ** depth).fill(0);
  const members = new Map<number, number[]>([[0, chosen]]);
  for (let node = 0; node < inner; node++) {
    const here = members.get(node) ?? [];
    const split = here.length > 0 ? bestSplit(here, slopes, training) : null;
    if (split === null) {
      members.set(2 * node + 1, here);
      continue;
    }
    features[node] = split.feature;
    limits[node] = split.limit;
    const isLeft = (member: number): boolean => (rows[member]?.[split.feature] ?? 0) <= split.limit;
    members.set(2 * node + 1, here.filter(isLeft));
    members.set(
      2 * node + 2,
      here.filter((member) => !isLeft(member)),
    );
  }
  for (let leaf = 0; leaf < values.length; leaf++) {
    const here = members.get(inner + leaf) ?? [];
    const one = here.reduce((sum, member) => sum + (slopes.first[member] ?? 0), 0);
    const two = here.reduce((sum, member) => sum + (slopes.second[member] ?? 0), 0);
    values[leaf] = here.length === 0 ? 0 : (-rate * one) / (two + shrinkage);
  }
  return { features, limits, values };
};

const rounded = (value: number): number => Math.round(value * 1e4) / 1e4;

const shortened = ({ features, limits, values }: Tree): Tree => ({
  features,
  limits: limits.map((limit, at) => ((features[at] ?? -1) < 0 ? 0 : limit)),
  values: values.map(rounded),
});

export const boost = (cases: readonly Case[], options: Boosting): BoostedTrees => {
  const rows = cases.map(({ row }) => row);
  const limits = limitsOf(cases, rows[0]?.length ?? 0);
  const bins = limits.map((own, feature) =>
    Uint8Array.from(rows, (row) => {
      const at = own.findIndex((limit) => (row[feature] ?? 0) <= limit);
      return at < 0 ? own.length : at;
    }),
  );
  const all = cases.reduce((sum, { weight }) => sum + weight, 0);
  const yes = cases.reduce((sum, { weight, isYes }) => sum + (isYes ? weight : 0), 0);
  const bias = rounded(Math.log(yes / (all - yes)));
  const scores = new Float64Array(cases.length).fill(bias);
  const trees: Tree[] = [];
  for (let at = 0; at < options.trees; at++) {
    const slopes = { first: new Float64Array(cases.length), second: new Float64Array(cases.length) };
    for (const [place, { isYes, weight }] of cases.entries()) {
      const chance = 1 / (1 + Math.exp(-(scores[place] as number)));
      slopes.first[place] = weight * (chance - Number(isYes));
      slopes.second[place] = weight * Math.max(1e-6, chance * (1 - chance));
    }
    const tree = shortened(growTree(rows, halfOf(rows.length, at), slopes, { bins, limits, options }));
    trees.push(tree);
    for (const [place, row] of rows.entries()) (scores[place] as number) += treeValue(tree, row);
  }
  return { bias, trees };
};

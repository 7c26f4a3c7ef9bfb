// A logistic curve over one number, and its fit to labelled examples.
import type { Curve } from '../../../adapters/store/ports/spaces.ts';

export const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));

export const logit = (p: number): number => Math.log(p / (1 - p));

export const onCurve = ({ slope, middle }: Curve, value: number): number => sigmoid(slope * (value - middle));

interface LabelledExample {
  value: number;
  /** The wanted value of the curve: not quite 0 or 1, so that separable examples have a finite fit. */
  target: number;
  weight: number;
}

const MOST_STEPS = 50;
const SMALLEST_STEP = 1e-9;
/** Keeps a step finite where the curve separates all examples. */
const RIDGE = 1e-6;

/** One step of Newton's method for sigmoid(a + b × value). */
const newtonStep = (examples: readonly LabelledExample[], a: number, b: number): [number, number] => {
  let [da, db, aa, ab, bb] = [0, 0, RIDGE, 0, RIDGE];
  for (const { value, target, weight } of examples) {
    const p = sigmoid(a + b * value);
    const error = weight * (target - p);
    const curvature = weight * p * (1 - p);
    da += error;
    db += error * value;
    aa += curvature;
    ab += curvature * value;
    bb += curvature * value * value;
  }
  const determinant = aa * bb - ab * ab;
  return [(da * bb - db * ab) / determinant, (db * aa - da * ab) / determinant];
};

/** The curve through related (high) and unrelated (low) values, both kinds weighing the same (Platt's targets). */
export const fitCurve = (related: readonly number[], unrelated: readonly number[]): Curve => {
  const high = (related.length + 1) / (related.length + 2);
  const low = 1 / (unrelated.length + 2);
  const examples = [
    ...related.map((value) => ({ value, target: high, weight: 1 / related.length })),
    ...unrelated.map((value) => ({ value, target: low, weight: 1 / unrelated.length })),
  ];
  let [a, b] = [0, 0];
  for (let count = 0; count < MOST_STEPS; count++) {
    const [da, db] = newtonStep(examples, a, b);
    a += da;
    b += db;
    if (Math.abs(da) + Math.abs(db) < SMALLEST_STEP) break;
  }
  return { slope: b, middle: -a / b };
};

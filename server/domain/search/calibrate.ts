// Fits an embedder once, at warm-up: which cosine means "about the same thing" in its space.

import type { Embedder, Passage, SpaceName } from '../../adapters/embed/port.ts';
import type { Calibration } from '../../adapters/store/port.ts';
import { IngestError } from '../../errors.ts';
import { analyse } from '../../lib/text/analyse.ts';
import { CALIBRATION_CASES, type CalibrationCase } from './calibration-pairs.ts';
import { type Curve, fitCurve } from './logistic.ts';
import { rarityOf } from './rarity.ts';

/** Of the related passages, those that a search would have shown: what is not found needs no similarity. */
const FOUND_AMONG = 5;
/** Below this a space cannot tell related from unrelated and every similarity in it would be noise. */
const FEWEST_FOUND = 10;

const passagesOf = ({ related, unrelated }: CalibrationCase): string[] => [related, ...unrelated];
const PASSAGES_PER_CASE = 3;

const alone = (text: string): Passage => ({ text, previous: [], next: [] });

const NEIGHBOURS = 2;

/** The same passages as turns of conversations, between remarks from other cases that have nothing to do with them. */
function inContext(
  texts: readonly string[],
  remarks: readonly string[],
  context: Embedder['context'],
): Passage[] {
  const remark = (at: number) => remarks[at % remarks.length] ?? '';
  const near = (at: number, step: number) =>
    Array.from({ length: NEIGHBOURS }, (_, distance) => remark(at * 7 + step * (distance + 1)));
  return texts.map((text, at) => ({
    text,
    previous: near(at, 11),
    next: context === 'both' ? near(at, 17) : [],
  }));
}

async function embedAll(
  embedder: Embedder,
  passages: readonly Passage[],
  signal?: AbortSignal,
): Promise<Float32Array[]> {
  const vectors: Float32Array[] = [];
  const size = embedder.limits.passagesPerCall;
  for (let at = 0; at < passages.length; at += size) {
    vectors.push(...(await embedder.embed(passages.slice(at, at + size), signal)));
  }
  return vectors;
}

async function embedQuestions(
  embedder: Embedder,
  questions: readonly string[],
  weigh: (term: string) => number,
  signal?: AbortSignal,
): Promise<Float32Array[]> {
  const vectors: Float32Array[] = [];
  const size = Math.max(1, embedder.limits.parallelCalls);
  for (let at = 0; at < questions.length; at += size) {
    const slice = questions.slice(at, at + size);
    vectors.push(...(await Promise.all(slice.map((text) => embedder.embedQuery(text, weigh, signal)))));
  }
  return vectors;
}

/** The passages as one container, for embedders that want to know what is rare in it. */
function weighIn(texts: readonly string[]): (term: string) => number {
  const frequencies = new Map<string, number>();
  for (const text of texts)
    for (const term of new Set(analyse(text))) frequencies.set(term, (frequencies.get(term) ?? 0) + 1);
  return (term) => rarityOf(term, frequencies.get(term) ?? 0, texts.length);
}

function cosine(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += (a[at] ?? 0) * (b[at] ?? 0);
  return sum;
}

export interface Labelled {
  related: number[];
  unrelated: number[];
}

/**
 * From each question's value for every passage: its own passage's value if it is among the best, and the best value of
 * any other, because a search for nothing in the store brings up the nearest of many, not one at random.
 */
export function labelled(values: readonly (readonly number[])[]): Labelled {
  const found: Labelled = { related: [], unrelated: [] };
  for (const [question, row] of values.entries()) {
    const own = row[question * PASSAGES_PER_CASE] ?? 0;
    const others = row.toSpliced(question * PASSAGES_PER_CASE, 1);
    if (own > 0 && others.filter((other) => other > own).length < FOUND_AMONG) found.related.push(own);
    found.unrelated.push(Math.max(...others));
  }
  return found;
}

function fitted({ related, unrelated }: Labelled, { embedder, model }: SpaceName): Curve {
  const curve = related.length < FEWEST_FOUND ? null : fitCurve(related, unrelated);
  if (curve !== null && curve.slope > 0) return curve;
  throw new IngestError(
    'embedding_useless',
    `The embedder ${embedder} (${model}) does not tell related texts from unrelated ones, so nothing can be found by ` +
      'meaning with it. Choose another embedding model.',
  );
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** An embedder that keeps related and unrelated wider apart (in steps of the logit) is trusted more beside the words. */
const TRUST = 0.1;
const LEAST_WEIGHT = 0.05;
const MOST_WEIGHT = 1;
/**
 * Vectors of hashed words know no word that the words themselves do not: whatever the built-in questions say of them, more
 * only blurs. Measured (docs/decisions/0005-weight-of-meaning.md).
 */
const MOST_WITHOUT_MODEL = 0.2;

function weightOf(curve: Curve, { related, unrelated }: Labelled, { embedder }: SpaceName): number {
  const most = embedder === 'builtin' ? MOST_WITHOUT_MODEL : MOST_WEIGHT;
  const trust = TRUST * curve.slope * (mean(related) - mean(unrelated));
  return Math.min(most, Math.max(LEAST_WEIGHT, trust));
}

/** Slope and middle of `relevance = 1 / (1 + e^(−slope × (cosine − middle)))` for this embedder, alone and in context. */
export async function fitCalibration(embedder: Embedder, signal?: AbortSignal): Promise<Calibration> {
  const texts = CALIBRATION_CASES.flatMap(passagesOf);
  const remarks = CALIBRATION_CASES.flatMap(({ unrelated }) => unrelated);
  const asked = CALIBRATION_CASES.map(({ question }) => question);
  const questions = await embedQuestions(embedder, asked, weighIn(texts), signal);
  const compare = async (passages: readonly Passage[]): Promise<Labelled> => {
    const vectors = await embedAll(embedder, passages, signal);
    return labelled(questions.map((question) => vectors.map((vector) => cosine(question, vector))));
  };
  const apart = await compare(texts.map(alone));
  const together = await compare(inContext(texts, remarks, embedder.context));
  const curve = fitted(apart, embedder.space);
  return {
    ...curve,
    inContext: fitted(together, embedder.space),
    weight: weightOf(curve, apart, embedder.space),
  };
}

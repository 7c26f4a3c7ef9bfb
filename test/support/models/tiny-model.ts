// A tiny embedding model that a test builds: words of one group mean the same, and every other word means itself.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hash32 } from '../../../server/lib/hash.ts';
import { type EmbeddingRow, type RunnableRow, runnableRow } from '../../../server/lib/models/model-row.ts';
import { STOP_WORDS } from '../../../server/lib/text/language/stop-words.ts';
import { FLOAT, INT64, onnxFile, tokenInput } from './onnx-file.ts';
import { piecesOf, tokenizerFile, UNKNOWN } from './tokenizer-file.ts';

const DIMENSIONS = 64;

/** The first word of a group gives its direction. */
const SAME_MEANING: readonly (readonly string[])[] = [
  ['food', 'eat', 'peanuts', 'meal'],
  ['avoid', 'allergic'],
  ['vehicle', 'car', 'toyota'],
  ['drive', 'owns'],
  ['work', 'office', 'job'],
];

const groupOf = (word: string): string => SAME_MEANING.find((group) => group.includes(word))?.[0] ?? word;

const OF_STOP_WORDS = 0.05;

/** The same direction for the same word on every machine. */
const directionOf = (word: string): number[] => {
  const seed = groupOf(word);
  const length = STOP_WORDS.has(word) ? OF_STOP_WORDS : 1;
  return Array.from({ length: DIMENSIONS }, (_, at) => length * (hash32(`${seed} ${at}`) / 2 ** 31 - 1));
};

export const tinyRow = (more: Partial<EmbeddingRow> = {}): RunnableRow =>
  runnableRow.parse({
    name: 'tiny',
    kind: 'transformer',
    hub: 'memoir/tiny',
    files: { weights: 'onnx/model_quantized.onnx' },
    dimensions: DIMENSIONS,
    mostTokens: 256,
    languages: 'those of the tests',
    licence: 'Apache-2.0',
    megabytes: 1,
    use: 'For tests.',
    ...more,
  });

export interface TinyFiles {
  readonly weights: Buffer;
  readonly tokenizer: Buffer;
}

/** Each token has a vector, and nothing is computed. */
const weightsOf = (vectors: Float32Array, tokens: number): Buffer =>
  onnxFile({
    nodes: [
      { kind: 'Gather', inputs: ['vectors', 'input_ids'], output: 'last_hidden_state' },
      { kind: 'Identity', inputs: ['attention_mask'], output: 'mask' },
    ],
    tensors: [{ name: 'vectors', dims: [tokens, DIMENSIONS], values: vectors }],
    inputs: [tokenInput('input_ids'), tokenInput('attention_mask')],
    outputs: [
      { name: 'last_hidden_state', kind: FLOAT, dims: ['batch', 'length', DIMENSIONS] },
      { name: 'mask', kind: INT64, dims: ['batch', 'length'] },
    ],
  });

/** `texts`: the model knows their words and letters. */
export const tinyFiles = (texts: readonly string[]): TinyFiles => {
  const pieces = [UNKNOWN, ...piecesOf([...texts, ...SAME_MEANING.flat()])];
  const vectors = new Float32Array(
    pieces.flatMap((piece) =>
      piece === UNKNOWN ? new Array<number>(DIMENSIONS).fill(0) : directionOf(piece),
    ),
  );
  return {
    weights: weightsOf(vectors, pieces.length),
    tokenizer: tokenizerFile({ pieces, marks: [], postProcessor: null }),
  };
};

export const writeModelFiles = (
  folder: string,
  row: RunnableRow,
  { weights, tokenizer }: TinyFiles,
): void => {
  mkdirSync(join(folder, 'onnx'), { recursive: true });
  writeFileSync(join(folder, row.files.weights), weights);
  writeFileSync(join(folder, row.files.tokenizer), tokenizer);
};

/** Writes the files as they lie in a repository of a hub. */
export const writeTinyModel = (folder: string, texts: readonly string[], row = tinyRow()): void =>
  writeModelFiles(folder, row, tinyFiles(texts));

/** Writes the list of the owner. */
export const describeModel = (folder: string, ...rows: readonly RunnableRow[]): void => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'own.json'), JSON.stringify(rows));
};

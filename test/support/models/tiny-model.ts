// A tiny embedding model that a test builds: words of one group mean the same, and every other word means itself.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hash32 } from '../../../server/lib/hash.ts';
import { type ModelRow, modelRow } from '../../../server/lib/models/model-row.ts';
import { STOP_WORDS } from '../../../server/lib/text/stop-words.ts';
import { onnxFile } from './onnx-file.ts';

const DIMENSIONS = 64;
const UNKNOWN = '[UNK]';

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

const piecesOf = (texts: readonly string[]): string[] => {
  const plain = texts.join(' ').normalize('NFC').toLowerCase();
  const words = plain.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const letters = [...new Set(plain.replace(/\s/g, ''))];
  return [...new Set([...words, ...letters, ...letters.map((letter) => `##${letter}`)])];
};

const tokenizerOf = (pieces: readonly string[]): object => ({
  version: '1.0',
  truncation: null,
  padding: null,
  added_tokens: [],
  normalizer: {
    type: 'BertNormalizer',
    clean_text: true,
    handle_chinese_chars: true,
    strip_accents: false,
    lowercase: true,
  },
  pre_tokenizer: { type: 'BertPreTokenizer' },
  post_processor: null,
  decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
  model: {
    type: 'WordPiece',
    unk_token: UNKNOWN,
    continuing_subword_prefix: '##',
    max_input_chars_per_word: 100,
    vocab: Object.fromEntries(pieces.map((piece, at) => [piece, at])),
  },
});

export const tinyRow = (more: Partial<ModelRow> = {}): ModelRow =>
  modelRow.parse({
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

/** `texts`: the model knows their words and letters. */
export const tinyFiles = (texts: readonly string[]): TinyFiles => {
  const pieces = [UNKNOWN, ...piecesOf([...texts, ...SAME_MEANING.flat()])];
  const vectors = new Float32Array(
    pieces.flatMap((piece) =>
      piece === UNKNOWN ? new Array<number>(DIMENSIONS).fill(0) : directionOf(piece),
    ),
  );
  return {
    weights: onnxFile(vectors, DIMENSIONS),
    tokenizer: Buffer.from(JSON.stringify(tokenizerOf(pieces))),
  };
};

/** Writes the files as they lie in a repository of a hub. */
export const writeTinyModel = (folder: string, texts: readonly string[], row = tinyRow()): void => {
  const { weights, tokenizer } = tinyFiles(texts);
  mkdirSync(join(folder, 'onnx'), { recursive: true });
  writeFileSync(join(folder, row.files.weights), weights);
  writeFileSync(join(folder, row.files.tokenizer), tokenizer);
};

/** Adds a row to the list of the owner. */
export const describeModel = (folder: string, row: ModelRow): void => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'own.json'), JSON.stringify([row]));
};

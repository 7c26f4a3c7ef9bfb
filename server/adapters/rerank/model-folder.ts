// Checks a folder with a model for transformers.js: config.json, tokenizer.json, onnx/model*.onnx.
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The files and forms of the weights, smallest first. */
const WEIGHTS: readonly (readonly [file: string, form: string])[] = [
  ['model_quantized.onnx', 'q8'],
  ['model_int8.onnx', 'int8'],
  ['model_uint8.onnx', 'uint8'],
  ['model_fp16.onnx', 'fp16'],
  ['model.onnx', 'fp32'],
];

const REQUIRED_FILES = ['config.json', 'tokenizer.json'];

/** The form of the weights to load; null: the folder holds no weights. */
export const weightsIn = (folder: string): string | null =>
  WEIGHTS.find(([file]) => existsSync(join(folder, 'onnx', file)))?.[1] ?? null;

/** The problem with the folder, as a predicate; null: the folder is complete. */
export const missingIn = (folder: string): string | null => {
  if (!existsSync(folder)) return 'does not exist';
  const missing = REQUIRED_FILES.find((name) => !existsSync(join(folder, name)));
  if (missing !== undefined) return `holds no ${missing}`;
  return weightsIn(folder) === null ? 'holds no onnx/model.onnx' : null;
};

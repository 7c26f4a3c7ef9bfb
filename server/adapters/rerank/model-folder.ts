// A folder with a cross-encoder as models for transformers.js are laid out: config.json, tokenizer.json, onnx/model*.onnx.
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The forms in which weights come, the smallest that loses nothing to speak of first. */
const WEIGHTS: readonly (readonly [file: string, form: string])[] = [
  ['model_quantized.onnx', 'q8'],
  ['model_int8.onnx', 'int8'],
  ['model_uint8.onnx', 'uint8'],
  ['model_fp16.onnx', 'fp16'],
  ['model.onnx', 'fp32'],
];

const NEEDED = ['config.json', 'tokenizer.json'];

/** The form of the weights to load; null: there are none. */
export const weightsIn = (folder: string): string | null =>
  WEIGHTS.find(([file]) => existsSync(join(folder, 'onnx', file)))?.[1] ?? null;

/** What is wrong with the folder, in words; null: nothing. */
export function missingIn(folder: string): string | null {
  if (!existsSync(folder)) return 'does not exist';
  const missing = NEEDED.find((name) => !existsSync(join(folder, name)));
  if (missing !== undefined) return `holds no ${missing}`;
  return weightsIn(folder) === null ? 'holds no onnx/model.onnx' : null;
}

// The packages that run models. They are no dependency: `memoir models add` installs them into the folder of models.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathOfModel, pathOfRuntime } from './model-folder.ts';
import type { RunnableRow } from './model-row.ts';

const RUNTIME_PACKAGES = ['onnxruntime-node', '@huggingface/tokenizers'] as const;

/** The used part of the tokenizers. */
export interface Tokenizer {
  encode(
    text: string,
    options?: { text_pair?: string; add_special_tokens?: boolean; return_token_type_ids?: boolean },
  ): { ids: number[]; token_type_ids?: number[] };
}

interface TokenizerPackage {
  Tokenizer: new (tokenizer: object, config: object) => Tokenizer;
}

export interface Tensor {
  readonly data: Float32Array;
  readonly dims: readonly number[];
}

export interface OnnxSession {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  run(feeds: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, Tensor>>>;
}

/** The used part of onnxruntime. */
export interface OnnxPackage {
  InferenceSession: { create(path: string, options: object): Promise<OnnxSession> };
  Tensor: new (type: 'int64', data: BigInt64Array, dims: readonly number[]) => unknown;
}

export interface ModelRuntime {
  readonly onnx: () => OnnxPackage;
  readonly tokenizers: () => TokenizerPackage;
}

export const isRuntimeInstalled = (folder: string): boolean =>
  RUNTIME_PACKAGES.every((name) =>
    existsSync(join(pathOfRuntime(folder), 'node_modules', name, 'package.json')),
  );

/** Loads a package at its first use: a static model needs no onnxruntime. */
export const runtimeIn = (folder: string): ModelRuntime => {
  const load = createRequire(join(pathOfRuntime(folder), 'package.json'));
  return {
    onnx: () => load('onnxruntime-node') as OnnxPackage,
    tokenizers: () => load('@huggingface/tokenizers') as TokenizerPackage,
  };
};

export const openTokenizer = (folder: string, { name, files }: RunnableRow): Tokenizer => {
  const path = join(pathOfModel(folder, name), files.tokenizer);
  const { Tokenizer } = runtimeIn(folder).tokenizers();
  return new Tokenizer(JSON.parse(readFileSync(path, 'utf8')) as object, {});
};

// A row of data that describes a model: its purpose, its files, and how texts are read with it.
import { z } from 'zod';

/** Without the names that `memoir models use`, the folder of models and the languages of OCR take for themselves. */
const NAME = /^(?!(?:builtin|runtime)$|ocr-)[a-z0-9][a-z0-9._-]{0,63}$/;
/** Below the folder of the model: no way leads out of it. */
const FILE = /^(?!.*\.\.)[\w.-]+(?:\/[\w.-]+)*$/;
const SHA256 = /^[0-9a-f]{64}$/;

const file = z.string().regex(FILE);

const described = {
  name: z.string().regex(NAME),
  /** The repository on the hub, as in "Xenova/all-MiniLM-L6-v2"; null: the files come from a folder alone. */
  hub: z
    .string()
    .regex(/^[\w.-]+\/[\w.-]+$/)
    .nullable(),
  /** A branch, a tag or a commit of the repository. */
  revision: z.string().regex(FILE).default('main'),
  files: z.strictObject({ weights: file, tokenizer: file.default('tokenizer.json') }),
  /** The SHA-256 of files, where it is known; others are recorded at the first download and compared ever after. */
  sha256: z.record(file, z.string().regex(SHA256)).default({}),
  /** A longer text is cut. */
  mostTokens: z.int().min(8).max(32_768).default(512),
  languages: z.string(),
  licence: z.string(),
  megabytes: z.number().positive(),
  /** The people whom it serves, in one sentence. */
  use: z.string(),
};

const embeddingRow = z.strictObject({
  for: z.literal('embedding').default('embedding'),
  /** `transformer`: an ONNX model runs. `static`: each token has a vector, and a text has their mean. */
  kind: z.enum(['transformer', 'static']),
  ...described,
  dimensions: z.int().min(8).max(16_384),
  pooling: z.enum(['mean', 'first']).default('mean'),
  /** Written before each text, for models that were trained with it. */
  prefixes: z.strictObject({ query: z.string(), passage: z.string() }).default({ query: '', passage: '' }),
  /** True: texts in other languages all look alike to the model. */
  onlyEnglish: z.boolean().default(false),
});

/** A cross-encoder: it reads query and text together, and answers with a score. */
const rerankingRow = z.strictObject({
  for: z.literal('reranking'),
  kind: z.literal('transformer').default('transformer'),
  ...described,
});

/** The data of a language that OCR recognises: a file for the engine, which brings no other packages. */
const ocrRow = z.strictObject({
  for: z.literal('ocr'),
  kind: z.literal('language').default('language'),
  ...described,
  name: z.string().regex(/^ocr:[a-z]{3}(?:_[a-z]{2,8}){0,2}$/),
  files: z.strictObject({ weights: file }),
});

/** A model that the runtime runs. */
export const runnableRow = z.discriminatedUnion('for', [embeddingRow, rerankingRow]);

export const modelRow = z.discriminatedUnion('for', [...runnableRow.options, ocrRow]);

export type ModelRow = z.output<typeof modelRow>;
export type EmbeddingRow = z.output<typeof embeddingRow>;
export type RunnableRow = z.output<typeof runnableRow>;

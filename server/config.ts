// The settings: one zod object whose keys are the environment variables, and the config that is read from them.
import { resolve } from 'node:path';
import { z } from 'zod';
import {
  type ChromaConfig,
  chromaOf,
  type EmbeddingConfig,
  embeddingOf,
  type ReadingConfig,
  type RerankConfig,
  readingOf,
  rerankingOf,
  type TranscriptionConfig,
  transcriptionOf,
} from './config-services.ts';
import type { LogLevel } from './log.ts';
import { type OauthClient, oauthClients } from './oauth-clients.ts';

const logLevels = [
  'fatal',
  'error',
  'warn',
  'info',
  'debug',
  'trace',
  'silent',
] as const satisfies LogLevel[];

const wholeNumber = (min: number, max: number) => {
  const error = `a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, { error, abort: true })
    .transform(Number)
    .pipe(z.int().min(min, { error }).max(max, { error }));
};

const isBareUrl = (text: string): boolean => {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.search + url.hash + url.username === '';
};

const address = z
  .string()
  .refine(isBareUrl, { error: 'an http or https address, as in https://memory.example.org' })
  .transform((text) => text.replace(/\/+$/, ''));

/** Joined by commas, spaces or plus signs, as different programs write them. */
const languages = z
  .string()
  .regex(/^[a-z]{3}[a-z_]{0,16}(?:[,+ ]+[a-z]{3}[a-z_]{0,16}){0,7}$/, {
    error: 'codes of at most eight languages, as in eng,deu',
  })
  .transform((text) => text.split(/[,+ ]+/));

const secret = (schema: z.ZodString, sentence: string) =>
  schema.optional().meta({ description: sentence, secret: true });

export const settings = z.object({
  PORT: wholeNumber(0, 65_535)
    .default(6767)
    .describe('The port to listen on; 0 takes any free one and prints it. Default: 6767.'),
  HOST: z
    .string()
    .default('127.0.0.1')
    .describe(
      'The address to listen on; 0.0.0.0 lets other machines in. Default: 127.0.0.1, this machine alone.',
    ),
  MEMOIR_DATA_DIR: z
    .string()
    .default('.memoir')
    .describe(
      'The folder that holds everything; made when it is missing. Default: .memoir in the working folder.',
    ),
  MEMOIR_API_KEY: secret(
    z.string().regex(/^sm_\S{17,}$/, {
      error: '"sm_" and at least 17 more characters without a space',
    }),
    'A full key of your own choice for the server, "sm_" and at least 17 more characters; the command line sends it with MEMOIR_URL. Default: a key is made at the first start and printed once.',
  ),
  MEMOIR_SECRET_KEY: secret(
    z.string().min(32, { error: 'at least 32 characters' }),
    'The key that client secrets in the settings are sealed and links to files are signed with, at least 32 characters. Default: one is made on first use and kept in secret.key in the data folder.',
  ),
  MEMOIR_BASE_URL: address
    .optional()
    .describe(
      'The public address of the server, for links and descriptions when it stands behind a proxy. Default: links to files name the address that it listens on, others are relative.',
    ),
  MEMOIR_OAUTH_CLIENTS: oauthClients
    .optional()
    .describe(
      'Programs that may ask for access without registering first: a JSON list of { clientId, name, redirectUris }. Default: none; programs register themselves.',
    ),
  MEMOIR_LOG_LEVEL: z
    .enum(logLevels, { error: `one of ${logLevels.join(', ')}` })
    .default('info')
    .describe(`How much is logged on stderr: ${logLevels.join(', ')}. Default: info; warn on a terminal.`),
  CHROMA_URL: address
    .optional()
    .describe(
      'The address of a Chroma server or of Chroma Cloud. Default: a Chroma of its own is started over the data folder.',
    ),
  CHROMA_TOKEN: secret(z.string(), 'The token for the Chroma at CHROMA_URL. Default: none is sent.'),
  CHROMA_TENANT: z
    .string()
    .optional()
    .describe("The tenant at CHROMA_URL. Default: the token's own, else default_tenant."),
  CHROMA_DATABASE: z
    .string()
    .optional()
    .describe("The database at CHROMA_URL. Default: the token's own, else default_database."),
  MEMOIR_EMBEDDING_MODEL: z
    .string()
    .optional()
    .describe(
      'The embedding model of an OpenAI-compatible service, as in text-embedding-3-small; every text is then sent to that service. Default: the builtin embedder, which sends nothing anywhere, even when OPENAI_API_KEY is set.',
    ),
  MEMOIR_EMBEDDING_DIMENSIONS: wholeNumber(8, 16_384)
    .optional()
    .describe("The length of that model's vectors, for models that offer several. Default: the model's own."),
  OPENAI_MODEL: z
    .string()
    .optional()
    .describe(
      'The chat model of an OpenAI-compatible service, as in gpt-5-mini, that draws memories, summarises profiles, and rewords queries and puts results together for searches that ask for it; the texts are then sent to that service. Default: memories are drawn by rules, and nothing is sent anywhere, even when OPENAI_API_KEY is set.',
    ),
  MEMOIR_TRANSCRIPTION_MODEL: z
    .string()
    .optional()
    .describe(
      'The model of an OpenAI-compatible service, as in whisper-1, that turns the sound of audio and video into text; the sound is then sent to that service. Default: audio and video cannot be read, and nothing is sent anywhere, even when OPENAI_API_KEY is set.',
    ),
  MEMOIR_TRANSCRIPTION_LANGUAGE: z
    .string()
    .regex(/^[a-z]{2,3}$/, { error: 'a code of a language, as in en' })
    .optional()
    .describe('The language that is spoken, as in en. Default: the service finds out.'),
  MEMOIR_OCR_LANGUAGES: languages
    .optional()
    .describe(
      'The languages of pictures and scans, as in eng,deu; each but eng needs its package, as in @tesseract.js-data/deu. Default: eng.',
    ),
  OPENAI_API_KEY: secret(
    z.string(),
    'The key for the service of MEMOIR_EMBEDDING_MODEL, OPENAI_MODEL and MEMOIR_TRANSCRIPTION_MODEL; used only when a model is set. Default: none is sent.',
  ),
  OPENAI_BASE_URL: address
    .optional()
    .describe(
      'The address of the service of MEMOIR_EMBEDDING_MODEL, OPENAI_MODEL and MEMOIR_TRANSCRIPTION_MODEL, as in http://127.0.0.1:11434/v1 for Ollama; used only when a model is set. Default: https://api.openai.com/v1.',
    ),
  MEMOIR_RERANK_URL: address
    .optional()
    .describe(
      'The address of a rerank service, as in https://api.cohere.com/v2/rerank or http://127.0.0.1:8080/rerank; searches with rerank send it the query and the texts that were found. Default: none is asked.',
    ),
  MEMOIR_RERANK_MODEL: z
    .string()
    .optional()
    .describe(
      "The model at MEMOIR_RERANK_URL, as in rerank-v3.5, for services that have several. Default: the service's own.",
    ),
  MEMOIR_RERANK_API_KEY: secret(
    z.string(),
    'The key for the service at MEMOIR_RERANK_URL. Default: none is sent.',
  ),
  MEMOIR_RERANK_FOLDER: z
    .string()
    .optional()
    .describe(
      'A folder with a cross-encoder in ONNX form, which then reranks on this machine; it needs the package @huggingface/transformers. Default: none is loaded.',
    ),
});

export type { ChromaConfig, EmbeddingConfig, ReadingConfig, RerankConfig, TranscriptionConfig };

export type SettingName = keyof typeof settings.shape;

export interface Config {
  port: number;
  host: string;
  /** Absolute. */
  dataDir: string;
  apiKey?: string;
  /** Undefined: the data folder keeps one. */
  secretKey?: string;
  /** Without a slash at its end. */
  baseUrl?: string;
  oauthClients: readonly OauthClient[];
  logLevel: LogLevel;
  /** Null: our own Chroma over the data folder. */
  chroma: ChromaConfig | null;
  /** Null: the builtin embedder. */
  embedding: EmbeddingConfig | null;
  /** Null: memories are drawn by rules. */
  reading: ReadingConfig | null;
  /** Null: sound cannot be turned into text. */
  transcription: TranscriptionConfig | null;
  /** Of pictures and scans. */
  ocrLanguages?: readonly string[];
  /** Null: searches are not reranked. */
  reranking: RerankConfig | null;
  /** Allowed, and yet worth saying at the start; each a sentence. */
  warnings: readonly string[];
}

/** Settings that cannot be used. The message has a line for each of them. */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

export type Settings = z.output<typeof settings>;
type Given = Partial<Record<SettingName, string>>;

export const settingNames = Object.keys(settings.shape) as SettingName[];

export const isSecret = (name: SettingName): boolean => settings.shape[name].meta()?.secret === true;

/** A variable that is set to nothing counts as one that is not set: compose files write them so. */
function givenIn(env: NodeJS.ProcessEnv): Given {
  const pairs = settingNames.map((name) => [name, env[name]?.trim()] as const);
  return Object.fromEntries(pairs.filter(([, value]) => value !== undefined && value !== ''));
}

/** A password in an address is a secret as well. */
const shown = (name: SettingName, given = ''): string =>
  isSecret(name) ? 'what it was given' : JSON.stringify(given.replace(/\/\/[^/@]*@/, '//…@'));

function misread(given: Given, issues: readonly z.core.$ZodIssue[]): string[] {
  const expected = new Map<SettingName, string>();
  for (const { path, message } of issues) {
    const name = settingNames.find((known) => known === path[0]);
    if (name !== undefined && !expected.has(name)) expected.set(name, message);
  }
  return [...expected].map(
    ([name, what]) => `${name} cannot be ${shown(name, given[name])}: expected ${what}.`,
  );
}

const MODELS = ['MEMOIR_EMBEDDING_MODEL', 'OPENAI_MODEL', 'MEMOIR_TRANSCRIPTION_MODEL'] as const;

function modelWithoutService(given: Given): string[] {
  if (given.OPENAI_API_KEY !== undefined || given.OPENAI_BASE_URL !== undefined) return [];
  return MODELS.filter((name) => given[name] !== undefined).map(
    (name) =>
      `${name} is ${JSON.stringify(given[name])}, but its service is not known: set OPENAI_API_KEY for OpenAI, or OPENAI_BASE_URL for another service.`,
  );
}

const twoRerankers = (given: Given): string[] =>
  given.MEMOIR_RERANK_URL === undefined || given.MEMOIR_RERANK_FOLDER === undefined
    ? []
    : [
        'MEMOIR_RERANK_URL and MEMOIR_RERANK_FOLDER are both set, but one of them reranks: take the other away.',
      ];

function parse(given: Given): Settings {
  const parsed = settings.safeParse(given);
  const problems = [
    ...misread(given, parsed.success ? [] : parsed.error.issues),
    ...modelWithoutService(given),
    ...twoRerankers(given),
  ];
  if (parsed.success && problems.length === 0) return parsed.data;
  throw new ConfigError(problems);
}

const isLoopback = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/i.test(host);

const withoutEffect = (read: Settings, needed: SettingName, names: readonly SettingName[]): string[] =>
  read[needed] === undefined
    ? names
        .filter((name) => read[name] !== undefined)
        .map((name) => `${name} has no effect without ${needed}.`)
    : [];

function warningsOf(read: Settings): string[] {
  const open = !isLoopback(read.HOST) && read.MEMOIR_BASE_URL === undefined;
  return [
    ...(open
      ? [
          `HOST is ${read.HOST}, so other machines may reach this server: set MEMOIR_BASE_URL to the address they use, and put TLS in front of it, for keys travel with every request.`,
        ]
      : []),
    ...withoutEffect(read, 'CHROMA_URL', ['CHROMA_TOKEN', 'CHROMA_TENANT', 'CHROMA_DATABASE']),
    ...withoutEffect(read, 'MEMOIR_EMBEDDING_MODEL', ['MEMOIR_EMBEDDING_DIMENSIONS']),
    ...withoutEffect(read, 'MEMOIR_TRANSCRIPTION_MODEL', ['MEMOIR_TRANSCRIPTION_LANGUAGE']),
    ...withoutEffect(read, 'MEMOIR_RERANK_URL', ['MEMOIR_RERANK_MODEL', 'MEMOIR_RERANK_API_KEY']),
  ];
}

/** Reads the settings; what cannot be used is told all at once in a `ConfigError`. */
export function loadConfig(env: NodeJS.ProcessEnv): Config {
  const read = parse(givenIn(env));
  const { MEMOIR_API_KEY: apiKey, MEMOIR_BASE_URL: baseUrl, MEMOIR_SECRET_KEY: secretKey } = read;
  const { MEMOIR_OCR_LANGUAGES: ocrLanguages } = read;
  return {
    port: read.PORT,
    host: read.HOST,
    dataDir: resolve(read.MEMOIR_DATA_DIR),
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(secretKey === undefined ? {} : { secretKey }),
    ...(baseUrl === undefined ? {} : { baseUrl }),
    oauthClients: read.MEMOIR_OAUTH_CLIENTS ?? [],
    logLevel: read.MEMOIR_LOG_LEVEL,
    chroma: chromaOf(read),
    embedding: embeddingOf(read),
    reading: readingOf(read),
    transcription: transcriptionOf(read),
    ...(ocrLanguages === undefined ? {} : { ocrLanguages }),
    reranking: rerankingOf(read),
    warnings: warningsOf(read),
  };
}

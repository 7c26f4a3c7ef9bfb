// The thread that runs a cross-encoder: it loads package and model at the first call, and runs one call at a time.
import { basename, dirname } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { serveCalls } from '../../lib/threads/rpc.ts';
import type { CrossEncoderCommands, CrossEncoderData } from './cross-encoder.ts';
import { weightsIn } from './model-folder.ts';

/** The used part of transformers.js, declared here because the package is optional. */
interface Library {
  env: { allowRemoteModels: boolean; allowLocalModels: boolean; localModelPath: string };
  AutoTokenizer: { from_pretrained(name: string): Promise<Tokenizer> };
  AutoModelForSequenceClassification: { from_pretrained(name: string, options: object): Promise<Model> };
}

type Tokenizer = (
  texts: readonly string[],
  options: { text_pair: readonly string[]; padding: true; truncation: true },
) => unknown;
type Model = (inputs: unknown) => Promise<{ logits: { tolist(): number[][] } }>;

/** Bounds the memory of one step. */
const PAIRS_PER_STEP = 16;

const { folder, library } = workerData as CrossEncoderData;

const load = async (): Promise<(query: string, texts: readonly string[]) => Promise<number[]>> => {
  const { env, AutoTokenizer, AutoModelForSequenceClassification } = (await import(library)) as Library;
  env.allowRemoteModels = false;
  env.allowLocalModels = true;
  env.localModelPath = dirname(folder);
  const name = basename(folder);
  const tokenizer = await AutoTokenizer.from_pretrained(name);
  const model = await AutoModelForSequenceClassification.from_pretrained(name, {
    dtype: weightsIn(folder),
  });
  return async (query, texts) => {
    const pairs = texts.map(() => query);
    const inputs = tokenizer(pairs, { text_pair: texts, padding: true, truncation: true });
    return (await model(inputs)).logits.tolist().map(relevance);
  };
};

/** A model with one output gives the relevance; with two, the first means no and the second yes. */
const relevance = (logits: readonly number[]): number =>
  logits.length > 1 ? (logits[1] ?? 0) - (logits[0] ?? 0) : (logits[0] ?? 0);

let scorer: ReturnType<typeof load> | undefined;
let last: Promise<unknown> = Promise.resolve();

const scores = async (query: string, texts: readonly string[]): Promise<number[]> => {
  // A failed load is repeated at the next call: the package may have been installed meanwhile.
  scorer ??= load().catch((error: unknown) => {
    scorer = undefined;
    throw error;
  });
  const scoreOf = await scorer;
  const found: number[] = [];
  for (let at = 0; at < texts.length; at += PAIRS_PER_STEP)
    found.push(...(await scoreOf(query, texts.slice(at, at + PAIRS_PER_STEP))));
  return found;
};

if (parentPort) {
  serveCalls<CrossEncoderCommands>(parentPort, {
    score(query: string, texts: readonly string[]) {
      const next = last.catch(() => undefined).then(() => scores(query, texts));
      last = next.catch(() => undefined);
      return next;
    },
  });
}

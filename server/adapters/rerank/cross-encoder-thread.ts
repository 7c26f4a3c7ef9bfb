// The thread that runs a cross-encoder: loads package and model when it is first asked, then judges one call at a time.
import { basename, dirname } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { serveCalls } from '../../lib/rpc.ts';
import type { CrossEncoderData } from './cross-encoder.ts';
import { weightsIn } from './model-folder.ts';

/** As much of transformers.js as is used here: it is optional, so its types are not at hand. */
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

/** Bounds the memory that one step takes. */
const PAIRS_PER_STEP = 16;

const { folder, library } = workerData as CrossEncoderData;

async function load(): Promise<(query: string, texts: readonly string[]) => Promise<number[]>> {
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
}

/** One output is the relevance; of two the second says yes and the first says no. */
const relevance = (logits: readonly number[]): number =>
  logits.length > 1 ? (logits[1] ?? 0) - (logits[0] ?? 0) : (logits[0] ?? 0);

let judge: ReturnType<typeof load> | undefined;
let last: Promise<unknown> = Promise.resolve();

async function scores(query: string, texts: readonly string[]): Promise<number[]> {
  // What could not be loaded is tried anew: the package may have been installed meanwhile.
  judge ??= load().catch((error: unknown) => {
    judge = undefined;
    throw error;
  });
  const scoreOf = await judge;
  const found: number[] = [];
  for (let at = 0; at < texts.length; at += PAIRS_PER_STEP)
    found.push(...(await scoreOf(query, texts.slice(at, at + PAIRS_PER_STEP))));
  return found;
}

if (parentPort) {
  serveCalls(parentPort, {
    score(query: string, texts: readonly string[]) {
      const next = last.catch(() => undefined).then(() => scores(query, texts));
      last = next.catch(() => undefined);
      return next;
    },
  });
}

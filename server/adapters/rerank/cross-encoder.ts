// A cross-encoder on this machine: an optional package and a folder with a model, used by a thread of its own so that
// no request waits for it.
import { basename } from 'node:path';
import { Worker } from 'node:worker_threads';
import { entry } from '../../lib/entry.ts';
import { type Calls, callsOver } from '../../lib/rpc.ts';
import { missingIn } from './model-folder.ts';
import type { Reranker, RerankLimits } from './port.ts';

export interface CrossEncoderOptions {
  readonly folder: string;
  /** The package that runs it; another one in tests. */
  readonly library?: string;
}

export interface CrossEncoderData {
  readonly folder: string;
  readonly library: string;
}

const LIBRARY = '@huggingface/transformers';
/** Such models read 512 tokens, the query among them. */
const LIMITS: RerankLimits = { texts: 50, characters: 2_000 };
/** Who would have to wait for more than these is refused at once. */
const MOST_WAITING = 4;

/** Errors lose their code on the way between threads; the words are Node's own. */
const MISSING_PACKAGE = /^Cannot find (?:package|module) /;

/** No path of this machine: callers read it. */
function unusable(error: unknown, { folder, library }: CrossEncoderData): Error {
  const missing = missingIn(folder);
  if (missing !== null) {
    const what = `The model for reranking cannot be read: the folder in MEMOIR_RERANK_FOLDER ${missing}.`;
    return new Error(`${what} It has to hold a cross-encoder in ONNX form.`, { cause: error });
  }
  if (error instanceof Error && MISSING_PACKAGE.test(error.message)) {
    const next = `Install it beside Memoir (npm install ${library}), or set MEMOIR_RERANK_URL instead.`;
    return new Error(`Reranking on this machine needs the package ${library}. ${next}`, { cause: error });
  }
  const what = 'The model for reranking in MEMOIR_RERANK_FOLDER cannot be used.';
  return new Error(`${what} The log of the server says why.`, { cause: error });
}

interface Running {
  readonly worker: Worker;
  readonly calls: Calls;
}

export function createCrossEncoder({ folder, library = LIBRARY }: CrossEncoderOptions): Reranker {
  const data: CrossEncoderData = { folder, library };
  let running: Running | null = null;
  let waiting = 0;

  function start(): Running {
    const worker = new Worker(entry('./cross-encoder-thread', import.meta.url), { workerData: data });
    const calls = callsOver(worker);
    worker.unref();
    worker.on('error', (error) => calls.fail(error));
    worker.on('exit', () => {
      calls.fail(new Error('its thread ended'));
      if (running?.worker === worker) running = null;
    });
    return { worker, calls };
  }

  /** A text that is being judged is judged to its end; only nobody waits for it any more. */
  async function ask(query: string, texts: readonly string[], signal: AbortSignal): Promise<number[]> {
    running ??= start();
    const { calls, worker } = running;
    const given = Promise.withResolvers<never>();
    const stop = () => given.reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    const judged = calls.call<number[]>('score', query, texts);
    // The thread keeps the process alive as long as it is asked something, and no longer.
    waiting++;
    worker.ref();
    const isJudged = () => {
      if (--waiting === 0) worker.unref();
    };
    judged.then(isJudged, isJudged);
    try {
      return await Promise.race([judged, given.promise]);
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  return {
    name: `local:${basename(folder)}`,
    limits: LIMITS,
    async score(query, texts, signal) {
      signal.throwIfAborted();
      if (waiting >= MOST_WAITING)
        throw new Error('The model for reranking is busy with other searches. Try again in a moment.');
      try {
        return await ask(query, texts, signal);
      } catch (error) {
        signal.throwIfAborted();
        throw unusable(error, data);
      }
    },
    async close() {
      await running?.worker.terminate();
    },
  };
}

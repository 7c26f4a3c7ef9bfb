// Reranks with a cross-encoder on this machine. An optional package runs a model from a folder, in a thread of its own
// so that it blocks no other request.
import { basename } from 'node:path';
import { entry } from '../../lib/threads/entry.ts';
import { onDemandThread } from '../../lib/threads/on-demand-thread.ts';
import { missingIn } from './model-folder.ts';
import type { Reranker, RerankLimits } from './port.ts';

export interface CrossEncoderOptions {
  readonly folder: string;
  /** The package that runs the model; tests use another one. */
  readonly library?: string;
}

export interface CrossEncoderData {
  readonly folder: string;
  readonly library: string;
}

/** The commands of the thread. No interface, because only a type alias fits an index signature. */
export type CrossEncoderCommands = {
  score(query: string, texts: readonly string[]): Promise<number[]>;
};

const LIBRARY = '@huggingface/transformers';
/** Such models read 512 tokens, including the query. */
const LIMITS: RerankLimits = { texts: 50, characters: 2_000 };
/** A further call is refused at once. */
const MOST_WAITING = 4;

/** Node's own message: errors lose their code between threads. */
const MISSING_PACKAGE = /^Cannot find (?:package|module) /;

/** Without paths of this machine, because callers read the message. */
const crossEncoderError = (error: unknown, { folder, library }: CrossEncoderData): Error => {
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
};

export const createCrossEncoder = ({ folder, library = LIBRARY }: CrossEncoderOptions): Reranker => {
  const data: CrossEncoderData = { folder, library };
  const thread = onDemandThread<CrossEncoderCommands>(entry('./cross-encoder-thread', import.meta.url), data);
  let waiting = 0;

  /** An abort ends the waiting only: the thread finishes the call. */
  async function ask(query: string, texts: readonly string[], signal: AbortSignal): Promise<number[]> {
    const aborted = Promise.withResolvers<never>();
    const stop = () => aborted.reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    waiting++;
    const scores = thread.call('score', query, texts);
    const release = () => {
      waiting--;
    };
    scores.then(release, release);
    try {
      return await Promise.race([scores, aborted.promise]);
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
        throw crossEncoderError(error, data);
      }
    },
    close: thread.close,
  };
};

// Runs an embedding model on this machine, in a thread of its own. `memoir models add` installs models, and
// `memoir models use` chooses one.
import { IngestError } from '../../core/errors.ts';
import type { InstalledModel } from '../../lib/models/model-folder.ts';
import {
  installedModelIn,
  modelInUse,
  nameInVectorModel,
  vectorModelOf,
} from '../../lib/models/model-folder.ts';
import { isRuntimeInstalled } from '../../lib/models/runtime.ts';
import { cutText } from '../../lib/text/cut.ts';
import { entry } from '../../lib/threads/entry.ts';
import { type StartedThread, startThread } from '../../lib/threads/start-thread.ts';
import { embedderKind } from './kind.ts';
import type { ModelCommands, ModelThreadData } from './local/commands.ts';
import { passageInput, sendable } from './passage-input.ts';
import type { Embedder, EmbedLimits } from './port.ts';

/** The settings of this embedder. */
export interface LocalEmbedding {
  /** The folder of models. */
  readonly folder: string;
  /** The model that the settings name, "" if they name an embedder of another kind; null: a person chooses it. */
  readonly setting: string | null;
  /** The cores that one call may use. */
  readonly threads: number;
  /** The tokens of one step. */
  readonly batchTokens: number;
}

interface Settings {
  readonly local: LocalEmbedding;
}

const NAME = 'local';

/** The context of a passage comes first, and a text is cut at its end: a passage with its context has to fit. */
const CHARACTERS_PER_TOKEN = 4;
const PASSAGES_PER_CALL = 64;

type ModelThread = StartedThread<ModelCommands>;

/** Starts the thread at the first text, and again after it ended. */
const createThread = (data: ModelThreadData): (() => ModelThread) => {
  let thread: ModelThread | null = null;
  return () => {
    if (thread?.isAlive()) return thread;
    thread = startThread<ModelCommands>(
      entry('./local/model-thread', import.meta.url),
      { workerData: data },
      () => {},
    );
    thread.worker.unref();
    return thread;
  };
};

const modelFailure = (name: string, cause: unknown): IngestError => {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new IngestError(
    'embedding_local_model',
    `The model ${name} cannot run: ${why} Install it again with "memoir models add ${name}", or go back with "memoir models use builtin".`,
    { retryable: true, byProvider: true, cause },
  );
};

const vectorsIn = (joined: Float32Array, dimensions: number): Float32Array[] =>
  Array.from({ length: joined.length / dimensions }, (_, at) =>
    joined.slice(at * dimensions, (at + 1) * dimensions),
  );

const createLocalEmbedder = (installed: InstalledModel, local: LocalEmbedding): Embedder => {
  const { name, dimensions, mostTokens, prefixes } = installed.row;
  const { folder, threads, batchTokens } = local;
  const thread = createThread({ folder, name, threads, batchTokens });
  const limits: EmbedLimits = {
    passagesPerCall: PASSAGES_PER_CALL,
    charactersPerPassage: mostTokens * CHARACTERS_PER_TOKEN,
    parallelCalls: 1,
  };
  // The thread keeps the process alive only while it works.
  let running = 0;
  const run = async (texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]> => {
    signal?.throwIfAborted();
    const { worker, call } = thread();
    running++;
    worker.ref();
    try {
      return vectorsIn(await call('embed', texts), dimensions);
    } catch (cause) {
      throw modelFailure(name, cause);
    } finally {
      if (--running === 0) worker.unref();
    }
  };

  return {
    space: { embedder: NAME, model: vectorModelOf(installed), dimensions },
    limits,
    onlyEnglish: installed.row.onlyEnglish,
    context: 'previous',
    keepExact: true,
    async embed(passages, signal, embedded) {
      const vectors: Float32Array[] = [];
      for (let at = 0; at < passages.length; at += PASSAGES_PER_CALL) {
        const some = passages.slice(at, at + PASSAGES_PER_CALL);
        const texts = some.map((one) => prefixes.passage + passageInput(one, limits.charactersPerPassage));
        vectors.push(...(await run(texts, signal)));
        embedded?.(some.length);
      }
      return vectors;
    },
    async embedQuery(query, _weigh, signal) {
      const text = prefixes.query + sendable(cutText(query, limits.charactersPerPassage));
      const [vector] = await run([text], signal);
      if (!vector) throw modelFailure(name, new Error('It returned no vector.'));
      return vector;
    },
  };
};

/** Null: an embedder of another kind. */
const chosenModel = ({ folder, setting }: LocalEmbedding): string | null =>
  setting === null ? modelInUse(folder) : setting || null;

const usable = (local: LocalEmbedding, name: string): InstalledModel | null =>
  isRuntimeInstalled(local.folder) ? installedModelIn(local.folder, name) : null;

const missing = (name: string): IngestError =>
  new IngestError(
    'embedding_local_model',
    `The model ${name} is chosen and not installed. Install it with "memoir models add ${name}", or go back with "memoir models use builtin".`,
  );

export const localEmbedder = embedderKind({
  name: NAME,
  requestedSpace: ({ local }: Settings) => {
    const name = chosenModel(local);
    if (name === null) return null;
    const installed = usable(local, name);
    return {
      embedder: NAME,
      model: installed === null ? name : vectorModelOf(installed),
      dimensions: installed?.row.dimensions ?? null,
    };
  },
  open: async ({ local }) => {
    const name = chosenModel(local) ?? '';
    const installed = usable(local, name);
    if (installed === null) throw missing(name);
    return createLocalEmbedder(installed, local);
  },
  openStored: ({ local }, { model, dimensions }) => {
    const installed = usable(local, nameInVectorModel(model));
    const fits = installed !== null && vectorModelOf(installed) === model;
    return fits && installed.row.dimensions === dimensions ? createLocalEmbedder(installed, local) : null;
  },
});

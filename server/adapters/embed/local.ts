// Runs an embedding model on this machine, in a thread of its own. `memoir models add` installs models, and
// `memoir models use` chooses one.
import { IngestError } from '../../core/errors.ts';
import {
  type InstalledModel,
  installedModelFor,
  installedModelIn,
  modelInUse,
  nameInVectorModel,
  vectorModelOf,
} from '../../lib/models/model-folder.ts';
import { isRuntimeInstalled } from '../../lib/models/runtime.ts';
import { readServerModel } from '../../lib/models/server-models.ts';
import { cutText } from '../../lib/text/cut.ts';
import { entry } from '../../lib/threads/entry.ts';
import { type OnDemandThread, onDemandThread } from '../../lib/threads/on-demand-thread.ts';
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

/** Long enough for a person who searches now and then; a model that is no longer used gives its memory back. */
const REST_MS = 600_000;

const threads = new Map<string, OnDemandThread<ModelCommands>>();

/** Embedders of one model share a thread: a space is opened for calibration, for searches, and at each change. */
const modelThread = (
  installed: InstalledModel<'embedding'>,
  data: ModelThreadData,
): OnDemandThread<ModelCommands> => {
  const key = JSON.stringify([data, vectorModelOf(installed)]);
  const known =
    threads.get(key) ?? onDemandThread(entry('./local/model-thread', import.meta.url), data, REST_MS);
  threads.set(key, known);
  return known;
};

const modelFailure = (name: string, cause: unknown): IngestError => {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new IngestError(
    'embedding_local_model',
    `The model ${name} cannot run: ${why} Install it again with "memoir models add ${name}", or go back with "memoir models use builtin".`,
    { retryable: true, byProvider: true, cause },
  );
};

const cutVectors = (joined: Float32Array, dimensions: number): Float32Array[] =>
  Array.from({ length: joined.length / dimensions }, (_, at) =>
    joined.slice(at * dimensions, (at + 1) * dimensions),
  );

const createLocalEmbedder = (installed: InstalledModel<'embedding'>, local: LocalEmbedding): Embedder => {
  const { name, dimensions, mostTokens, prefixes } = installed.row;
  const { folder, threads: cores, batchTokens } = local;
  const thread = modelThread(installed, { folder, name, threads: cores, batchTokens });
  const limits: EmbedLimits = {
    passagesPerCall: PASSAGES_PER_CALL,
    charactersPerPassage: mostTokens * CHARACTERS_PER_TOKEN,
    parallelCalls: 1,
  };
  const run = async (texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]> => {
    signal?.throwIfAborted();
    try {
      return cutVectors(await thread.call('embed', texts), dimensions);
    } catch (cause) {
      throw modelFailure(name, cause);
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
const chosenModel = (local: LocalEmbedding): string | null => {
  const name = local.setting ?? modelInUse(local.folder, 'embedding');
  return name === null || name === '' || readServerModel(name) !== null ? null : name;
};

const usable = (local: LocalEmbedding, name: string): InstalledModel<'embedding'> | null =>
  isRuntimeInstalled(local.folder) ? installedModelFor(local.folder, name, 'embedding') : null;

const unusable = ({ folder }: LocalEmbedding, name: string): IngestError =>
  new IngestError(
    'embedding_local_model',
    installedModelIn(folder, name) !== null && isRuntimeInstalled(folder)
      ? `The model ${name} is for reranking and makes no vectors. Name an embedding model instead ("memoir models list" shows them), or go back with "memoir models use builtin".`
      : `The model ${name} is chosen and not installed. Install it with "memoir models add ${name}", or go back with "memoir models use builtin".`,
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
    if (installed === null) throw unusable(local, name);
    return createLocalEmbedder(installed, local);
  },
  openStored: ({ local }, { model, dimensions }) => {
    const installed = usable(local, nameInVectorModel(model));
    const fits = installed !== null && vectorModelOf(installed) === model;
    return fits && installed.row.dimensions === dimensions ? createLocalEmbedder(installed, local) : null;
  },
});

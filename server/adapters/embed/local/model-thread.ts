// The thread that runs a model: it loads the model at the first call and runs one step at a time.
import { parentPort, workerData } from 'node:worker_threads';
import { nextTurn } from '../../../lib/async/wait.ts';
import { installedModelIn } from '../../../lib/models/model-folder.ts';
import { serveCalls } from '../../../lib/threads/rpc.ts';
import type { ModelCommands, ModelThreadData } from './commands.ts';
import { openTextModel } from './text-model.ts';

const data = workerData as ModelThreadData;

const load = async () => {
  const installed = installedModelIn(data.folder, data.name);
  if (installed === null) throw new Error('Its files are gone.');
  return { ...(await openTextModel(installed, data)), dimensions: installed.row.dimensions };
};

let model: ReturnType<typeof load> | undefined;

/** A failed load is repeated at the next call: the files may be there again. */
const openModel = (): ReturnType<typeof load> => {
  model ??= load().catch((error: unknown) => {
    model = undefined;
    throw error;
  });
  return model;
};

if (parentPort)
  serveCalls<ModelCommands>(parentPort, {
    async embed(texts) {
      const { embed, dimensions } = await openModel();
      const vectors = await embed(texts, nextTurn);
      const joined = new Float32Array(texts.length * dimensions);
      for (const [at, vector] of vectors.entries()) joined.set(vector, at * dimensions);
      return joined;
    },
  });

// The thread that runs a model: it loads the model at the first call and runs one step at a time.
import { parentPort, workerData } from 'node:worker_threads';
import { loadOnce } from '../../../lib/async/load-once.ts';
import { nextTurn } from '../../../lib/async/wait.ts';
import { installedModelFor } from '../../../lib/models/model-folder.ts';
import { serveOnDemand } from '../../../lib/threads/on-demand-thread.ts';
import type { ModelCommands, ModelThreadData } from './commands.ts';
import { openTextModel } from './text-model.ts';

const data = workerData as ModelThreadData;

const openModel = loadOnce(async () => {
  const installed = installedModelFor(data.folder, data.name, 'embedding');
  if (installed === null) throw new Error('Its files are gone.');
  return { ...(await openTextModel(installed, data)), dimensions: installed.row.dimensions };
});

if (parentPort)
  serveOnDemand<ModelCommands>(parentPort, {
    async embed(texts) {
      const { embed, dimensions } = await openModel();
      const vectors = await embed(texts, nextTurn);
      const joined = new Float32Array(texts.length * dimensions);
      for (const [at, vector] of vectors.entries()) joined.set(vector, at * dimensions);
      return joined;
    },
  });

// The thread that runs a reranker: it loads the model at the first call and runs one step at a time.
import { parentPort, workerData } from 'node:worker_threads';
import { loadOnce } from '../../../lib/async/load-once.ts';
import { nextTurn } from '../../../lib/async/wait.ts';
import { installedModelFor } from '../../../lib/models/model-folder.ts';
import { serveOnDemand } from '../../../lib/threads/on-demand-thread.ts';
import type { RerankCommands, RerankThreadData } from './commands.ts';
import { openCrossEncoder } from './cross-encoder.ts';

const data = workerData as RerankThreadData;

const openModel = loadOnce(async () => {
  const installed = installedModelFor(data.folder, data.name, 'reranking');
  if (installed === null) throw new Error('Its files are gone.');
  return openCrossEncoder(installed, data);
});

if (parentPort)
  serveOnDemand<RerankCommands>(parentPort, {
    async score(query, texts) {
      const model = await openModel();
      return model.score(query, texts, nextTurn);
    },
  });

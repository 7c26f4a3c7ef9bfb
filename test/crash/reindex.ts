// Changes of the embedding model, and its faults: the server starts with another model, and a reindex is asked for while clients work.

import { setTimeout as sleep } from 'node:timers/promises';
import { startEmbeddingsServer } from '../adapters/embed/embeddings-server.ts';
import { refuse } from '../support/models/servers/behaving-server.ts';
import type { Ask } from './api.ts';
import type { Folder } from './server.ts';
import { reading } from './sql.ts';

export interface Models {
  /** The next start of the server names another model than the one that serves. */
  change(): void;
  /** Asks for the reindex, if the server was started with another model than the one that serves. */
  reindex(ask: Ask): Promise<void>;
  /** The model refuses every call for a moment, if it serves. */
  refuse(ms: number): Promise<void>;
  close(): Promise<void>;
}

const NAMES = ['meaning-1', 'meaning-2'] as const;

/** The model that serves; it is another one after a completed reindex. */
export const servingModel = (folder: Folder): string =>
  reading(folder, (query) => String(query("select model from spaces where state = 'active'")[0]?.model));

/** The first start uses the builtin embedder. */
export const openModels = async (folder: Folder): Promise<Models> => {
  const service = await startEmbeddingsServer();
  return {
    change() {
      service.received.length = 0;
      const serving = servingModel(folder);
      folder.env = {
        OPENAI_BASE_URL: service.baseUrl,
        OPENAI_API_KEY: 'secret',
        MEMOIR_EMBEDDING_MODEL: NAMES.find((name) => name !== serving) ?? NAMES[0],
      };
    },
    async reindex(ask) {
      if (folder.env === undefined) return;
      const { status, body } = await ask('POST', '/v3/spaces/reindex');
      if (status !== 202) throw new Error(`The reindex answered ${status}: ${JSON.stringify(body)}`);
    },
    async refuse(ms) {
      service.always(refuse(401, 'Incorrect API key provided'));
      await sleep(ms);
      service.always();
    },
    close: () => service.close(),
  };
};

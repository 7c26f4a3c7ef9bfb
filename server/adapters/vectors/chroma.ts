// Chroma as the vector index: a local server of our own over a folder, or any server or cloud by its address.
import { type ChromaIndex, type ChromaIndexOptions, createChromaIndex } from './chroma-index.ts';
import type { ChromaLog } from './chroma-launch.ts';
import { createChromaServer } from './chroma-process.ts';

export interface LocalChroma extends Pick<ChromaIndexOptions, 'namespace' | 'limits'> {
  readonly folder: string;
  readonly log: ChromaLog;
}

export interface RemoteChroma extends Omit<ChromaIndexOptions, 'url'> {
  readonly url: string;
}

const createLocal = ({ folder, log, ...rest }: LocalChroma): ChromaIndex => {
  const server = createChromaServer({ folder, log });
  const index = createChromaIndex({ ...rest, url: server.url });
  return {
    ...index,
    state: server.state,
    async ready(signal) {
      await server.ready(signal);
      await index.ready(signal);
    },
    async close() {
      await index.close();
      await server.stop();
    },
  };
};

export const createChroma = (options: LocalChroma | RemoteChroma): ChromaIndex => {
  if ('folder' in options) return createLocal(options);
  return createChromaIndex({ ...options, url: () => options.url });
};

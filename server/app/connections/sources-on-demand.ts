// Loads the sources and what they import with the first connection.
import { loadOnce } from '../../lib/async/load-once.ts';
import type { SourceOpener, SourceOpenerDeps } from './open-source.ts';

export interface SourcesOnDemand {
  load(): Promise<SourceOpener>;
  close(): Promise<void>;
}

export const createSourcesOnDemand = (deps: SourceOpenerDeps): SourcesOnDemand => {
  let opener: SourceOpener | null = null;
  return {
    load: loadOnce(async () => {
      const { createSourceOpener } = await import('./open-source.ts');
      opener = createSourceOpener(deps);
      return opener;
    }),
    close: async () => opener?.close(),
  };
};

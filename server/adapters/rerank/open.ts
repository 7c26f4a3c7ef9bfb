// Which reranker the settings ask for.
import { createCrossEncoder } from './cross-encoder.ts';
import { createEndpointReranker } from './endpoint.ts';
import type { Reranker } from './port.ts';

export type RerankSettings =
  | { readonly url: string; readonly model: string | null; readonly apiKey: string | null }
  | { readonly folder: string };

/** Null: none is asked for. Nothing is loaded and nobody is asked before the first search that wants it. */
export const openReranker = (settings: RerankSettings | null): Reranker | null => {
  if (settings === null) return null;
  return 'url' in settings
    ? createEndpointReranker(settings)
    : createCrossEncoder({ folder: settings.folder });
};

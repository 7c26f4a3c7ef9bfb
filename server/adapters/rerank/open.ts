// Opens the reranker that the settings request.
import { createCrossEncoder } from './cross-encoder.ts';
import { createEndpointReranker } from './endpoint.ts';
import type { Reranker } from './port.ts';

export type RerankSettings =
  | { readonly url: string; readonly model: string | null; readonly apiKey: string | null }
  | { readonly folder: string };

/** Null: the settings request none. No model is loaded and no service is called before the first search that needs it. */
export const openReranker = (settings: RerankSettings | null): Reranker | null => {
  if (settings === null) return null;
  return 'url' in settings
    ? createEndpointReranker(settings)
    : createCrossEncoder({ folder: settings.folder });
};

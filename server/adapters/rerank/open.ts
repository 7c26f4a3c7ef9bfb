// Opens the reranker that the settings request, or the one that a person chose.
import { createEndpointReranker } from './endpoint.ts';
import { createLocalReranker, type LocalReranking } from './local.ts';
import type { ChosenReranker } from './port.ts';

export type RerankSettings =
  | { readonly url: string; readonly model: string | null; readonly apiKey: string | null }
  | { readonly local: LocalReranking };

/** No model is loaded and no service is called before the first search that needs it. */
export const openReranker = (settings: RerankSettings): ChosenReranker => {
  if ('local' in settings) return createLocalReranker(settings.local);
  const endpoint = createEndpointReranker(settings);
  return { current: () => endpoint, close: async () => undefined };
};

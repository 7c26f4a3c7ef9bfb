// The settings of the reranker.
import { z } from 'zod';
import type { RerankSettings } from '../../adapters/rerank/open.ts';
import { defined } from '../../lib/defined.ts';
import { settingGroup, withoutEffect } from '../declare.ts';
import { webAddress, wholeNumberSetting } from '../value-types.ts';
import type { ModelsConfig } from './models.ts';

export interface RerankConfig {
  /** Null: a model on this machine, or none. */
  reranking: { url: string; model?: string; apiKey?: string } | null;
  /** The milliseconds that every search may wait for the reranker; null: searches are not reranked unasked. */
  rerankEverySearchMs: number | null;
}

export const rerankSettings = settingGroup({
  order: 8,
  title: 'Reranking',
  settings: {
    MEMOIR_RERANK_URL: {
      type: webAddress.optional(),
      help: 'The address of a rerank service, as in https://api.cohere.com/v2/rerank or http://127.0.0.1:8080/rerank. Searches with rerank send it the query and the texts of the results. A service that is set here takes the place of a model chosen by "memoir models use".',
      default: 'the model chosen by "memoir models use", else nothing reranks',
    },
    MEMOIR_RERANK_MODEL: {
      type: z.string().optional(),
      help: 'The model at MEMOIR_RERANK_URL, as in rerank-v3.5, for services with several models.',
      default: 'the default of the service',
    },
    MEMOIR_RERANK_API_KEY: {
      type: z.string().optional(),
      help: 'The API key for the service at MEMOIR_RERANK_URL.',
      default: 'no key is sent',
      secret: true,
    },
    MEMOIR_RERANK_EVERY_SEARCH_MS: {
      type: wholeNumberSetting(10, 60_000).optional(),
      help: 'Reranks every search, also without rerank, and lets a search wait for it so many milliseconds at most, as in 300. Results without a score by then keep their order, and notes say so.',
      default: 'only searches with rerank are reranked',
    },
  },
  view: (values): RerankConfig => {
    const { MEMOIR_RERANK_URL: url, MEMOIR_RERANK_MODEL: model, MEMOIR_RERANK_API_KEY: apiKey } = values;
    return {
      reranking: url === undefined ? null : { url, ...defined({ model, apiKey }) },
      rerankEverySearchMs: values.MEMOIR_RERANK_EVERY_SEARCH_MS ?? null,
    };
  },
  removed: {
    MEMOIR_RERANK_FOLDER:
      'A model for reranking is installed with "memoir models add <name> --from <folder>" and chosen with "memoir models use <name>"; docs/models.md says how to describe a model of your own',
  },
  warnings: (values) =>
    withoutEffect(values, 'MEMOIR_RERANK_URL', ['MEMOIR_RERANK_MODEL', 'MEMOIR_RERANK_API_KEY']),
});

export const rerankerOptions = ({ reranking, local }: RerankConfig & ModelsConfig): RerankSettings => {
  const { folder, threads, batchTokens } = local;
  if (reranking === null) return { local: { folder, threads, batchTokens } };
  return { url: reranking.url, model: reranking.model ?? null, apiKey: reranking.apiKey ?? null };
};

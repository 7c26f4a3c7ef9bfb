// The settings of the reranker.
import { resolve } from 'node:path';
import { z } from 'zod';
import type { RerankSettings } from '../../adapters/rerank/open.ts';
import { defined } from '../../lib/defined.ts';
import { settingGroup, withoutEffect } from '../declare.ts';
import { webAddress } from '../value-types.ts';

export interface RerankConfig {
  /** Null: searches are not reranked. */
  reranking: { url: string; model?: string; apiKey?: string } | { folder: string } | null;
}

export const rerankSettings = settingGroup({
  order: 8,
  title: 'Reranking',
  settings: {
    MEMOIR_RERANK_URL: {
      type: webAddress.optional(),
      help: 'The address of a rerank service, as in https://api.cohere.com/v2/rerank or http://127.0.0.1:8080/rerank. Searches with rerank send it the query and the texts of the results.',
      default: 'no service reranks',
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
    MEMOIR_RERANK_FOLDER: {
      type: z.string().optional(),
      help: 'A folder with a cross-encoder in ONNX format that reranks on this machine. It needs the package @huggingface/transformers.',
      default: 'no model is loaded',
    },
  },
  view: ({ MEMOIR_RERANK_FOLDER: folder, MEMOIR_RERANK_URL: url, ...values }): RerankConfig => {
    const { MEMOIR_RERANK_MODEL: model, MEMOIR_RERANK_API_KEY: apiKey } = values;
    if (folder !== undefined) return { reranking: { folder: resolve(folder) } };
    return { reranking: url === undefined ? null : { url, ...defined({ model, apiKey }) } };
  },
  problems: (given) =>
    given.MEMOIR_RERANK_URL === undefined || given.MEMOIR_RERANK_FOLDER === undefined
      ? []
      : [
          'MEMOIR_RERANK_URL and MEMOIR_RERANK_FOLDER are both set, but only one of them can rerank. Remove one of them.',
        ],
  warnings: (values) =>
    withoutEffect(values, 'MEMOIR_RERANK_URL', ['MEMOIR_RERANK_MODEL', 'MEMOIR_RERANK_API_KEY']),
});

export const rerankerOptions = ({ reranking }: RerankConfig): RerankSettings | null => {
  if (reranking === null || 'folder' in reranking) return reranking;
  return { url: reranking.url, model: reranking.model ?? null, apiKey: reranking.apiKey ?? null };
};

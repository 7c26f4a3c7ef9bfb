// The settings of the embedder.
import { z } from 'zod';
import type { OpenAiEmbedding } from '../../adapters/embed/openai.ts';
import { defined } from '../../lib/defined.ts';
import { settingGroup, withoutEffect } from '../declare.ts';
import { wholeNumberSetting } from '../value-types.ts';
import { modelWithoutService, openAiService, openAiShape } from './openai-service.ts';

export interface EmbeddingConfig {
  /** Null: the builtin embedder. */
  embedding: OpenAiEmbedding | null;
}

export const embeddingSettings = settingGroup({
  order: 4,
  title: 'Embedding',
  settings: {
    MEMOIR_EMBEDDING_MODEL: {
      type: z.string().optional(),
      help: 'The embedding model of an OpenAI-compatible service, as in text-embedding-3-small. Every text is then sent to that service.',
      default: 'the builtin embedder, which sends nothing, even if OPENAI_API_KEY is set',
    },
    MEMOIR_EMBEDDING_DIMENSIONS: {
      type: wholeNumberSetting(8, 16_384).optional(),
      help: 'The number of dimensions of its vectors, for models that offer several.',
      default: 'the default of the model',
    },
  },
  uses: openAiShape,
  view: (values): EmbeddingConfig => {
    const { MEMOIR_EMBEDDING_MODEL: model, MEMOIR_EMBEDDING_DIMENSIONS: dimensions } = values;
    if (model === undefined) return { embedding: null };
    return { embedding: { model, ...openAiService(values), ...defined({ dimensions }) } };
  },
  problems: modelWithoutService('MEMOIR_EMBEDDING_MODEL'),
  warnings: (values) => withoutEffect(values, 'MEMOIR_EMBEDDING_MODEL', ['MEMOIR_EMBEDDING_DIMENSIONS']),
});

/** The parts of the config that the embedders read. */
export const embedSettings = ({ embedding }: EmbeddingConfig): EmbeddingConfig => ({ embedding });

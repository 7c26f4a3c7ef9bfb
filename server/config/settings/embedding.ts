// The settings of the embedder.
import { z } from 'zod';
import type { OpenAiEmbedding } from '../../adapters/embed/openai.ts';
import { defined } from '../../lib/defined.ts';
import { type SettingTexts, settingGroup, withoutEffect } from '../declare.ts';
import { wholeNumberSetting } from '../value-types.ts';
import { modelWithoutService, openAiService, openAiShape, ownAddress, ownKey } from './openai-service.ts';

export interface EmbeddingConfig {
  /** Null: a model on this machine, or the builtin embedder. */
  embedding: OpenAiEmbedding | null;
}

/** "local:minilm": a model on this machine. */
export const LOCAL_MODEL = 'local:';
const BUILTIN = 'builtin';

const namesNoService = (model: string | undefined): boolean =>
  model === undefined || model === BUILTIN || model.startsWith(LOCAL_MODEL);

const serviceProblems = modelWithoutService('MEMOIR_EMBEDDING_MODEL', 'MEMOIR_EMBEDDING');

export const embeddingSettings = settingGroup({
  order: 4,
  title: 'Embedding',
  settings: {
    MEMOIR_EMBEDDING_MODEL: {
      type: z.string().optional(),
      help: 'The embedding model of an OpenAI-compatible service, as in text-embedding-3-small; every text is then sent to that service. local:minilm names an installed model on this machine, and builtin the builtin embedder. A model that is set here cannot be changed by "memoir models use".',
      default:
        'the model chosen by "memoir models use", else the builtin embedder, which sends nothing, even if OPENAI_API_KEY is set',
    },
    MEMOIR_EMBEDDING_URL: ownAddress('MEMOIR_EMBEDDING_MODEL'),
    MEMOIR_EMBEDDING_API_KEY: ownKey('MEMOIR_EMBEDDING_MODEL', 'MEMOIR_EMBEDDING_URL'),
    MEMOIR_EMBEDDING_DIMENSIONS: {
      type: wholeNumberSetting(8, 16_384).optional(),
      help: 'The number of dimensions of its vectors, for models that offer several.',
      default: 'the default of the model',
    },
  },
  uses: openAiShape,
  view: (values): EmbeddingConfig => {
    const { MEMOIR_EMBEDDING_MODEL: model, MEMOIR_EMBEDDING_DIMENSIONS: dimensions } = values;
    if (model === undefined || namesNoService(model)) return { embedding: null };
    return { embedding: { model, ...openAiService(values, 'MEMOIR_EMBEDDING'), ...defined({ dimensions }) } };
  },
  problems: (given: SettingTexts) =>
    namesNoService(given.MEMOIR_EMBEDDING_MODEL) ? [] : serviceProblems(given),
  warnings: (values) =>
    withoutEffect(values, 'MEMOIR_EMBEDDING_MODEL', [
      'MEMOIR_EMBEDDING_URL',
      'MEMOIR_EMBEDDING_API_KEY',
      'MEMOIR_EMBEDDING_DIMENSIONS',
    ]),
});

// The settings of models that run on this machine.
import { join, resolve } from 'node:path';
import { z } from 'zod';
import type { LocalEmbedding } from '../../adapters/embed/local.ts';
import type { ServerPlace } from '../../lib/models/server-models.ts';
import { settingGroup } from '../declare.ts';
import { localServerList, webAddress, wholeNumberSetting } from '../value-types.ts';
import { type EmbeddingConfig, embeddingSettings, LOCAL_MODEL } from './embedding.ts';
import { serverSettings } from './server.ts';

export interface ModelsConfig {
  local: LocalEmbedding;
  /** The address of the hub, without a trailing slash. */
  modelHub: string;
  /** The address of the repositories of languages of OCR, without a trailing slash. */
  languageHub: string;
  /** The model that the settings name; null: a person chooses it. */
  embeddingModel: string | null;
  /** The servers of models on this machine that are looked at. */
  localServers: readonly ServerPlace[];
}

const USUAL_SERVERS =
  'ollama=http://127.0.0.1:11434,lmstudio=http://127.0.0.1:1234,llamacpp=http://127.0.0.1:8080,vllm=http://127.0.0.1:8000';

export const modelSettings = settingGroup({
  order: 9,
  title: 'Models on this machine',
  settings: {
    MEMOIR_MODELS_DIR: {
      type: z.string().optional(),
      help: 'The folder of installed models. Several data folders may share one.',
      default: 'the folder models in the data folder',
    },
    MEMOIR_MODEL_HUB: {
      type: webAddress.default('https://huggingface.co'),
      help: 'The address from which "memoir models add" downloads models: the hub, or a mirror with the same paths.',
      default: 'https://huggingface.co',
    },
    MEMOIR_OCR_HUB: {
      type: webAddress.default('https://github.com'),
      help: 'The address from which "memoir models add ocr:deu" and its like download the languages of OCR: GitHub, or a mirror with the same paths.',
      default: 'https://github.com',
    },
    MEMOIR_MODEL_THREADS: {
      type: wholeNumberSetting(1, 64).default(1),
      help: 'The number of processor cores that a model on this machine may use for one call. Searches and imports each have a thread of their own beside it.',
      default: '1',
    },
    MEMOIR_MODEL_BATCH_TOKENS: {
      type: wholeNumberSetting(256, 65_536).default(1_024),
      help: 'The number of tokens that a model on this machine reads in one step. Fewer need less memory, and a search waits for less; more are faster with several cores.',
      default: '1024',
    },
    MEMOIR_LOCAL_SERVERS: {
      type: localServerList.prefault(USUAL_SERVERS),
      help: 'The servers on this machine whose models "memoir models list" shows, each with its address, separated by commas; none looks at none. A name begins with ollama, lmstudio, llamacpp or vllm; a second server of one kind has a name as llamacpp-2. Only the lists of their models are asked for until "memoir models use" chooses one.',
      default: USUAL_SERVERS,
    },
  },
  uses: {
    MEMOIR_DATA_DIR: serverSettings.settings.MEMOIR_DATA_DIR,
    MEMOIR_EMBEDDING_MODEL: embeddingSettings.settings.MEMOIR_EMBEDDING_MODEL,
  },
  view: (values): ModelsConfig => {
    const model = values.MEMOIR_EMBEDDING_MODEL;
    return {
      modelHub: values.MEMOIR_MODEL_HUB,
      languageHub: values.MEMOIR_OCR_HUB,
      embeddingModel: model ?? null,
      localServers: values.MEMOIR_LOCAL_SERVERS,
      local: {
        folder: resolve(values.MEMOIR_MODELS_DIR ?? join(values.MEMOIR_DATA_DIR, 'models')),
        setting:
          model === undefined ? null : model.startsWith(LOCAL_MODEL) ? model.slice(LOCAL_MODEL.length) : '',
        threads: values.MEMOIR_MODEL_THREADS,
        batchTokens: values.MEMOIR_MODEL_BATCH_TOKENS,
      },
    };
  },
});

/** The parts of the config that the embedders read. */
export const embedSettings = ({
  embedding,
  local,
  localServers,
}: EmbeddingConfig & ModelsConfig): EmbeddingConfig & Pick<ModelsConfig, 'local' | 'localServers'> => ({
  embedding,
  local,
  localServers,
});

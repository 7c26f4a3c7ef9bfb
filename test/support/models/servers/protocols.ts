// The pages that Ollama, LM Studio, llama.cpp's server and vLLM answer, as their documentation shows them.
import type { Protocol } from './stand-in.ts';

const openAiError = (status: number, message: string, type: string) => ({
  status,
  body: { error: { code: status, message, type } },
});

const tagOf = (name: string, size: number, family: string) => ({
  name,
  model: name,
  modified_at: '2026-05-04T14:56:49.277302595-07:00',
  size,
  digest: '9f438cb9cd581fc025612d27f7c1a6669ff83a8bb0ed86c94fcf4c5440555697',
  details: { parent_model: '', format: 'gguf', family, families: [family], parameter_size: '137M' },
});

const SHOWN: Readonly<Record<string, object>> = {
  'nomic-embed-text': {
    details: { family: 'nomic-bert' },
    model_info: {
      'general.architecture': 'nomic-bert',
      'nomic-bert.context_length': 2048,
      'nomic-bert.embedding_length': 768,
      'nomic-bert.pooling_type': 1,
    },
    capabilities: ['embedding'],
  },
  'llama3.2': {
    details: { family: 'llama' },
    model_info: {
      'general.architecture': 'llama',
      'llama.context_length': 131072,
      'llama.embedding_length': 3072,
    },
    capabilities: ['completion', 'tools'],
  },
};

export const ollamaProtocol: Protocol = {
  name: 'ollama',
  embedding: 'nomic-embed-text',
  chat: 'llama3.2',
  page(path, body) {
    if (path === '/api/version') return { version: '0.12.6' };
    if (path === '/api/show') return SHOWN[String((body as { model: string }).model)] ?? null;
    if (path !== '/api/tags') return null;
    return {
      models: [
        tagOf('nomic-embed-text:latest', 274_302_450, 'nomic-bert'),
        tagOf('llama3.2:latest', 2_019_393_189, 'llama'),
        { ...tagOf('gpt-oss:120b-cloud', 384, ''), remote_host: 'https://ollama.com:443' },
      ],
    };
  },
  withoutVectors: openAiError(
    501,
    'This server does not support embeddings. Start it with `--embeddings`',
    'api_error',
  ),
  tooLong: openAiError(400, 'the input length exceeds the context length', 'invalid_request_error'),
  unknownModel: (model) => openAiError(404, `model "${model}" not found, try pulling it first`, 'api_error'),
};

const lmStudioRow = (id: string, type: string, length: number) => ({
  id,
  object: 'model',
  type,
  publisher: 'nomic-ai',
  arch: 'nomic-bert',
  compatibility_type: 'gguf',
  quantization: 'Q4_0',
  state: 'not-loaded',
  max_context_length: length,
});

const LM_STUDIO_EMBEDDING = 'text-embedding-nomic-embed-text-v1.5';
const LM_STUDIO_CHAT = 'qwen2-vl-7b-instruct';

export const lmStudioProtocol: Protocol = {
  name: 'lmstudio',
  embedding: LM_STUDIO_EMBEDDING,
  chat: LM_STUDIO_CHAT,
  page: (path) =>
    path === '/api/v0/models'
      ? {
          object: 'list',
          data: [
            lmStudioRow(LM_STUDIO_CHAT, 'vlm', 32_768),
            lmStudioRow(LM_STUDIO_EMBEDDING, 'embeddings', 2_048),
          ],
        }
      : null,
  withoutVectors: openAiError(400, 'Model is not an embedding model.', 'invalid_request_error'),
  tooLong: openAiError(400, 'The prompt is too long for the context length', 'invalid_request_error'),
  unknownModel: (model) => openAiError(404, `Model "${model}" does not exist.`, 'invalid_request_error'),
};

const llamaCppRow = (id: string, length: number, dimensions: number) => ({
  id,
  object: 'model',
  created: 1_764_000_000,
  owned_by: 'llamacpp',
  meta: {
    vocab_type: 3,
    n_vocab: 30_522,
    n_ctx_train: length,
    n_embd: dimensions,
    n_params: 33_212_160,
    size: 36_685_152,
  },
});

/** As its router shows several models; a server of one model shows one. */
const llamaCppProtocol: Protocol = {
  name: 'llamacpp',
  embedding: 'ggml-org/embeddinggemma-300M-GGUF',
  chat: 'ggml-org/gemma-3-4b-it-GGUF',
  page: (path) =>
    path === '/v1/models'
      ? {
          object: 'list',
          data: [
            llamaCppRow('ggml-org/embeddinggemma-300M-GGUF', 2_048, 768),
            llamaCppRow('ggml-org/gemma-3-4b-it-GGUF', 131_072, 2_560),
          ],
        }
      : null,
  withoutVectors: openAiError(
    501,
    'This server does not support embeddings. Start it with `--embeddings`',
    'not_supported_error',
  ),
  tooLong: openAiError(
    500,
    'input is too large to process. increase the physical batch size',
    'server_error',
  ),
  unknownModel: (model) => openAiError(404, `model '${model}' not found`, 'not_found_error'),
};

const vllmRow = (id: string, length: number) => ({
  id,
  object: 'model',
  created: 1_764_000_000,
  owned_by: 'vllm',
  root: id,
  parent: null,
  max_model_len: length,
  permission: [{ id: 'modelperm-1', object: 'model_permission', allow_sampling: true }],
});

export const vllmProtocol: Protocol = {
  name: 'vllm',
  embedding: 'BAAI/bge-m3',
  chat: 'Qwen/Qwen3-8B',
  page: (path) =>
    path === '/v1/models'
      ? { object: 'list', data: [vllmRow('BAAI/bge-m3', 8_192), vllmRow('Qwen/Qwen3-8B', 40_960)] }
      : null,
  withoutVectors: openAiError(400, 'The model does not support Embeddings API', 'BadRequestError'),
  tooLong: openAiError(
    400,
    "This model's maximum context length is 512 tokens. However, you requested 900 tokens",
    'BadRequestError',
  ),
  unknownModel: (model) => openAiError(404, `The model \`${model}\` does not exist.`, 'NotFoundError'),
};

export const protocols: readonly Protocol[] = [
  ollamaProtocol,
  lmStudioProtocol,
  llamaCppProtocol,
  vllmProtocol,
];

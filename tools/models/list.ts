// Listing the models for this machine.
import { z } from 'zod';
import { operation } from '../operation.ts';
import { modelsOutput, serversOutput } from './schemas/models.ts';

export const listModels = operation({
  name: 'models.list',
  summary: 'List the models for this machine',
  description:
    'Returns the models for embedding and reranking that can run inside Memoir, with the state of each, and the models of servers that answer on the same machine (Ollama, LM Studio, llama.cpp, vLLM). Those servers are asked for nothing but their lists of models.',
  rest: { method: 'GET', path: '/v3/models', status: 200 },
  permission: 'read',
  reaches: 'organisation',
  input: z.object({}),
  output: modelsOutput.extend({ servers: serversOutput }),
  run: async (service) => {
    const [models, servers] = await Promise.all([service.models.list(), service.models.servers()]);
    return { models, servers };
  },
});

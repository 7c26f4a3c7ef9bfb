// Promises on models that run on the machine of the server.
import type { PromiseRow } from '../promise.ts';

export const models = [
  {
    id: 'models:list:state',
    source: 'ours',
    says: 'GET /v3/models lists the models with size, languages, licence and purpose, and says of each if it is installed, where its files came from, their SHA-256, the progress of its installation, and if searches use it.',
    ways: ['rest'],
  },
  {
    id: 'models:add:downloads',
    source: 'ours',
    says: 'POST /v3/models/{name} is answered at once with 202 and downloads the model and the packages that run it; a model that is not in the list fails with 404 that names the models there are.',
    ways: ['rest'],
  },
  {
    id: 'models:add:folder',
    source: 'ours',
    says: 'The files may come from a folder of the machine of the server, for its owner alone: over REST with a key, `from` fails with 400.',
    ways: ['rest'],
  },
  {
    id: 'models:use:reindexes',
    source: 'ours',
    says: 'POST /v3/models/{name}/use chooses an installed embedding model and embeds all content again with it, while searches and imports go on; "builtin" goes back. The choice stands after a restart.',
    ways: ['rest'],
  },
  {
    id: 'models:use:reranker',
    source: 'ours',
    says: 'POST /v3/models/{name}/use with a model for reranking makes it order the results of searches with rerank from the next search on, without a reindex; "builtin" with `for: "reranking"` goes back. The choice stands after a restart.',
    ways: ['rest'],
  },
  {
    id: 'models:use:refused',
    source: 'ours',
    says: 'Choosing a model fails with 409 when it is not installed, or when the settings of the server name a model for the same purpose, and with 400 when the model is for another purpose; nothing changes.',
    ways: ['rest'],
  },
  {
    id: 'models:servers:found',
    source: 'ours',
    says: 'GET /v3/models also lists the servers of models that answer on the machine of Memoir (Ollama, LM Studio, llama.cpp, vLLM at the addresses of MEMOIR_LOCAL_SERVERS), with their models and the purpose of each; nothing but these lists is asked for, no key is sent, and another program at such a port changes nothing.',
    ways: ['rest'],
  },
  {
    id: 'models:servers:embedding',
    source: 'ours',
    says: 'POST /v3/models/{name}/use takes the embedding model of such a server, as in `ollama:nomic-embed-text`, by an online reindex; "builtin" goes back. The choice stands after a restart, also while the server is gone: searches then use words, and the health report says so.',
    ways: ['rest'],
  },
  {
    id: 'models:servers:chat',
    source: 'ours',
    says: 'POST /v3/models/{name}/use takes the chat model of such a server for what OPENAI_MODEL does, at once and after a restart; "builtin" with `for: "chat"` goes back to the rules.',
    ways: ['rest'],
  },
  {
    id: 'models:servers:refused',
    source: 'ours',
    says: 'Choosing a model of such a server fails with 503 when the server does not answer, with 404 that names what there is when it has no such model, with 400 when the model is for another purpose, and with 409 when the settings name such a model; nothing changes.',
    ways: ['rest'],
  },
  {
    id: 'models:remove:in-use',
    source: 'ours',
    says: 'DELETE /v3/models/{name} erases the files of a model; a model that searches use, or will use, fails with 409.',
    ways: ['rest'],
  },
] as const satisfies readonly PromiseRow[];

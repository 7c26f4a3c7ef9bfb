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
    says: 'POST /v3/models/{name}/use chooses an installed model and embeds all content again with it, while searches and imports go on; "builtin" goes back. The choice stands after a restart.',
    ways: ['rest'],
  },
  {
    id: 'models:use:refused',
    source: 'ours',
    says: 'Choosing a model fails with 409 when it is not installed, or when the settings of the server name an embedding model; nothing changes.',
    ways: ['rest'],
  },
  {
    id: 'models:remove:in-use',
    source: 'ours',
    says: 'DELETE /v3/models/{name} erases the files of a model; a model that searches use, or will use, fails with 409.',
    ways: ['rest'],
  },
] as const satisfies readonly PromiseRow[];

// Promises about the paths of namespaces: version 5 of the published API, where its client leaves a meaning open.
import type { PromiseRow } from '../promise.ts';

export const namespaces = [
  {
    id: 'namespaces:documents:own',
    source: 'ours',
    says: 'A call to a namespace finds nothing outside it, also with a full key, and also when it writes. What lies elsewhere is answered like what does not exist.',
    ways: ['rest'],
  },
  {
    id: 'namespaces:documents:group',
    source: 'ours',
    says: 'The values of group are stored in the metadata, where filters find them, and only memories of the same group are the context of the document. A key that metadata has with another value gets 400.',
    ways: ['rest'],
  },
  {
    id: 'namespaces:files:replace',
    source: 'ours',
    says: 'A file takes the place of the content of any document, which keeps its id; one without a customId gets its id as customId. Metadata are merged key by key.',
    ways: ['rest'],
  },
  {
    id: 'namespaces:errors:words',
    source: 'ours',
    says: 'A refused request to a namespace gets 400 with the names of the fields as the request has them.',
    ways: ['rest'],
  },
  {
    id: 'namespaces:batch:failed',
    source: 'ours',
    says: 'In the answer to a batch, failed documents come last: each with the id that it was sent with, or an empty one, and with its address if its content is one.',
    ways: ['rest'],
  },
  {
    id: 'namespaces:filter:operators',
    source: 'ours',
    says: 'Filter expressions select as the filters of the other searches do; documents without the key match neq, notContains and arrayNotContains.',
    ways: ['rest'],
  },
  {
    id: 'namespaces:filter:refused',
    source: 'ours',
    says: 'A filter expression that cannot be read gets 400 with its place. It has the limits of filters: 200 conditions, 20 of them with contains, 8 levels.',
    ways: ['rest'],
  },
  {
    id: 'namespaces:list:memories',
    source: 'ours',
    says: 'A list of memories of a namespace holds latest versions: without forgotten and expired ones, unless it asks for them.',
    ways: ['rest'],
  },
  {
    id: 'namespaces:list:chunks',
    source: 'ours',
    says: 'A list of chunks of a namespace holds those of all its documents. Sorted by updatedAt, it follows the last change of the documents.',
    ways: ['rest'],
  },
  {
    id: 'namespaces:delete:move',
    source: 'ours',
    says: 'A namespace is deleted or moved with a full key. A move is a merge of container tags: it needs an existing target, and its operationId is the mergeId.',
    ways: ['rest'],
  },
  {
    id: 'namespaces:key:bound',
    source: 'ours',
    says: 'A key that is bound to container tags reaches the namespaces of these names and no others.',
    ways: ['rest'],
  },
  {
    id: 'namespaces:paths:described',
    source: 'ours',
    says: 'The paths of namespaces are left out of the API description, the SDK and the tools for agents, which have the same operations under one name each.',
    ways: ['rest'],
  },
] as const satisfies readonly PromiseRow[];

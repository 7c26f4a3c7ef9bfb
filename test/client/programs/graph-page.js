// A page with the published graph component over the documents of Memoir, as its users build it.
import { MemoryGraph } from '@supermemory/memory-graph';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';

const { url, key, containerTag } = globalThis.settings;

const answer = await fetch(`${url}/v3/documents/documents`, {
  method: 'POST',
  headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
  body: JSON.stringify({ containerTags: [containerTag], page: 1, limit: 100 }),
});
const { documents } = await answer.json();

createRoot(document.querySelector('#graph')).render(
  createElement(MemoryGraph, {
    documents: documents.map(({ type, memoryEntries, ...document }) => ({
      ...document,
      documentType: type,
      memories: memoryEntries,
    })),
    isLoading: false,
  }),
);

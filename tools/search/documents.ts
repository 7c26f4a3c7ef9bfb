// Searching, with documents and their matching chunks as the answer.
import { operation } from '../contract.ts';
import { searchDocumentsInput } from '../shared/search.ts';
import { searchDocumentsOutput } from '../shared/search-outputs.ts';

export const searchDocuments = operation({
  name: 'search.documents',
  summary: 'Search documents',
  description: 'Finds documents by meaning and by words; each comes with the chunks that match.',
  rest: { method: 'POST', path: '/v3/search', status: 200 },
  permission: 'read',
  reaches: 'tags',
  input: searchDocumentsInput,
  output: searchDocumentsOutput,
  tags: (input) => input.tags,
  errors: [404],
  examples: [
    { summary: 'A question', input: { q: 'When does the office close?', containerTag: 'office' } },
    {
      summary: 'Inside one document, with what stands around each match',
      input: { q: 'trains to Lyon', docId: 'chat-2026-03-01', onlyMatchingChunks: false },
    },
  ],
  run: (service, input, caller, signal) => service.search.documents(caller, input, signal),
});

// Searching documents; each result has its matching chunks.
import { operation } from '../operation.ts';
import { searchDocumentsInput } from './schemas/inputs.ts';
import { searchDocumentsOutput } from './schemas/outputs.ts';

export const searchDocuments = operation({
  name: 'search.documents',
  summary: 'Search documents',
  description: 'Finds documents by meaning and by words. Each document comes with its matching chunks.',
  rest: { method: 'POST', path: '/v3/search', status: 200 },
  permission: 'read',
  reaches: 'tags',
  input: searchDocumentsInput,
  output: searchDocumentsOutput,
  tags: (input) => input.tags,
  searches: true,
  errors: [404],
  examples: [
    { summary: 'A question', input: { q: 'When does the office close?', containerTag: 'office' } },
    {
      summary: 'Inside one document, with the text around each match',
      input: { q: 'trains to Lyon', docId: 'chat-2026-03-01', onlyMatchingChunks: false },
    },
  ],
  run: (service, input, caller, signal) => service.search.documents(caller, input, signal),
});

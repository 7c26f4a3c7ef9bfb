// Reading several documents with their memories, by their ids.
import { operation } from '../contract.ts';
import { withMemoriesOutput } from '../shared/document-outputs.ts';
import { byIdsInput } from '../shared/documents.ts';

export const documentsByIds = operation({
  name: 'documents.byIds',
  summary: 'Read several documents with their memories',
  description:
    'All on one page, the newest first. Ids that are not there, or outside what the key may use, are left out.',
  rest: { method: 'POST', path: '/v3/documents/documents/by-ids', status: 200 },
  permission: 'read',
  reaches: 'tags',
  input: byIdsInput,
  output: withMemoriesOutput,
  tags: (input) => input.tags,
  examples: [{ summary: 'By customId', input: { ids: ['chat-2026-03-01', 'closing'], by: 'customId' } }],
  run: (service, input, caller) => service.documents.byIds(caller, input),
});

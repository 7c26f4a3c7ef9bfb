// Reading several documents with their memories, by their ids.
import { operation } from '../operation.ts';
import { byIdsInput } from './schemas/inputs.ts';
import { withMemoriesOutput } from './schemas/outputs.ts';

export const documentsByIds = operation({
  name: 'documents.byIds',
  summary: 'Read several documents with their memories',
  description:
    'Returns all documents on one page, newest first. Ids that do not exist, or that the key may not access, are left out.',
  rest: { method: 'POST', path: '/v3/documents/documents/by-ids', status: 200 },
  permission: 'read',
  reaches: 'tags',
  input: byIdsInput,
  output: withMemoriesOutput,
  tags: (input) => input.tags,
  examples: [{ summary: 'By customId', input: { ids: ['chat-2026-03-01', 'closing'], by: 'customId' } }],
  run: (service, input, caller) => service.documents.byIds(caller, input),
});

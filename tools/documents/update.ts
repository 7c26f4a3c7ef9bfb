// Changing one document: its whole content, or what describes it.
import { operation } from '../contract.ts';
import { acceptedOutput } from '../shared/document-outputs.ts';
import { updateInput } from '../shared/documents.ts';

export const updateDocument = operation({
  name: 'documents.update',
  summary: 'Update a document',
  description:
    'New content replaces the old and is processed again as a whole. Metadata alone is changed in place: given keys replace, others stay, and searches see it at once.',
  rest: { method: 'PATCH', path: '/v3/documents/{id}', status: 200 },
  permission: 'write',
  reaches: 'document',
  input: updateInput,
  output: acceptedOutput,
  tags: (input) => input.tags,
  errors: [409],
  examples: [
    { summary: 'Metadata alone', input: { id: 'chat-2026-03-01', metadata: { reviewed: true } } },
    { summary: 'New content', input: { id: 'closing', content: 'The office closes at seven.' } },
  ],
  run: (service, input, caller) => service.documents.update(caller, input.id, input),
});

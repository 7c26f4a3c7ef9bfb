// Changing one document: its whole content, or only its metadata.
import { operation } from '../operation.ts';
import { updateInput } from './schemas/inputs.ts';
import { updatedOutput } from './schemas/outputs.ts';

export const updateDocument = operation({
  name: 'documents.update',
  summary: 'Update a document',
  description:
    'New content replaces the old content and is processed as a whole. If only metadata is sent, it is changed in place: the given keys get new values, other keys stay, and searches use the new values at once.',
  rest: { method: 'PATCH', path: '/v3/documents/{id}', status: 200 },
  permission: 'write',
  reaches: 'document',
  input: updateInput,
  output: updatedOutput,
  tags: (input) => input.tags,
  errors: [404, 409],
  examples: [
    { summary: 'Metadata alone', input: { id: 'chat-2026-03-01', metadata: { reviewed: true } } },
    { summary: 'New content', input: { id: 'closing', content: 'The office closes at seven.' } },
  ],
  run: (service, input, caller) => service.documents.update(caller, input.id, input),
});

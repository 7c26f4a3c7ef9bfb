// Reading one document with its processing status.
import { operation } from '../operation.ts';
import { referenceInput } from './schemas/inputs.ts';
import { documentOutput } from './schemas/outputs.ts';

export const getDocument = operation({
  name: 'documents.get',
  summary: 'Read a document',
  description:
    'Returns the whole document with its status. Poll it until the status is done or failed. A failure contains the reason, and whether a retry can help.',
  rest: { method: 'GET', path: '/v3/documents/{id}', status: 200 },
  permission: 'read',
  reaches: 'document',
  input: referenceInput,
  output: documentOutput,
  tags: () => undefined,
  run: (service, input, caller) => service.documents.get(caller, input.id),
});

// Reading one document, and how far its processing is.
import { operation } from '../contract.ts';
import { documentOutput } from '../shared/document-outputs.ts';
import { referenceInput } from '../shared/documents.ts';

export const getDocument = operation({
  name: 'documents.get',
  summary: 'Read a document',
  description:
    'Gives the whole document with its status; poll it until the status is done or failed. A failure says why and whether sending it again may help.',
  rest: { method: 'GET', path: '/v3/documents/{id}', status: 200 },
  permission: 'read',
  reaches: 'document',
  input: referenceInput,
  output: documentOutput,
  tags: () => undefined,
  run: (service, input, caller) => service.documents.get(caller, input.id),
});

// The original of an uploaded file.
import { operation } from '../contract.ts';
import { fileUrlOutput } from '../shared/document-outputs.ts';
import { referenceInput } from '../shared/documents.ts';

export const fileUrl = operation({
  name: 'documents.fileUrl',
  summary: 'Get the original file',
  description:
    'Gives a link to the file as it was uploaded. The link works without a key for 24 hours, for this file alone, and not longer than the document is there. 404 also when the document was not uploaded.',
  rest: { method: 'GET', path: '/v3/documents/{id}/file-url', status: 200 },
  permission: 'read',
  reaches: 'document',
  input: referenceInput,
  output: fileUrlOutput,
  tags: () => undefined,
  run: (service, input, caller) => service.files.link(caller, input.id),
});

// The original of an uploaded file.
import { operation } from '../operation.ts';
import { referenceInput } from './schemas/inputs.ts';
import { fileUrlOutput } from './schemas/outputs.ts';

export const fileUrl = operation({
  name: 'documents.fileUrl',
  summary: 'Get the original file',
  description:
    'Returns a link to the uploaded file. The link needs no key, is valid for 24 hours and gives access to this file only. It stops working when the document is deleted. Returns 404 if the document was not uploaded as a file.',
  rest: { method: 'GET', path: '/v3/documents/{id}/file-url', status: 200 },
  permission: 'read',
  reaches: 'document',
  input: referenceInput,
  output: fileUrlOutput,
  tags: () => undefined,
  run: (service, input, caller) => service.files.link(caller, input.id),
});

// Uploading one file.
import { operation } from '../contract.ts';
import { acceptedOutput } from '../shared/document-outputs.ts';
import { handOver } from '../shared/files.ts';
import { uploadInput } from '../shared/upload.ts';

export const uploadFile = operation({
  name: 'documents.uploadFile',
  summary: 'Upload a file',
  description:
    'Takes a file as a multipart form and answers as soon as it is safe on the disk; it is read afterwards: PDF, Office, tables, images, audio, video, text. Poll the document until its status is done or failed. Another file under the same customId takes the place of the former. The parts may come in any order.',
  rest: { method: 'POST', path: '/v3/documents/file', status: 200, fields: 'form' },
  permission: 'write',
  reaches: 'tags',
  input: uploadInput,
  output: acceptedOutput,
  tags: (input) => input.tags,
  run: (service, input, caller) => service.documents.upload(caller, { ...input, file: handOver(input.file) }),
});

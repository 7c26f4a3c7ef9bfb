// Uploading one file.
import { operation } from '../operation.ts';
import { handOver } from './schemas/file.ts';
import { acceptedOutput } from './schemas/outputs.ts';
import { uploadInput } from './schemas/upload.ts';

export const uploadFile = operation({
  name: 'documents.uploadFile',
  summary: 'Upload a file',
  description:
    'Takes a file as a multipart form and returns as soon as the file is stored on disk; processing follows in the background. Supported: PDF, Office, tables, images, audio, video, text. Poll the document until its status is done or failed. A new file under the same customId replaces the old one. The form parts can be in any order.',
  rest: { method: 'POST', path: '/v3/documents/file', status: 200, fields: 'form' },
  permission: 'write',
  reaches: 'tags',
  input: uploadInput,
  output: acceptedOutput,
  tags: (input) => input.tags,
  adds: ({ file }) => ({ documents: 1, bytes: file.bytes }),
  errors: [404, 409],
  run: (service, input, caller) => service.documents.upload(caller, { ...input, file: handOver(input.file) }),
});

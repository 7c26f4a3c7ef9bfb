// Compacting the database: free space goes back to the disk, and no erased word is left in the files.
import { z } from 'zod';
import { operation } from '../operation.ts';
import { storageOutput } from './schemas/storage.ts';

export const compactStorage = operation({
  name: 'storage.compact',
  summary: 'Compact the database',
  description:
    'Erases what was deleted, then rewrites the database without free space and without leftovers of erased text. Returns at once; see the progress with GET /v3/storage. Searches and reads go on meanwhile; writes wait until it is done. Needs free disk space of about twice the size of the database; 507 if there is less.',
  rest: { method: 'POST', path: '/v3/storage/compact', status: 202 },
  permission: 'write',
  reaches: 'organisation',
  audits: 'storage.compact',
  input: z.object({}),
  output: storageOutput,
  errors: [507],
  run: (service, _input, caller) => service.audit.after(caller, {}, () => service.storage.compact()),
});

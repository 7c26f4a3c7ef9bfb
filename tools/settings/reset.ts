// Deleting all data of the organisation except its keys.
import { operation } from '../operation.ts';
import { resetInput, resetOutput } from './schemas/settings.ts';

export const resetSettings = operation({
  name: 'settings.reset',
  summary: 'Delete everything except keys and members',
  description:
    'Permanent: deletes all documents, memories and settings, and all container tags except the default one. Keys and members stay. Only an owner, or a key with the rights of one, may do it.',
  rest: { method: 'POST', path: '/v3/settings/reset', status: 200 },
  permission: 'write',
  reaches: 'organisation',
  audits: 'settings.reset',
  role: 'owner',
  input: resetInput,
  output: resetOutput,
  run: (service, input, caller) => service.settings.reset(input.confirmation, caller),
});

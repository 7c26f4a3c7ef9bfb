// Emptying the organisation.
import { operation } from '../contract.ts';
import { resetInput, resetOutput } from '../shared/settings.ts';

export const resetSettings = operation({
  name: 'settings.reset',
  summary: 'Delete everything but the keys',
  description:
    'Permanent: deletes all documents, memories, container tags but the default one, and settings. Keys stay.',
  rest: { method: 'POST', path: '/v3/settings/reset', status: 200 },
  permission: 'write',
  reaches: 'organisation',
  input: resetInput,
  output: resetOutput,
  run: (service, input) => service.settings.reset(input.confirmation),
});

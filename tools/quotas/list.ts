// Reading the quotas.
import { z } from 'zod';
import { operation } from '../operation.ts';
import { quotasOutput } from './schemas/quotas.ts';

export const listQuotas = operation({
  name: 'quotas.list',
  summary: 'List quotas',
  description:
    'Returns every quota of a key, a member or a container tag with what is used of it. None is set by default.',
  rest: { method: 'GET', path: '/v3/quotas', status: 200 },
  permission: 'read',
  reaches: 'organisation',
  input: z.object({}),
  output: quotasOutput,
  run: (service, _input, caller) => service.usage.quotas.list(caller),
});

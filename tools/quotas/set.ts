// Setting the quotas of a key, a member or a container tag.
import { operation } from '../operation.ts';
import { quotasOutput, setQuotasInput } from './schemas/quotas.ts';

export const setQuotas = operation({
  name: 'quotas.set',
  summary: 'Set quotas',
  description:
    'Limits what a key, a member or a container tag may use in a day or a month: documents, bytes of content, searches and tokens of language models. Beyond one, calls get 429 until the day or month ends. A key sets no quota of its own.',
  rest: { method: 'PUT', path: '/v3/quotas', status: 200 },
  permission: 'write',
  reaches: 'organisation',
  audits: 'quota.change',
  input: setQuotasInput,
  output: quotasOutput,
  errors: [403, 404],
  examples: [
    {
      summary: 'At most a thousand documents a day under a tag',
      input: { of: 'tag', id: 'user_ada', quotas: { documentsPerDay: 1_000 } },
    },
  ],
  run: (service, input, caller) => service.usage.quotas.set(caller, input),
});

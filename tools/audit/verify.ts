// Comparing the chain of the audit log.
import { z } from 'zod';
import { operation } from '../operation.ts';
import { auditVerifyOutput } from './schemas/audit.ts';

export const verifyAudit = operation({
  name: 'audit.verify',
  summary: 'Verify the audit log',
  description:
    'Computes the hash of every row of the audit log again, and names the first row that was changed, left out or put in. Needs a key with full access.',
  rest: { method: 'GET', path: '/v3/audit/verify', status: 200 },
  permission: 'read',
  reaches: 'organisation',
  input: z.object({}),
  output: auditVerifyOutput,
  run: (service, _input, caller) => service.audit.verify(caller),
});

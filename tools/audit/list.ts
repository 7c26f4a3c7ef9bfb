// Reading the audit log.
import { operation } from '../operation.ts';
import { auditListOutput, auditQueryInput } from './schemas/audit.ts';

export const listAudit = operation({
  name: 'audit.list',
  summary: 'Read the audit log',
  description:
    'Returns who changed keys, grants, settings, tags, connections and models, and who deleted documents or forgot memories. Needs a key with full access.',
  rest: { method: 'GET', path: '/v3/audit', status: 200 },
  permission: 'read',
  reaches: 'organisation',
  input: auditQueryInput,
  output: auditListOutput,
  examples: [{ summary: 'All changes of keys', input: { action: 'key', limit: 50 } }],
  run: (service, input, caller) => service.audit.list(caller, input),
});

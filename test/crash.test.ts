// Runs the crash test briefly; `npm run test:crash` runs it at length.
import { expect } from 'vitest';
import { crashTest } from './crash/run.ts';
import { verifies } from './spec/verifies.ts';

verifies(
  [
    'resend:in-flight:processed-after',
    'documents:delete:in-flight',
    'documents:delete:erased',
    'documents:delete:memories',
    'processing:done:retrievable',
    'tags:merge:resumed',
    'tags:delete:shared-documents',
    'upload:aborted:nothing-left',
    'upload:deleted:erased',
  ],
  'a server that is killed at any moment comes back with every acknowledged document and memory, once, and with no deleted one',
  async () => {
    const said: string[] = [];
    const report = await crashTest({ rounds: 3, seed: 20_260_301, say: (line) => said.push(line) });
    expect(report.kills).toBeGreaterThanOrEqual(3);
    expect(report.documents, said.join('\n')).toBeGreaterThan(10);
  },
  { timeoutMs: 120_000 },
);

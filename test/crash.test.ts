// The crash test in short: npm run test:crash runs it at length.
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
  'killed at any moment, it comes back with everything that was acknowledged and every memory of it, once, and nothing that was deleted',
  async () => {
    const said: string[] = [];
    const report = await crashTest({ rounds: 3, seed: 20_260_301, say: (line) => said.push(line) });
    expect(report.kills).toBeGreaterThanOrEqual(3);
    expect(report.documents, said.join('\n')).toBeGreaterThan(10);
  },
  { timeoutMs: 120_000 },
);

// The writes of usage. A crash may lose the last seconds of it anyway, so they do not wait for the disk.
import type { AuditNote } from '../../../core/audit.ts';
import type { Writer } from '../engine/writer.ts';
import type { UsageBatch, UsagePruning } from '../ports/usage/analytics.ts';
import type { QuotaChange } from '../ports/usage/quotas.ts';
import { changeQuotas } from '../queries/usage/quotas.ts';
import { moveOldestHour, pruneDays, pruneRequests, writeUsage } from '../queries/usage/write.ts';
import { type Audited, ifDone } from './audited.ts';

export const createUsageCommands = (writer: Writer, audited: Audited) => ({
  changeQuotas: (change: QuotaChange, note?: AuditNote | null) =>
    writer.write(
      audited(note, (tx) => changeQuotas(tx, change), ifDone),
      'access',
    ),
  writeUsage: (batch: UsageBatch) => writer.together((tx) => writeUsage(tx, batch), 'repeatable'),
  /** In slices, so that other writes do not wait for it. */
  pruneUsage: async (pruning: UsagePruning): Promise<void> => {
    while (await writer.write((tx) => moveOldestHour(tx, pruning.hoursBefore), 'repeatable'));
    while (await writer.write((tx) => pruneRequests(tx, pruning), 'repeatable'));
    await writer.write((tx) => pruneDays(tx, pruning), 'repeatable');
  },
});

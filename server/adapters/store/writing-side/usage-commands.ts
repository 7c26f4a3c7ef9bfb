// The writes of usage. A crash may lose the last seconds of it anyway, so they do not wait for the disk.
import type { Writer } from '../engine/writer.ts';
import type { UsageBatch, UsagePruning } from '../ports/records/analytics.ts';
import { moveOldestHour, pruneDays, pruneRequests, writeUsage } from '../queries/usage/write.ts';

export const createUsageCommands = (writer: Writer) => ({
  writeUsage: (batch: UsageBatch) => writer.write((tx) => writeUsage(tx, batch), 'repeatable'),
  /** In slices, so that other writes do not wait for it. */
  pruneUsage: async (pruning: UsagePruning): Promise<void> => {
    while (await writer.write((tx) => moveOldestHour(tx, pruning.hoursBefore), 'repeatable'));
    while (await writer.write((tx) => pruneRequests(tx, pruning), 'repeatable'));
    await writer.write((tx) => pruneDays(tx, pruning), 'repeatable');
  },
});

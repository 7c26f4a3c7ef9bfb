// The row of the audit log belongs to the transaction of its change: there is none without the other.
import type { AuditDetails, AuditNote } from '../../../core/audit.ts';
import type { Writer, WriteWork } from '../engine/writer.ts';
import type { AuditPruning } from '../ports/audit.ts';
import { appendAudit, pruneAudit } from '../queries/audit/append.ts';
import { noteOnce } from '../statements/note-once.ts';

/** The part that the outcome of a change adds to its row; null: nothing was changed, so there is no row. */
export type Outcome<T> = (result: T) => AuditDetails | null;

export type Audited = <T>(
  note: AuditNote | null | undefined,
  work: WriteWork<T>,
  outcome?: Outcome<T>,
) => WriteWork<T>;

const always = (): AuditDetails => ({});

/** The details of a change that answers false where there was nothing to change. */
export const ifDone = (done: boolean): AuditDetails | null => (done ? {} : null);

export const createAudited =
  (now: () => number): Audited =>
  (note, work, outcome = always) =>
  async (tx) => {
    const result = await work(tx);
    const details = note == null ? null : outcome(result);
    if (note != null && details !== null)
      await appendAudit(tx, { ...note, details: { ...note.details, ...details } }, now());
    return result;
  };

/** The mode of a server that was never told otherwise. */
const FIRST_MODE = 'meta';

export const createAuditCommands = (writer: Writer, audited: Audited, now: () => number) => ({
  noteRequestLog: (mode: string, note: AuditNote) =>
    writer.write(
      audited(note, (tx) => noteOnce(tx, { key: 'requestLog', value: mode, former: FIRST_MODE }), ifDone),
      'access',
    ),
  appendAudit: (note: AuditNote) => writer.write((tx) => appendAudit(tx, note, now()), 'access'),
  pruneAudit: async (pruning: AuditPruning): Promise<number> => {
    let rows = 0;
    for (;;) {
      const slice = await writer.write((tx) => pruneAudit(tx, pruning, now()), 'ingest');
      rows += slice.rows;
      if (!slice.more) return rows;
    }
  },
});

// Brings forward what waits for a time that the clock no longer reaches soon, because the clock was set back.
import { run } from '../../engine/run.ts';
import { IN_WORK_TEXT } from '../../statements/documents/document-steps.ts';
import type { Db } from '../../tables/tables.ts';

/** At once, or after the longest wait if it failed before. */
const latestDue = (attempts: string): string =>
  `cast($1 as bigint) + case when ${attempts} = 0 then 0 else cast($2 as bigint) end`;

const DUE = latestDue('attempts');
const MEMORY_DUE = latestDue('memory_attempts');

/** Conditions are written out for the partial indexes of the migrations. */
const STATEMENTS = [
  `update documents set due_at = ${DUE}
     where lease is null and deleted = 0 and ${IN_WORK_TEXT}
       and due_at > ${DUE}
     returning n`,
  `update documents set memory_due_at = ${MEMORY_DUE}
     where deleted = 0 and memory_state = 'waiting'
       and memory_due_at > ${MEMORY_DUE}
     returning n`,
] as const;

/** Documents that never failed are due at once, others after the longest wait at most. Returns their number. */
export const bringForward = async (tx: Db, longestMs: number, now: number): Promise<number> => {
  const brought = new Set<number>();
  for (const statement of STATEMENTS)
    for (const { n } of (await run<{ n: number }>(tx, statement, [now, longestMs])).rows) brought.add(n);
  return brought.size;
};

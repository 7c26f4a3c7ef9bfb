// Brings forward what waits for a time that the clock no longer reaches soon, because the clock was set back.
import { run } from '../../statements/run.ts';
import type { Db } from '../../tables/tables.ts';

/** Conditions are written out as in the partial indexes of the migrations. */
const STATEMENTS = [
  `update documents set due_at = case when attempts = 0 then ?1 else min(due_at, ?1 + ?2) end
     where lease is null and deleted = 0 and step not in ('done', 'failed')
       and due_at > case when attempts = 0 then ?1 else ?1 + ?2 end
     returning n`,
  `update documents set memory_due_at = case when memory_attempts = 0 then ?1 else min(memory_due_at, ?1 + ?2) end
     where deleted = 0 and memory_state = 'waiting'
       and memory_due_at > case when memory_attempts = 0 then ?1 else ?1 + ?2 end
     returning n`,
] as const;

/** Documents that never failed are due at once, others after the longest wait at most. Returns their number. */
export const bringForward = async (tx: Db, longestMs: number, now: number): Promise<number> => {
  const brought = new Set<number>();
  for (const statement of STATEMENTS)
    for (const { n } of (await run<{ n: number }>(tx, statement, [now, longestMs])).rows) brought.add(n);
  return brought.size;
};

// The step that a caller sees. The pipeline is through with a document when it can be searched; a document that was
// sent with dreaming "instant" is done only when its memories are there as well.
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Step } from '../port.ts';
import type { Db, DocumentsTable } from '../tables.ts';

type Standing = Pick<DocumentsTable, 'step' | 'dreaming'> & { memory_state: string };

/** Written out as in the partial index of the migration: with parameters in it SQLite would not use it. */
export const AWAITED = sql<SqlBool>`(memory_state = 'waiting' and dreaming = 'instant')`;

const isAwaited = (row: Standing): boolean => row.memory_state === 'waiting' && row.dreaming === 'instant';

export const stepOf = (row: Standing): Step =>
  row.step === 'done' && isAwaited(row) ? 'embedding' : (row.step as Step);

const STEP = sql<string>`case when step = 'done' and ${AWAITED} then 'embedding' else step end`;

export const hasStep = (steps: readonly Step[]): RawBuilder<SqlBool> =>
  sql`(${STEP} in (${sql.join(steps)}))`;

/** Whether the document's memories have still to be drawn before it is done. */
export const awaitsMemories = async (tx: Db, n: number): Promise<boolean> =>
  (await tx.selectFrom('documents').select('n').where('n', '=', n).where(AWAITED).executeTakeFirst()) !==
  undefined;

// The step that a caller sees. The pipeline has finished a document when it can be searched; a document that was
// sent with dreaming "instant" is done only when its memories are stored as well.
import { type RawBuilder, type SqlBool, sql } from '#kysely';
import type { DocumentStep } from '../../ports/documents.ts';
import type { Db, DocumentsTable } from '../../tables/tables.ts';

type Standing = Pick<DocumentsTable, 'step' | 'dreaming'> & { memory_state: string };

/** Written out as in the partial index of the migration: with parameters in it SQLite would not use it. */
export const AWAITS_INSTANT_MEMORIES_TEXT = `(memory_state = 'waiting' and dreaming = 'instant')`;
const AWAITS_INSTANT_MEMORIES = sql.raw<SqlBool>(AWAITS_INSTANT_MEMORIES_TEXT);

/** Written out for the index of unfinished documents: with "not in" alone, SQLite reads every document. */
export const IN_WORK_TEXT = `step <> 'done' and step in ('queued', 'extracting', 'chunking', 'embedding')`;

const awaitsInstantMemories = (row: Standing): boolean =>
  row.memory_state === 'waiting' && row.dreaming === 'instant';

export const visibleStep = (row: Standing): DocumentStep =>
  row.step === 'done' && awaitsInstantMemories(row) ? 'embedding' : (row.step as DocumentStep);

const STEP = sql<string>`case when step = 'done' and ${AWAITS_INSTANT_MEMORIES} then 'embedding' else step end`;

export const hasStep = (steps: readonly DocumentStep[]): RawBuilder<SqlBool> =>
  sql`(${STEP} in (${sql.join(steps)}))`;

/** True while the memories of the document have to be drawn before it is done. */
export const awaitsMemories = async (tx: Db, n: number): Promise<boolean> =>
  (await tx
    .selectFrom('documents')
    .select('n')
    .where('n', '=', n)
    .where(AWAITS_INSTANT_MEMORIES)
    .executeTakeFirst()) !== undefined;

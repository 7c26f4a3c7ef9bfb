// The upkeep of the database as ingestion asks for it. PostgreSQL gives erased space back to its own tables, and files keep
// their size.
import type { Pool } from 'pg';
import type { Upkeep } from '../ports/ingestion/erasing.ts';
import { executeLarge } from './connection.ts';

/** The tables whose rows hold content, or words of it. */
const ERASED = [
  ...['documents', 'submissions', 'document_meta', 'files', 'chunks', 'chunk_words'],
  ...['memories', 'memory_words', 'vector_rows', 'exact_vectors', 'vector_outbox'],
].join(', ');

export const postgresUpkeep = (pool: Pool, forget: (mark: string) => Promise<void>): Upkeep => {
  const vacuum = (): Promise<void> => executeLarge(pool, `vacuum ${ERASED}`);
  return {
    async space() {
      const { rows } = await pool.query<{ bytes: number }>(
        'select pg_database_size(current_database()) as bytes',
      );
      return { bytes: rows[0]?.bytes ?? 0, freeBytes: 0 };
    },
    // Nothing is copied: rows that were erased make room in their own tables.
    room: async () => ({ neededBytes: 0, availableBytes: 0 }),
    async compact(report) {
      report({ step: 'replacing', done: 0, total: 1 });
      await vacuum();
    },
    async scrub(mark) {
      await vacuum();
      if (mark !== null) await forget(mark);
    },
  };
};

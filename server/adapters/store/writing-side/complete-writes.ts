// Repeats a write that related memories to statements which nobody had read: they are read between two transactions.
import type { Writer } from '../engine/writer.ts';
import type { WriterRelating } from '../ports/remembering.ts';

/** Rolls back what was written with incomplete relations. */
class IncompleteRelations extends Error {
  readonly statements: readonly string[];

  constructor(statements: readonly string[]) {
    super(`${statements.length} statements have to be read before their relations are known.`);
    this.statements = statements;
  }
}

export const completeWrites = <Of extends Writer>(writer: Of, relating: WriterRelating | null): Of => {
  if (relating === null) return writer;
  return {
    ...writer,
    async write(work, priority) {
      // Keys and grants relate nothing, and on PostgreSQL they are written while another write is under way.
      if (priority === 'access') return writer.write(work, priority);
      for (;;) {
        try {
          return await writer.write(async (tx) => {
            relating.unread();
            const result = await work(tx);
            const statements = relating.unread();
            if (statements.length > 0) throw new IncompleteRelations(statements);
            return result;
          }, priority);
        } catch (error) {
          if (!(error instanceof IncompleteRelations)) throw error;
          await relating.read(error.statements);
        }
      }
    },
  };
};

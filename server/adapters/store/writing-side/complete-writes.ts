// Repeats a write that related memories to statements which nobody had read: they are read between two transactions.
import type { Writer, WriteWork } from '../engine/writer.ts';
import type { WriterRelating } from '../ports/memories/remembering.ts';

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
  const completely = async <T>(work: WriteWork<T>, write: (work: WriteWork<T>) => Promise<T>): Promise<T> => {
    for (;;) {
      try {
        return await write(async (tx) => {
          const { result, unread } = await relating.noting(() => work(tx));
          if (unread.length > 0) throw new IncompleteRelations(unread);
          return result;
        });
      } catch (error) {
        if (!(error instanceof IncompleteRelations)) throw error;
        await relating.read(error.statements);
      }
    }
  };
  return {
    ...writer,
    write: (work, ...how) => completely(work, (complete) => writer.write(complete, ...how)),
    together: (work, ...how) => completely(work, (complete) => writer.together(complete, ...how)),
  };
};

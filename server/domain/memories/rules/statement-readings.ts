// Readings of finished statements, in a form that crosses threads: one thread reads them, and the model of English loads there alone.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { StatementTraits } from '../../../adapters/language-model/ports/memory-reader.ts';
import type { Steps } from '../../../lib/async/steps.ts';
import type { Alias, Grammar, RuleFact } from './language.ts';

export interface StatementReading {
  readonly fact: RuleFact | null;
  readonly aliases: readonly Alias[];
}

export type ReadStatements = (statements: readonly string[]) => Promise<readonly StatementReading[]>;

const UNREAD: StatementReading = { fact: null, aliases: [] };

export const subjectIn = ({ fact }: StatementReading): Pick<StatementTraits, 'slot' | 'about'> => ({
  slot: fact?.slot ?? null,
  about: fact?.about ?? null,
});

/** One statement at a step. */
export function* readEach(
  statements: readonly string[],
  { factOf, aliasesOf }: Grammar,
): Steps<StatementReading[]> {
  const readings: StatementReading[] = [];
  for (const statement of statements) {
    readings.push({ fact: factOf(statement), aliases: aliasesOf(statement) });
    yield;
  }
  return readings;
}

/** A grammar of the statements that another thread has read so far. */
export interface RememberedGrammar {
  readonly grammar: Grammar;
  /** `unread`: statements that the work asked for and that nobody has read. Several works may run at the same time. */
  noting<T>(work: () => Promise<T>): Promise<{ result: T; unread: readonly string[] }>;
  read(statements: readonly string[]): Promise<void>;
}

const MOST = 4_096;

export const createRememberedGrammar = (readStatements: ReadStatements): RememberedGrammar => {
  const readings = new Map<string, StatementReading>();
  const missed = new AsyncLocalStorage<Set<string>>();
  let waiting = 0;
  const readingOf = (statement: string): StatementReading => {
    const known = readings.get(statement);
    if (!known) missed.getStore()?.add(statement);
    return known ?? UNREAD;
  };
  return {
    grammar: {
      factOf: (statement) => readingOf(statement).fact,
      aliasesOf: (statement) => readingOf(statement).aliases,
    },
    async noting(work) {
      const unread = new Set<string>();
      const result = await missed.run(unread, work);
      return { result, unread: [...unread] };
    },
    async read(statements) {
      // A reading that is dropped while a write waits for it would be asked for again.
      if (waiting === 0 && readings.size > MOST) readings.clear();
      waiting += 1;
      try {
        const read = await readStatements(statements);
        for (const [at, statement] of statements.entries()) readings.set(statement, read[at] ?? UNREAD);
      } finally {
        waiting -= 1;
      }
    },
  };
};

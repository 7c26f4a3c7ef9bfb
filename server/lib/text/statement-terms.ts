// The terms under which a statement is found.
import { analyse, analyseCharacters } from './analyse.ts';
import { stemsOf } from './stems.ts';

export interface StatementTerms {
  readonly body: readonly string[];
  /** Single characters that are words inside longer runs. */
  readonly characters: readonly string[];
  readonly stems: readonly string[];
}

export const statementTerms = (statement: string): StatementTerms => ({
  body: analyse(statement),
  characters: analyseCharacters(statement),
  stems: stemsOf(statement),
});

/** As the keyword index stores them. */
export const indexedText = ({ body, characters, stems }: StatementTerms): string =>
  [...body, ...characters, ...stems].join(' ');

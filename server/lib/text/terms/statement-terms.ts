// The terms under which a statement is found.
import { analyseCharacters, termsOfWords, wordsOfText } from './analyse.ts';
import { stemsOfText } from './stems.ts';

export interface StatementTerms {
  readonly body: readonly string[];
  /** Single characters that are words inside longer runs. */
  readonly characters: readonly string[];
  readonly stems: readonly string[];
}

export const statementTerms = (statement: string): StatementTerms => {
  const words = wordsOfText(statement);
  return {
    body: termsOfWords(words),
    characters: analyseCharacters(statement),
    stems: stemsOfText(statement, words),
  };
};

/** As the keyword index stores them. */
export const indexedText = ({ body, characters, stems }: StatementTerms): string =>
  [...body, ...characters, ...stems].join(' ');

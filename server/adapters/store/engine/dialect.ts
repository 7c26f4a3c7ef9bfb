// The shared language of statements: SQL that PostgreSQL and SQLite both understand, with parameters as $1, and the words
// below where the two differ. A database replaces the words and the parameters when it prepares a statement.
import { DefaultQueryCompiler, type LimitNode } from '#kysely';

/** Each word with its arguments, as the database says it. */
export interface SharedWords {
  /** A parameter. `inOrder`: those of the statement are $1, $2 and so on, each of them once. */
  parameter(n: string, inOrder: boolean): string;
  /** Rows with the column `value`, from one parameter: a list of numbers in JSON. */
  number_list(list: string): string;
  /** The same of texts. */
  text_list(list: string): string;
  /** Rows with the column `at`, from 0, and the named columns, from one parameter: a list of lists of numbers in JSON. */
  number_rows(list: string, ...columns: string[]): string;
  /** An aggregate: the numbers of all rows as a list in JSON; `[]` of no rows. */
  group_list(number: string): string;
  /** An aggregate: the bytes of all rows, one after another; null of no rows. */
  group_bytes(bytes: string): string;
  /** Rows with the column `n`: the chunks that hold the words of an expression of the keyword index. */
  chunks_holding(expression: string): string;
  memories_holding(expression: string): string;
  /** The place of the second text in the first, from 1; 0: it is not there. */
  text_place(text: string, part: string): string;
  /** True if the two are equal, of which the first has an index. */
  same_value(stored: string, wanted: string): string;
  /** True. A point before a comparison that may take long: the statement can be ended there. */
  interruptible(): string;
}

/** Arguments hold at most one pair of parentheses. */
const SHARED_WORD =
  /\b(number_list|text_list|number_rows|group_list|group_bytes|chunks_holding|memories_holding|text_place|same_value|interruptible)\(((?:[^()]|\([^()]*\))*)\)/g;
const PARAMETER = /\$(\d+)/g;

type Word = Exclude<keyof SharedWords, 'parameter'>;

const isInOrder = (statement: string): boolean =>
  [...statement.matchAll(PARAMETER)].every(([, n], at) => Number(n) === at + 1);

export const translate = (statement: string, words: SharedWords): string => {
  const said = statement.replace(SHARED_WORD, (_, word: Word, given: string) => {
    const say: (...given: string[]) => string = words[word];
    return say(...given.split(',').map((each) => each.trim()));
  });
  const inOrder = isInOrder(said);
  return said.replace(PARAMETER, (_, n: string) => words.parameter(n, inOrder));
};

/**
 * SQLite prepares a statement again at each run if its plan may depend on the value of a parameter: that of a limit,
 * or one that a partial index is compared with. Such a value is hidden from the plan here, or written into the
 * statement (`sql.lit`); on the way of a search preparing costs more than running.
 */
export class SharedCompiler extends DefaultQueryCompiler {
  protected override visitLimit(node: LimitNode): void {
    this.append('limit 0 + ');
    this.visitNode(node.limit);
  }
}

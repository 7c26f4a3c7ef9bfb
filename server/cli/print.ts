// Everything that commands write: answers on stdout, what is said beside them on stderr.
import { styleText } from 'node:util';
import { tame } from './text.ts';

export interface Print {
  /** Characters in a line; 80 where there is no terminal. */
  readonly columns: number;
  /** An answer: people read the lines, programs the value as JSON. */
  answer(value: unknown, lines: readonly string[]): void;
  /** Said beside the answer. */
  note(text: string): void;
  /** Shown on a terminal until something else is; elsewhere nothing. */
  progress(text: string): void;
  /** One of many things is done: a line where there is no terminal, for there the progress is not seen. */
  step(text: string): void;
  /** The last word of a command that failed. */
  failure(sentence: string, facts: Readonly<Record<string, unknown>>): void;
  bold(text: string): string;
  dim(text: string): string;
}

const USUAL_COLUMNS = 80;
const NARROWEST = 40;
const WIDEST = 100;
const CLEAR_LINE = '\r\u001b[K';

/** Some terminals say that they have no columns at all. */
const columnsOf = (stream: { columns?: number }): number =>
  Math.max(stream.columns || USUAL_COLUMNS, NARROWEST);

export function createPrint(json: boolean): Print {
  const { stdout, stderr } = process;
  let shown = false;

  const clear = () => {
    if (shown) stderr.write(CLEAR_LINE);
    shown = false;
  };
  const out = (text: string) => {
    clear();
    stdout.write(text);
  };
  const beside = (text: string) => {
    clear();
    stderr.write(text);
  };
  const asJson = (value: unknown) => out(`${JSON.stringify(value, null, 2)}\n`);
  const style = (name: 'bold' | 'dim') => (text: string) => styleText(name, text, { stream: stdout });

  return {
    columns: Math.min(columnsOf(stdout), WIDEST),
    answer(value, lines) {
      if (json) asJson(value);
      else out(lines.map((line) => `${line}\n`).join(''));
    },
    note: (text) => beside(`${tame(text)}\n`),
    progress(text) {
      if (!stderr.isTTY) return;
      beside(tame(text).slice(0, columnsOf(stderr) - 1));
      shown = true;
    },
    step(text) {
      if (!json && !stderr.isTTY) beside(`${tame(text)}\n`);
    },
    failure(sentence, facts) {
      if (json) asJson({ error: sentence, ...facts });
      else beside(`${tame(sentence)}\n`);
    },
    bold: style('bold'),
    dim: style('dim'),
  };
}

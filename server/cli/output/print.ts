// The output of commands: answers on stdout, notes, progress and errors on stderr.
import { styleText } from 'node:util';
import { withoutControls } from './text.ts';

export interface Print {
  /** Characters in a line; 80 where there is no terminal. */
  readonly columns: number;
  /** Prints an answer: the lines for people, or the value as JSON for programs. */
  answer(value: unknown, lines: readonly string[]): void;
  /** Prints a note on stderr. */
  note(text: string): void;
  /** Shows progress on a terminal until the next output; prints nothing without a terminal. */
  progress(text: string): void;
  /** Prints a line for one finished item where no terminal shows the progress. */
  step(text: string): void;
  /** Prints the error of a failed command. */
  failure(sentence: string, facts: Readonly<Record<string, unknown>>): void;
  bold(text: string): string;
  dim(text: string): string;
}

const USUAL_COLUMNS = 80;
const NARROWEST = 40;
const WIDEST = 100;
const CLEAR_LINE = '\r\u001b[K';

/** Some terminals report zero columns. */
const terminalColumns = (stream: { columns?: number }): number =>
  Math.max(stream.columns || USUAL_COLUMNS, NARROWEST);

export const createPrint = (json: boolean): Print => {
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
  const writeToStderr = (text: string) => {
    clear();
    stderr.write(text);
  };
  const asJson = (value: unknown) => out(`${JSON.stringify(value, null, 2)}\n`);
  const style = (name: 'bold' | 'dim') => (text: string) => styleText(name, text, { stream: stdout });

  return {
    columns: Math.min(terminalColumns(stdout), WIDEST),
    answer(value, lines) {
      if (json) asJson(value);
      else out(lines.map((line) => `${line}\n`).join(''));
    },
    note: (text) => writeToStderr(`${withoutControls(text)}\n`),
    progress(text) {
      if (!stderr.isTTY) return;
      writeToStderr(withoutControls(text).slice(0, terminalColumns(stderr) - 1));
      shown = true;
    },
    step(text) {
      if (!json && !stderr.isTTY) writeToStderr(`${withoutControls(text)}\n`);
    },
    failure(sentence, facts) {
      if (json) asJson({ error: sentence, ...facts });
      else writeToStderr(`${withoutControls(sentence)}\n`);
    },
    bold: style('bold'),
    dim: style('dim'),
  };
};

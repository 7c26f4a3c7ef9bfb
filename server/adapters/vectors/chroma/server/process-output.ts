// Turns Chroma's output into lines for the log, and keeps the last ones to explain a crash.
import { stripVTControlCharacters } from 'node:util';

export interface ChromaOutput {
  take(chunk: string): void;
  /** The last lines about a failure, joined into one. */
  last(): string;
  clear(): void;
}

const LINE_LENGTH = 500;
const KEPT_LINES = 6;

/** The banner is a picture and an advertisement, printed again at each start. */
const isBanner = (line: string): boolean =>
  !/\w/.test(line) ||
  /trychroma|Chroma Cloud|chroma copy|Saving data to|Connect to Chroma|OpenTelemetry/.test(line);

const isUninformative = (line: string): boolean => /RUST_BACKTRACE|fatal runtime error/.test(line);

export const createChromaOutput = (write: (line: string) => void): ChromaOutput => {
  let rest = '';
  let lines: string[] = [];

  const line = (raw: string) => {
    const text = stripVTControlCharacters(raw).trim().slice(0, LINE_LENGTH);
    if (isBanner(text)) return;
    write(text);
    if (!isUninformative(text)) lines = [...lines, text].slice(-KEPT_LINES);
  };

  return {
    take(chunk) {
      const parts = (rest + chunk).split('\n');
      rest = (parts.pop() ?? '').slice(0, LINE_LENGTH);
      for (const part of parts) line(part);
    },
    last: () => lines.join(' '),
    clear() {
      rest = '';
      lines = [];
    },
  };
};

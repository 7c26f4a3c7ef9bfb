// Reads CSV and TSV: the delimiter is detected, and the parser waits while the sink takes the rows.
import Papa from 'papaparse';
import type { Content, Sink } from '../contract.ts';
import { createPartQueue } from './part-queue.ts';
import { type Cell, createRows } from './rows.ts';

interface Dialect {
  readonly text: string;
  readonly delimiter: string;
  /** Null: quotes are text like any other character. */
  readonly quote: '"' | null;
}

/** The parser waits while more parts than this are queued. */
const MOST_QUEUED = 2_000;
const CHUNK = 1 << 20;
const GUESSED = 64 * 1024;
const GUESSED_ROWS = 20;

export const readCsv = async ({ kind, text }: Content, sink: Sink): Promise<void> => {
  const dialect = detectDialect(text.replace(/^\ufeff/, ''), kind);
  sink.begin({ form: 'lines' });
  const queue = createPartQueue();
  const rows = createRows(undefined, queue.add);
  let number = 0;
  await parseRows(
    dialect,
    (values) => rows.row(++number, filledCells(values)),
    () => (queue.length > MOST_QUEUED ? queue.drain(sink) : null),
  );
  rows.end();
  await queue.drain(sink);
};

const filledCells = (values: readonly string[]): Cell[] =>
  values.flatMap((text, column) => (text.trim() === '' ? [] : [{ column, text }]));

const detectDialect = (text: string, kind: string): Dialect => {
  const [line = ''] = text.split('\n', 1);
  // Excel writes such a line and hides it again.
  const declared = /^"?sep=(.)"?\s*$/i.exec(line)?.[1];
  const body = declared === undefined ? text : text.slice(line.length + 1);
  const delimiter = declared ?? (kind === 'tsv' && line.includes('\t') ? '\t' : guessDelimiter(body));
  return { text: body, delimiter, quote: hasOpenQuote(body, delimiter) ? null : '"' };
};

/** Blank lines are skipped: they would count against every delimiter. */
const guessDelimiter = (text: string): string =>
  Papa.parse(text.slice(0, GUESSED), { preview: GUESSED_ROWS, skipEmptyLines: 'greedy' }).meta.delimiter;

/** A quote that is never closed would take the rest of the text into one cell. */
const hasOpenQuote = (text: string, delimiter: string): boolean => {
  if (!text.includes('"')) return false;
  let open = false;
  Papa.parse<string[]>(text, {
    delimiter,
    step({ errors }, parser) {
      open ||= errors.some(({ code }) => code === 'MissingQuotes');
      if (open) parser.abort();
    },
  });
  return open;
};

/** `wait` is called after each row; the parser pauses for its promise. */
const parseRows = (
  { text, delimiter, quote }: Dialect,
  row: (values: readonly string[]) => void,
  wait: () => Promise<void> | null,
): Promise<void> =>
  new Promise((resolve, reject) => {
    Papa.parse<string[]>(text, {
      delimiter,
      quoteChar: quote ?? '\u0000',
      chunkSize: CHUNK,
      step({ data }, parser) {
        row(data);
        const waiting = wait();
        if (waiting === null) return;
        parser.pause();
        waiting.then(() => parser.resume(), reject);
      },
      complete: () => resolve(),
      error: reject,
    });
  });

// CSV and TSV: one row after the other, whatever separates the cells, however badly they are quoted.
import Papa from 'papaparse';
import { createPartQueue } from '../tables/queue.ts';
import { type Cell, createRows } from '../tables/rows.ts';
import type { Content, Sink } from './contract.ts';

interface Dialect {
  readonly text: string;
  readonly delimiter: string;
  /** Null: quotes are text like any other. */
  readonly quote: '"' | null;
}

/** Parts that wait before the parser does. */
const WAITING = 2_000;
const CHUNK = 1 << 20;
const GUESSED = 64 * 1024;
const GUESSED_ROWS = 20;

export async function extractCsv({ kind, text }: Content, sink: Sink): Promise<void> {
  const dialect = dialectOf(text.replace(/^\ufeff/, ''), kind);
  sink.begin({ form: 'lines' });
  const queue = createPartQueue();
  const rows = createRows(undefined, queue.add);
  let number = 0;
  await parse(
    dialect,
    (values) => rows.row(++number, cellsOf(values)),
    () => (queue.length > WAITING ? queue.drain(sink) : null),
  );
  rows.end();
  await queue.drain(sink);
}

const cellsOf = (values: readonly string[]): Cell[] =>
  values.flatMap((text, column) => (text.trim() === '' ? [] : [{ column, text }]));

function dialectOf(text: string, kind: string): Dialect {
  const [line = ''] = text.split('\n', 1);
  // Excel writes it, and takes it out again.
  const told = /^"?sep=(.)"?\s*$/i.exec(line)?.[1];
  const body = told === undefined ? text : text.slice(line.length + 1);
  const delimiter = told ?? (kind === 'tsv' && line.includes('\t') ? '\t' : guessedDelimiter(body));
  return { text: body, delimiter, quote: hasOpenQuote(body, delimiter) ? null : '"' };
}

/** Without the blank lines, which would speak against every one. */
const guessedDelimiter = (text: string): string =>
  Papa.parse(text.slice(0, GUESSED), { preview: GUESSED_ROWS, skipEmptyLines: 'greedy' }).meta.delimiter;

/** A quote that is never closed would take all that follows into one cell. */
function hasOpenQuote(text: string, delimiter: string): boolean {
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
}

/** `wait` says after each row whether the parser has to. */
function parse(
  { text, delimiter, quote }: Dialect,
  row: (values: readonly string[]) => void,
  wait: () => Promise<void> | null,
): Promise<void> {
  return new Promise((resolve, reject) => {
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
}

// (m) Scans: pages a second, processor time and errors, by each way to recognise them.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createExtractor } from '../../server/adapters/extract/extractor.ts';
import { findProgram, NO_PROGRAM } from '../../server/adapters/extract/native-ocr/find.ts';
import { characterErrorRate } from '../adapters/extract/fixtures/error-rate.ts';
import type { Sizes } from './options.ts';
import type { Row, Section } from './report.ts';
import { median, medianRatio, percent, spread, times } from './support/numbers.ts';
import { pdfOfScans, type Scan, scannedPages } from './support/scans.ts';

interface Way {
  readonly what: string;
  readonly workers: number;
  readonly program: string;
}

interface Measured {
  readonly pagesPerSecond: number[];
  readonly processorSeconds: number[];
  /** Of each page, in percent. */
  errors: number[];
}

interface Document {
  readonly file: string;
  readonly scans: readonly Scan[];
}

const LIMITS = { timeoutMs: 120_000, documentMs: 120_000, ocrMs: 900_000, heapMb: 768, residentMb: 1_200 };
const LOG = { warn: (_: object, message: string): void => console.error(message) };
const TICKS_PER_SECOND = 100;
/** Behind the name of the program: the times of children that have ended. */
const CHILD_TIMES = { from: 13, to: 15 };

const childSeconds = (): number => {
  const stat = readFileSync('/proc/self/stat', 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = fields.slice(CHILD_TIMES.from, CHILD_TIMES.to).map(Number);
  return ticks.reduce((sum, one) => sum + one, 0) / TICKS_PER_SECOND;
};

/** Each way has a child process of its own, whose start is not timed. */
const measure = async (
  { workers, program }: Way,
  { file, scans }: Document,
  into: Measured,
): Promise<void> => {
  const ocr = { workers, program };
  const reader = createExtractor({ limits: LIMITS, children: 1, log: LOG, ocr });
  const spent = childSeconds();
  await reader.read({ text: 'The child has started.' });
  const began = performance.now();
  const { parts } = await reader.read({ file });
  into.pagesPerSecond.push(scans.length / ((performance.now() - began) / 1000));
  await reader.close();
  into.processorSeconds.push((childSeconds() - spent) / scans.length);
  into.errors = scans.map(({ text }, i) => {
    const read = parts.filter(({ page }) => page === i + 1).map((part) => part.text);
    return 100 * characterErrorRate(read.join(''), text);
  });
};

const rowsOf = ({ what }: Way, { pagesPerSecond, processorSeconds, errors }: Measured): Row[] => [
  { what: `${what}: pages/s`, figure: median(pagesPerSecond).toFixed(2) },
  { what: `${what}: processor time of a page`, figure: `${median(processorSeconds).toFixed(2)} s` },
  {
    what: `${what}: wrong characters, mean and worst page`,
    figure: `${mean(errors).toFixed(2)} % / ${Math.max(...errors).toFixed(2)} %`,
  },
];

const mean = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length;

const waysHere = async (): Promise<Way[]> => {
  const cores = availableParallelism();
  const installed = await findProgram(undefined, LOG);
  const counts = [...new Set([1, cores])];
  const way = (name: string, program: string) => (workers: number) => ({
    what: `${name}, ${workers} at once`,
    ...{ workers, program },
  });
  return [
    ...counts.map(way('built-in', NO_PROGRAM)),
    ...(installed === null ? [] : counts.map(way('tesseract', installed.file))),
  ];
};

export const ocr = async (sizes: Sizes): Promise<Section> => {
  const folder = mkdtempSync(join(tmpdir(), 'memoir-bench-'));
  const scans = [...(await scannedPages('compared')), ...(await scannedPages('kept'))].slice(0, sizes.scans);
  const document: Document = { file: join(folder, 'scans.pdf'), scans };
  writeFileSync(document.file, pdfOfScans(scans));
  try {
    const ways = (await waysHere()).map((way) => ({
      way,
      measured: { pagesPerSecond: [], processorSeconds: [], errors: [] } as Measured,
    }));
    for (let round = 0; round < sizes.scanRounds; round++)
      for (const { way, measured } of ways) await measure(way, document, measured);
    const [first, ...others] = ways;
    const ratios = others.map(({ way, measured }) => ({
      what: `${way.what}, against one built-in engine`,
      figure: times(medianRatio(measured.pagesPerSecond, first?.measured.pagesPerSecond ?? [])),
    }));
    const apart = percent(Math.max(...ways.map(({ measured }) => spread(measured.pagesPerSecond))));
    return {
      letter: 'm',
      title: 'Scans',
      rows: [...ways.flatMap(({ way, measured }) => rowsOf(way, measured)), ...ratios],
      notes: [
        `${scans.length} pages of 200 dots an inch, printed in several fonts and sizes, some in two columns; then skewed, blurred, faded and soiled. The rounds lie up to ${apart} apart.`,
      ],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

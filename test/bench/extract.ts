// (i) Reading files: pages a second, and the additional memory beside the server.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createExtractor } from '../../server/adapters/extract/extractor.ts';
import type { ContentReader } from '../../server/adapters/extract/port.ts';
import type { Sizes } from './options.ts';
import type { Row, Section } from './report.ts';
import { longDocx, longPdf, scannedPdf } from './support/documents.ts';
import { median, percent, spread, whole } from './support/numbers.ts';
import { childrenNamed, residentMb } from './support/process.ts';

const PAGES = 1000;
const SCANNED_PAGES = 5;
const WATCH_MS = 10;
const LIMITS = { timeoutMs: 120_000, documentMs: 120_000, ocrMs: 600_000, heapMb: 768, residentMb: 1_200 };
const MOST_GROWTH_MB = 100;

interface Kind {
  readonly what: string;
  readonly pages: number;
  readonly file: string;
}

interface Measured {
  readonly pagesPerSecond: number[];
  childMb: number;
  grownMb: number;
}

/** Each file has a child process of its own, so that the memory of each is measured apart. */
const measure = async ({ file, pages }: Kind, into: Measured): Promise<void> => {
  const reader = createExtractor({ limits: LIMITS, children: 1, log: { warn: () => undefined } });
  await reader.read({ text: 'The child has started.' });
  const before = residentMb(process.pid);
  const watch = setInterval(() => {
    const [child = 0] = childrenNamed(process.pid, 'adapters/extract/child');
    into.childMb = Math.max(into.childMb, residentMb(child));
    into.grownMb = Math.max(into.grownMb, residentMb(process.pid) - before);
  }, WATCH_MS);
  const began = performance.now();
  await readAll(reader, file);
  into.pagesPerSecond.push(pages / ((performance.now() - began) / 1000));
  clearInterval(watch);
  await reader.close();
};

const readAll = async (reader: ContentReader, file: string): Promise<void> => {
  const { characters } = await reader.read({ file }, { batch: async () => undefined });
  if (characters === 0) throw new Error('Nothing was read.');
};

const rowsOf = ({ what }: Kind, { pagesPerSecond, childMb, grownMb }: Measured): Row[] => [
  { what: `${what}: pages/s`, figure: pagesWritten(median(pagesPerSecond)) },
  { what: `${what}: the child at its largest`, figure: `${whole(childMb)} MB` },
  {
    what: `${what}: growth of the process that asked`,
    figure: `${whole(grownMb)} MB`,
    target: `below ${MOST_GROWTH_MB} MB`,
    met: grownMb < MOST_GROWTH_MB,
  },
];

const pagesWritten = (value: number): string => (value < 10 ? value.toFixed(2) : whole(value));

export const extract = async (sizes: Sizes): Promise<Section> => {
  const folder = mkdtempSync(join(tmpdir(), 'memoir-bench-'));
  const kind = (what: string, pages: number, bytes: Buffer): Kind => {
    const file = join(folder, String(pages) + what.replaceAll(' ', '-'));
    writeFileSync(file, bytes);
    return { what, pages, file };
  };
  try {
    const kinds = [
      kind('PDF with text', PAGES, longPdf(PAGES)),
      kind('DOCX', PAGES, longDocx(PAGES)),
      kind('scanned PDF', SCANNED_PAGES, await scannedPdf(SCANNED_PAGES)),
    ];
    const measured = kinds.map((): Measured => ({ pagesPerSecond: [], childMb: 0, grownMb: 0 }));
    for (let round = 0; round < sizes.rounds; round++)
      for (const [i, one] of kinds.entries()) {
        const into = measured[i];
        if (into !== undefined) await measure(one, into);
      }
    const apart = percent(Math.max(...measured.map(({ pagesPerSecond }) => spread(pagesPerSecond))));
    return {
      letter: 'i',
      title: 'Reading files',
      rows: kinds.flatMap((one, i) => (measured[i] === undefined ? [] : rowsOf(one, measured[i]))),
      notes: [
        `A page holds 3,150 characters; the documents have ${whole(PAGES)} pages, the scanned one ${SCANNED_PAGES} of 200 dots an inch. One child process, its start not counted. The rounds lie up to ${apart} apart.`,
      ],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

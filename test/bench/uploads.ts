// (j) Uploads of 1 MB files: durable when they are answered, against writing the same files to the same disk.
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Sizes } from './options.ts';
import type { Row, Section } from './report.ts';
import type { Ask } from './support/connection.ts';
import { SEARCHED_ONLY } from './support/fill.ts';
import { closedLoop } from './support/load.ts';
import { newFolder, removeFolder, type Server, startServer } from './support/memoir.ts';
import { median, medianRatio, ms, percent, quantile, spread, times, whole } from './support/numbers.ts';
import { residentMb } from './support/process.ts';
import { textOf } from './support/texts.ts';

const BYTES = 1024 * 1024;
const PAGE_CHARACTERS = 2000;
const CONCURRENCIES = [1, 4] as const;
const BOUNDARY = 'memoir-bench-boundary';
const NO_LIMIT_SECONDS = 600;
const WATCH_MS = 20;

/** A page with a short text, so that the transfer is measured and not the processing. */
const pageOf = (number: number): string => {
  const text = `<!doctype html><article><h1>Page ${number}</h1><p>${textOf(number, PAGE_CHARACTERS)}</p></article><!--`;
  return `${text}${'-'.repeat(BYTES - text.length - 3)}-->`;
};

const partOf = (name: string, value: string, more = ''): string =>
  `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;

const fields = Object.entries(SEARCHED_ONLY)
  .map(([name, value]) => partOf(name, String(value)))
  .join('');

const asks = (): (() => Ask) => {
  let number = 0;
  return () => {
    number += 1;
    const file = partOf('file', pageOf(number), `; filename="page ${number}.html"`);
    return {
      ...{ method: 'POST', path: '/v3/documents/file', type: `multipart/form-data; boundary=${BOUNDARY}` },
      body: `${fields}${file}--${BOUNDARY}--\r\n`,
    };
  };
};

/** Files a second, each written and synced before the next. */
const written = (folder: string, count: number): number => {
  const page = pageOf(0);
  const start = performance.now();
  for (let number = 0; number < count; number += 1) {
    const file = openSync(join(folder, String(number)), 'w');
    writeSync(file, page);
    fsyncSync(file);
    closeSync(file);
  }
  return (count * 1000) / (performance.now() - start);
};

interface Measured {
  rates: Map<number, number[]>;
  slowest: Map<number, number[]>;
  disk: number[];
  done: number[];
  grownMb: number;
}

const keep = (into: Map<number, number[]>, connections: number, value: number): void => {
  into.set(connections, [...(into.get(connections) ?? []), value]);
};

const measure = async (server: Server, count: number, into: Measured): Promise<void> => {
  for (const connections of CONCURRENCIES) {
    const before = residentMb(server.pid);
    const watch = setInterval(() => {
      into.grownMb = Math.max(into.grownMb, residentMb(server.pid) - before);
    }, WATCH_MS);
    const began = performance.now();
    const load = { connections, seconds: NO_LIMIT_SECONDS, next: asks(), most: count };
    const { rate, latencies } = await closedLoop(server, load);
    clearInterval(watch);
    await server.settled();
    keep(into.rates, connections, rate);
    keep(into.slowest, connections, quantile(latencies, 0.95));
    into.done.push((count * 1000) / (performance.now() - began));
  }
};

const rowsOf = ({ rates, slowest, disk, done, grownMb }: Measured): Row[] => [
  ...CONCURRENCIES.flatMap((connections) => {
    const measured = rates.get(connections) ?? [];
    return [
      { what: `uploads/s, ${connections} at once`, figure: whole(median(measured)) },
      {
        what: `p95 of an upload, ${connections} at once`,
        figure: ms(median(slowest.get(connections) ?? [])),
      },
      {
        what: `share of what the disk takes, ${connections} at once`,
        figure: times(medianRatio(measured, disk)),
      },
    ];
  }),
  { what: 'files/s written and synced one after the other, without a server', figure: whole(median(disk)) },
  { what: 'files/s from the first request until all are done', figure: whole(median(done)) },
  { what: 'growth of the server meanwhile', figure: `${whole(grownMb)} MB` },
];

export const uploads = async ({ rounds, uploads: count }: Sizes): Promise<Section> => {
  const folder = newFolder();
  const server = await startServer();
  const measured: Measured = { rates: new Map(), slowest: new Map(), disk: [], done: [], grownMb: 0 };
  try {
    for (let round = 0; round < rounds; round += 1) {
      measured.disk.push(written(folder, count));
      await measure(server, count, measured);
    }
  } finally {
    await server.close();
    removeFolder(folder);
  }
  const apart = percent(Math.max(...[...measured.rates.values(), measured.disk].map(spread)));
  return {
    letter: 'j',
    title: 'Uploads of 1 MB files over HTTP',
    rows: rowsOf(measured),
    notes: [
      `${whole(count)} web pages of 1 MiB with ${whole(PAGE_CHARACTERS)} characters of text in each round, each on the disk when it is answered; the server reads and indexes them meanwhile. The rounds lie up to ${apart} apart.`,
    ],
  };
};

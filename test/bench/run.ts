// `npm run bench`: measures, prints a table, and with --write keeps it in docs/measurements/server-speed.md.
import { resolve } from 'node:path';
import { adds } from './adds.ts';
import { agentStart } from './agent-start.ts';
import { container } from './container.ts';
import { counting } from './counting.ts';
import { extract } from './extract.ts';
import { bulkImport } from './import.ts';
import { ingest } from './ingest.ts';
import { largeOnPostgres, largeOnSqlite } from './large/large-store.ts';
import { busyness, machine } from './machine.ts';
import { mail } from './mail.ts';
import { memory } from './memory.ts';
import { ocr } from './ocr.ts';
import { type Letter, readOptions, type Sizes } from './options.ts';
import { comparePairs, FULL_PAIRS, QUICK_PAIRS } from './pairs/compare.ts';
import { postgresBesideSqlite } from './postgres/beside-sqlite.ts';
import { profile } from './profile.ts';
import { printSection, type Section, writePage } from './report.ts';
import { search } from './search.ts';
import { stalls } from './stalls.ts';
import { start } from './start.ts';
import { createStores, type Stores } from './support/stores.ts';
import { uploads } from './uploads.ts';

const measurements: Record<Letter, (sizes: Sizes, stores: Stores, calls?: string) => Promise<Section>> = {
  a: adds,
  b: ingest,
  c: search,
  d: memory,
  e: start,
  f: bulkImport,
  g: profile,
  h: container,
  i: extract,
  j: uploads,
  k: stalls,
  l: agentStart,
  m: ocr,
  n: postgresBesideSqlite,
  o: counting,
  p: largeOnSqlite,
  q: mail,
  r: largeOnPostgres,
};

const { only, sizes, quick, write, against, calls } = readOptions(process.argv.slice(2));
const stores = createStores(sizes.stores);
const about = machine();
for (const line of about) console.log(line);

const sections: Section[] = [];
try {
  const measured =
    against === undefined
      ? only.map((letter) => () => measurements[letter](sizes, stores, calls))
      : [() => comparePairs(resolve(against), quick ? QUICK_PAIRS : FULL_PAIRS, calls)];
  for (const measure of measured) {
    const section = await measure();
    section.notes.push(`Load average of the machine at the end: ${busyness()}.`);
    printSection(section);
    sections.push(section);
  }
} finally {
  await stores.close();
}
if (write) {
  const size = quick ? ['Small sizes (--quick): the figures say little.'] : [];
  writePage([...about, ...size], sections);
}
const missed = sections.flatMap(({ rows }) => rows).filter(({ met }) => met === false);
if (missed.length > 0) console.log(`\n${missed.length} targets were missed.`);

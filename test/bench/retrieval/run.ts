// `npm run bench:retrieval`: the share of the evidence of known questions that a search through the API finds.
import { startServer } from '../support/memoir.ts';
import { createClient } from './client.ts';
import { measure } from './measure.ts';
import { readOptions } from './options.ts';
import { loadSet } from './sets/load.ts';
import { lineOf, printMeasured, writeLines } from './table.ts';

const { sets, method, address, write } = readOptions(process.argv.slice(2));
const loaded = sets.map((name) => ({ name, set: loadSet(name) }));
const server = address === undefined ? await startServer() : null;
const lines: string[][] = [];
try {
  const client = createClient(address ?? { url: server?.url ?? '', key: server?.key ?? '' });
  for (const { name, set } of loaded) {
    const measured = await measure(client, set, method);
    printMeasured(name, method, measured);
    lines.push(lineOf(name, method, measured));
    if (write) writeLines(lines);
  }
} finally {
  await server?.close();
}

// npm run test:scale: processes of both roles on one PostgreSQL, under load and in trouble. Each row has a database of its own; names
// choose some, as in `npm run test:scale -- kills silence`.
import { parseArgs } from 'node:util';
import type { RowOptions } from './row.ts';
import { SCALE_ROWS } from './rows/all.ts';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const USAGE = `npm run test:scale -- [rows] [options]

  rows          ${Object.keys(SCALE_ROWS).join(', ')}; without one, all of them
  --kills N     processes that are killed while they work (100)
  --crashes N   crashes of the database meanwhile (1)
  --seconds N   the time of silence, and of a transaction that is held (60)
  --flood N     documents that wait in one tag, before other tags come (5000)
  --seed N      another order of events
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: 'boolean', short: 'h', default: false },
    kills: { type: 'string', default: '100' },
    crashes: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '60' },
    flood: { type: 'string', default: '5000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});
if (values.help) {
  say(USAGE);
  process.exit(0);
}
const unknown = positionals.filter((name) => SCALE_ROWS[name] === undefined);
if (unknown.length > 0)
  throw new Error(`There is no row ${unknown.join(', ')}: choose of ${Object.keys(SCALE_ROWS).join(', ')}.`);

const options: RowOptions = {
  ...{ kills: Number(values.kills), crashes: Number(values.crashes), seconds: Number(values.seconds) },
  ...{ flood: Number(values.flood), seed: Number(values.seed), say },
};
const results: boolean[] = [];
for (const [name, row] of Object.entries(SCALE_ROWS)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  say(`${name}, seed ${options.seed}`);
  const began = performance.now();
  const { good, report } = await row(options);
  results.push(good);
  const seconds = Math.round((performance.now() - began) / 1000);
  say(`${name} ${good ? 'holds' : 'DOES NOT HOLD'} after ${seconds} s: ${JSON.stringify(report, null, 2)}`);
}
// The package that brings PostgreSQL ends the process by itself otherwise, with 0.
process.exit(results.every(Boolean) ? 0 : 1);

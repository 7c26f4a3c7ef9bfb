// npm run test:scale: processes of both roles on one PostgreSQL, under load and in trouble. Each row has a database of its own; names
// choose some, as in `npm run test:scale -- kills silence`.
import { parseArgs } from 'node:util';
import type { RowOptions } from './row.ts';
import { SCALE_ROWS } from './rows/all.ts';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    kills: { type: 'string', default: '100' },
    crashes: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '60' },
    flood: { type: 'string', default: '5000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});
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

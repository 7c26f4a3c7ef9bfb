// `npm run measure`: prints how easy the source is to read, against the targets; `--places` also lists what counts against them.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Measurement, measure } from './source/measurements.ts';
import { root, sourceFiles } from './source/parse.ts';

const page = join(root, 'docs', 'contributing.md');
const contributing = existsSync(page) ? readFileSync(page, 'utf8') : '';
const measurements = measure(sourceFiles('tools', 'server', 'sdk/src', 'scripts'), contributing);

const tableRow = ({ what, today, target, isMet }: Measurement): string =>
  `| ${what} | ${today} | ${target} | ${isMet ? 'met' : 'MISSED'} |`;

const lines = ['| | today | target | |', '|---|---|---|---|', ...measurements.map(tableRow)];
process.stdout.write(`${lines.join('\n')}\n`);

if (process.argv.includes('--places'))
  for (const { what, isMet, places } of measurements)
    if (!isMet) process.stdout.write(`\n${what}:\n${places.map((place) => `  ${place}`).join('\n')}\n`);

process.exitCode = measurements.every(({ isMet }) => isMet) ? 0 : 1;

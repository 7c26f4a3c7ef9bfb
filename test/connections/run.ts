// npm run test:connections: what must hold of connections, at full size. Each row prints its figures and bounds.
import { parseArgs } from 'node:util';
import { ROWS } from './rows/all.ts';
import type { Sizes } from './rows/row.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { files: { type: 'string', default: '10000' } },
});

const files = Number(values.files);
const sizes: Sizes = {
  files,
  folders: Math.ceil(files / 33),
  removed: 100,
  kills: 20,
  measured: true,
  throttledSeconds: 60,
};
const wanted = positionals.length === 0 ? ROWS : ROWS.filter(({ name }) => positionals.includes(name));
let missed = 0;

for (const row of wanted) {
  console.log(`\n${row.name} (requirements ${row.requirements.join(', ')})`);
  const began = performance.now();
  const figures = await row.run(sizes, (line) => console.log(`  ${line}`));
  const width = Math.max(...figures.map(({ what }) => what.length));
  for (const { what, value, bound, holds } of figures) {
    const verdict = bound === undefined ? '' : `${bound}: ${holds ? 'holds' : 'MISSED'}`;
    console.log(`  ${what.padEnd(width)}  ${value.padStart(12)}  ${verdict}`.trimEnd());
    if (!holds) missed += 1;
  }
  console.log(`  ${Math.round((performance.now() - began) / 1000)} s`);
}
if (wanted.length === 0)
  throw new Error(`There is no such row. Rows: ${ROWS.map(({ name }) => name).join(', ')}.`);
if (missed > 0) process.exitCode = 1;

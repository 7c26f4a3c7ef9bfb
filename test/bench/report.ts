// The results of a measurement, printed as a table and stored in the documentation.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { measuredToday } from './machine.ts';

export interface Row {
  what: string;
  figure: string;
  /** The target in words; undefined for a figure that is given for orientation. */
  target?: string;
  met?: boolean;
}

export interface Section {
  letter: string;
  title: string;
  rows: Row[];
  /** A remark for readers of this run. */
  notes: string[];
}

const PAGE = join(import.meta.dirname, '..', '..', 'docs', 'measurements', 'server-speed.md');
const BEGIN = '<!-- figures: written by `npm run bench -- --write` -->';
const END = '<!-- end of figures -->';

const verdict = ({ target, met }: Row): string =>
  target === undefined ? '' : `${target}: ${met ? 'met' : '**missed**'}`;

const columns = (row: Row): string[] => [row.what, row.figure, verdict(row)];

export const printSection = ({ letter, title, rows, notes }: Section): void => {
  const lines = rows.map(columns);
  const width = (column: number) => Math.max(...lines.map((line) => (line[column] ?? '').length));
  console.log(`\n(${letter}) ${title}`);
  for (const [what = '', figure = '', target = ''] of lines)
    console.log(`  ${what.padEnd(width(0))}  ${figure.padStart(width(1))}  ${target}`.trimEnd());
  for (const note of notes) console.log(`  ${note}`);
};

const markdownOf = ({ letter, title, rows, notes }: Section): string =>
  [
    `### (${letter}) ${title}`,
    '',
    `${measuredToday()}; \`npm run bench -- --only ${letter}\`.`,
    '',
    '| | figure | target |',
    '|---|---:|---|',
    ...rows.map((row) => `| ${columns(row).join(' | ')} |`),
    ...notes.map((note) => `\n${note}`),
    '',
  ].join('\n');

/** The results of an earlier run, by letter. */
const keptIn = (figures: string): [string, string][] =>
  figures
    .split(/^(?=### \()/m)
    .slice(1)
    .map((section) => [section.slice(5, 6), `${section.trimEnd()}\n`]);

/** New figures replace earlier ones of the same letter; the rest stays, in the order of the letters. */
export const writePage = (machine: readonly string[], sections: readonly Section[]): void => {
  const page = readFileSync(PAGE, 'utf8');
  const from = page.indexOf(BEGIN);
  const to = page.indexOf(END);
  if (from < 0 || to < from)
    throw new Error(
      `docs/measurements/server-speed.md must hold the lines ${BEGIN} and ${END}, between which the figures are written. Put them back.`,
    );
  const measured = sections.map((section): [string, string] => [section.letter, markdownOf(section)]);
  const all = new Map([...keptIn(page.slice(from, to)), ...measured]);
  const inOrder = [...all].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, text]) => text);
  const figures = [...machine.map((line) => `- ${line}`), '', ...inOrder].join('\n');
  writeFileSync(PAGE, `${page.slice(0, from)}${BEGIN}\n\n${figures}\n${page.slice(to)}`);
};

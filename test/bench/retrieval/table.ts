// The figures as a table: printed, and stored line by line in docs/retrieval.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AtThreshold, Measured, Method } from './measure.ts';
import type { Score } from './metrics.ts';

const PAGE = join(import.meta.dirname, '..', '..', '..', 'docs', 'retrieval.md');
const BEGIN = '<!-- figures: written by `npm run bench:retrieval -- --write` -->';
const END = '<!-- end of figures -->';

const HEADING = [
  'set',
  'asked',
  'questions',
  'R@1',
  'R@5',
  'R@10',
  'nDCG@10',
  'MRR',
  'R in 4,000 characters',
  'characters',
  'p50 / p95',
];
/** The key of a line: the same set with the same options replaces it. */
const KEY_COLUMNS = 2;

const hundred = (share: number): string => (100 * share).toFixed(1);

function askedAs({ mode, window, limit, rerank, perTurn, format, questions }: Method): string {
  return [
    mode,
    window === undefined ? 'default window' : `window ${window}`,
    ...(limit === 10 ? [] : [`limit ${limit}`]),
    ...(rerank ? ['reranked'] : []),
    ...(perTurn ? ['a document per message'] : []),
    ...(format === 'json' ? ['as JSON'] : []),
    ...(questions === undefined ? [] : [`first ${questions} questions of each space`]),
  ].join(', ');
}

const columnsOf = (score: Score): string[] =>
  [score.recall1, score.recall5, score.recall10, score.ndcg10, score.mrr].map(hundred);

export const lineOf = (set: string, method: Method, measured: Measured): string[] => [
  set,
  askedAs(method),
  String(measured.questions),
  ...columnsOf(measured.score),
  hundred(measured.score.recall4k),
  String(Math.round(measured.characters)),
  `${measured.p50.toFixed(1)} / ${measured.p95.toFixed(1)} ms`,
];

function printAtThreshold({ answered, empty }: AtThreshold): void {
  console.log(`At the default threshold ${hundred(answered)} % of the answers are returned.`);
  for (const [category, { questions, share }] of empty)
    console.log(
      `  ${hundred(share)} % of ${questions} questions that nothing answers (${category}) find nothing.`,
    );
}

export function printMeasured(set: string, method: Method, measured: Measured): void {
  const line = lineOf(set, method, measured);
  const width = Math.max(...HEADING.map((name) => name.length));
  console.log(`\n${HEADING.map((name, at) => `${name.padEnd(width)}  ${line[at] ?? ''}`).join('\n')}`);
  console.log(`${'ingested in'.padEnd(width)}  ${measured.ingest.toFixed(1)} s`);
  if (measured.notReranked > 0)
    console.log(`${measured.notReranked} searches were not reranked, or only their first results.`);
  if (measured.atThreshold !== null) printAtThreshold(measured.atThreshold);
  for (const [category, { questions, score }] of measured.byCategory)
    console.log(
      `  ${category} (${questions}): R@10 ${hundred(score.recall10)}, nDCG@10 ${hundred(score.ndcg10)}`,
    );
}

const cellsOf = (row: string): string[] =>
  row
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
const rowOf = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
const keyOf = (cells: readonly string[]): string => cells.slice(0, KEY_COLUMNS).join('|');

/** The stored table, with these lines added or in place of those with the same key. */
function renewed(table: string, lines: readonly (readonly string[])[]): string {
  const rows = table
    .split('\n')
    .filter((row) => row.startsWith('| ') && keyOf(cellsOf(row)) !== keyOf(HEADING))
    .map(cellsOf);
  const all = new Map([...rows, ...lines].map((cells) => [keyOf(cells), cells]));
  const sorted = [...all.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, cells]) => cells);
  return [
    rowOf(HEADING),
    `|---|---|${'---:|'.repeat(HEADING.length - KEY_COLUMNS)}`,
    ...sorted.map(rowOf),
  ].join('\n');
}

export function writeLines(lines: readonly (readonly string[])[]): void {
  const page = readFileSync(PAGE, 'utf8');
  const from = page.indexOf(BEGIN);
  const to = page.indexOf(END);
  if (from < 0 || to < from) throw new Error(`docs/retrieval.md must hold the lines ${BEGIN} and ${END}.`);
  const table = renewed(page.slice(from + BEGIN.length, to), lines);
  writeFileSync(PAGE, `${page.slice(0, from)}${BEGIN}\n\n${table}\n\n${page.slice(to)}`);
}

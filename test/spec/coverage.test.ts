// Tests that promises and tests agree: every promise has a test, and tests cite promises that exist.
import { expect, test } from 'vitest';
import { sourceFiles } from '../../scripts/source/parse.ts';
import { citationsOf } from './citations.ts';
import { promises } from './promises.ts';

const citations = sourceFiles('test')
  .filter((file) => file.path.endsWith('.test.ts'))
  .flatMap(citationsOf);
const cited = new Set(citations.map((citation) => citation.id));
const rows = new Map(promises.map((row) => [row.id as string, row]));

const fails = (headline: string, problems: readonly string[]): void =>
  expect(problems.length, `${headline}\n  ${problems.join('\n  ')}\n`).toBe(0);

test('no two promises share an id', () => {
  const twice = promises.filter((row, index) => promises.findIndex(({ id }) => id === row.id) !== index);
  fails(
    'These ids stand on several rows:',
    twice.map((row) => row.id),
  );
});

test('every citation names an existing promise by a literal id', () => {
  const unknown = citations.filter(({ id }) => id === undefined || !rows.has(id));
  fails(
    'These tests cite no known promise:',
    unknown.map(({ id, at }) => `${at}  ${id ?? '(the id is not written out, so nobody can read it)'}`),
  );
});

test('every promise has a test', () => {
  const missing = promises.filter((row) => !cited.has(row.id));
  fails(
    `${missing.length} promises have no test. To do:`,
    missing.map((row) => `${row.id}  ${row.says} (${row.source})`),
  );
});

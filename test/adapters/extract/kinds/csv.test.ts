import { describe, expect, it } from 'vitest';
import { describeKind } from '../fixtures/contract.ts';
import { readBytes } from '../fixtures/in-process.ts';

describeKind('csv', { sample: 'csv/plain.csv', fileName: 'a.csv', type: 'text', mimeType: /^text\/csv$/ });
describeKind('tsv', { sample: 'csv/tab.tsv', fileName: 'a.tsv', type: 'text', mimeType: /tab-separated/ });

const rows = async (csv: string, fileName = 'a.csv') =>
  (await readBytes(Buffer.from(csv), { fileName })).parts.map(({ row, text }) => [row, text]);

describe('a CSV', () => {
  it('returns each row with its cells named by the header', async () => {
    expect(await rows('id,name\n1,Ana\n2,"Ben, Jr."\n')).toEqual([
      [2, 'id: 1; name: Ana'],
      [3, 'id: 2; name: Ben, Jr.'],
    ]);
  });

  it('is read with the delimiter that separates its cells', async () => {
    for (const separator of [',', ';', '\t', '|'])
      expect(await rows(`a${separator}b\n1${separator}2\n`)).toEqual([[2, 'a: 1; b: 2']]);
    expect(await rows('sep=:\na:b\n1:2\n')).toEqual([[2, 'a: 1; b: 2']]);
    expect(await rows('a\tb, c\n1\t2, 3\n', 'a.tsv')).toEqual([[2, 'a: 1; b, c: 2, 3']]);
  });

  it('keeps the order of its cells when it has no header', async () => {
    expect(await rows('1,2,,4\n5,6,7,8\n')).toEqual([
      [1, '1 | 2 |  | 4'],
      [2, '5 | 6 | 7 | 8'],
    ]);
  });

  it('may have lines before its header, and rows of any length', async () => {
    expect(await rows('Sales of March\n\nregion,amount\nNorth,12,extra\nSouth\n')).toEqual([
      [1, 'Sales of March'],
      [4, 'region: North; amount: 12; extra'],
      [5, 'region: South'],
    ]);
  });

  it('returns its only row when it has just one', async () => {
    expect(await rows('name,city\n')).toEqual([[1, 'name | city']]);
  });

  it('is read although a quote is never closed', async () => {
    const lines = Array.from({ length: 50 }, (_, i) => `${i},word`).join('\n');
    expect((await rows(`id,name\n1,"Ana\n${lines}\n`)).length).toBe(51);
  });

  it('is read piece by piece when it has many rows', async () => {
    const csv = Array.from({ length: 30_000 }, (_, i) => `${i},${'x'.repeat(40)}`).join('\n');
    const { parts, batches } = await readBytes(Buffer.from(csv), { fileName: 'a.csv' });
    expect(batches).toBeGreaterThan(3);
    expect(parts.reduce((all, { text }) => all + text.split('\n').length, 0)).toBe(30_000);
    expect(parts.at(-1)?.lastRow).toBe(30_000);
  });
});

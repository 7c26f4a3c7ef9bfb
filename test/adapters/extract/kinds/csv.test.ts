import { describe, expect, it } from 'vitest';
import { readBytes } from '../fixtures/in-process.ts';

const rows = async (csv: string, fileName = 'a.csv') =>
  (await readBytes(Buffer.from(csv), { fileName })).parts.map(({ row, text }) => [row, text]);

describe('a CSV', () => {
  it('gives each row, its cells named by the header', async () => {
    expect(await rows('id,name\n1,Ana\n2,"Ben, Jr."\n')).toEqual([
      [2, 'id: 1; name: Ana'],
      [3, 'id: 2; name: Ben, Jr.'],
    ]);
  });

  it('finds out what separates the cells', async () => {
    for (const separator of [',', ';', '\t', '|'])
      expect(await rows(`a${separator}b\n1${separator}2\n`)).toEqual([[2, 'a: 1; b: 2']]);
    expect(await rows('sep=:\na:b\n1:2\n')).toEqual([[2, 'a: 1; b: 2']]);
    expect(await rows('a\tb, c\n1\t2, 3\n', 'a.tsv')).toEqual([[2, 'a: 1; b, c: 2, 3']]);
  });

  it('without a header keeps its cells side by side', async () => {
    expect(await rows('1,2,,4\n5,6,7,8\n')).toEqual([
      [1, '1 | 2 |  | 4'],
      [2, '5 | 6 | 7 | 8'],
    ]);
  });

  it('may say what it is about before its header, and hold rows of any length', async () => {
    expect(await rows('Sales of March\n\nregion,amount\nNorth,12,extra\nSouth\n')).toEqual([
      [1, 'Sales of March'],
      [4, 'region: North; amount: 12; extra'],
      [5, 'region: South'],
    ]);
  });

  it('of one row alone is that row', async () => {
    expect(await rows('name,city\n')).toEqual([[1, 'name | city']]);
  });

  it('survives a quote that is never closed', async () => {
    const lines = Array.from({ length: 50 }, (_, i) => `${i},word`).join('\n');
    expect((await rows(`id,name\n1,"Ana\n${lines}\n`)).length).toBe(51);
  });

  it('of many rows is read piece by piece', async () => {
    const csv = Array.from({ length: 30_000 }, (_, i) => `${i},${'x'.repeat(40)}`).join('\n');
    const { parts, batches } = await readBytes(Buffer.from(csv), { fileName: 'a.csv' });
    expect(batches).toBeGreaterThan(3);
    expect(parts.reduce((all, { text }) => all + text.split('\n').length, 0)).toBe(30_000);
    expect(parts.at(-1)?.lastRow).toBe(30_000);
  });
});

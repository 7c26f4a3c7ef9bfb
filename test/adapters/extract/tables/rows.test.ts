import { describe, expect, it } from 'vitest';
import type { ContentPart } from '../../../../server/adapters/extract/port.ts';
import { createRows } from '../../../../server/adapters/extract/tables/rows.ts';

function written(rows: readonly (readonly string[])[], sheet?: string): ContentPart[] {
  const parts: ContentPart[] = [];
  const table = createRows(sheet, (part) => parts.push(part));
  for (const [i, cells] of rows.entries())
    table.row(
      i + 1,
      cells.flatMap((text, column) => (text === '' ? [] : [{ column, text }])),
    );
  table.end();
  return parts;
}

const texts = (rows: readonly (readonly string[])[]): string[] => written(rows).map(({ text }) => text);

describe('the rows of a table', () => {
  it('are labelled by a header of different words', () => {
    expect(
      texts([
        ['name', 'city'],
        ['Ana', 'Porto'],
        ['', 'Faro'],
      ]),
    ).toEqual(['name: Ana; city: Porto', 'city: Faro']);
    expect(
      texts([
        ['name', 'name'],
        ['Ana', 'Porto'],
      ]),
    ).toEqual(['name | name', 'Ana | Porto']);
  });

  it('have no header when the first row contains values', () => {
    for (const value of ['12', '-3.5', '€ 12.50', '25 %', '2026-05-01', '1/5/2026', '10:30', '(1,200)'])
      expect(
        texts([
          ['Ana', value],
          ['Ben', 'x'],
        ]),
      ).toEqual([`Ana | ${value}`, 'Ben | x']);
  });

  it('are one line each', () => {
    expect(
      texts([
        ['a', 'b'],
        ['1\n2', ' 3 '],
      ]),
    ).toEqual(['a: 1 2; b: 3']);
  });

  it('shorten a wide gap of empty cells', () => {
    const wide = ['1', ...Array.from({ length: 5_000 }, () => ''), '2'];
    expect(texts([wide])).toEqual(['1 | … | 2']);
  });

  it('have their sheet and their number', () => {
    expect(written([['a', 'b'], [], ['1', '2']], 'Sales')).toEqual([
      { sheet: 'Sales', row: 3, text: 'a: 1; b: 2' },
    ]);
  });
});

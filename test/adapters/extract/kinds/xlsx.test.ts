import { describe, expect, it } from 'vitest';
import { describeKind } from '../fixtures/contract.ts';
import { readBytes } from '../fixtures/in-process.ts';
import { xlsx } from '../fixtures/office.ts';

describeKind('xlsx', { sample: 'office/book.xlsx', type: 'text', mimeType: /spreadsheetml/ });

const row = (number: number, cells: string): string => `<row r="${number}">${cells}</row>`;
const text = (at: string, shared: number): string => `<c r="${at}" t="s"><v>${shared}</v></c>`;
const value = (at: string, given: string, style = 0): string =>
  `<c r="${at}" s="${style}"><v>${given}</v></c>`;

const styles =
  '<numFmts><numFmt numFmtId="164" formatCode="dd/mm/yyyy"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="10"/><xf numFmtId="164"/><xf numFmtId="21"/></cellXfs>';

describe('an XLSX', () => {
  it('returns each row of each sheet, with its cells named by the header', async () => {
    const rows =
      row(1, text('A1', 0) + text('B1', 1) + text('D1', 2)) + row(2, text('A2', 3) + value('D2', '12.5'));
    const { head, parts } = await readBytes(
      xlsx(
        [
          { name: 'Sales', rows },
          { name: 'Notes', rows: row(7, '<c t="inlineStr"><is><t>One remark</t></is></c>') },
        ],
        ['Region', 'Note', 'Amount', 'North'],
      ),
    );
    expect(head).toMatchObject({ kind: 'xlsx', form: 'lines', metadata: { sheets: 2 } });
    expect(parts).toEqual([
      { sheet: 'Sales', row: 2, text: 'Region: North; Amount: 12.5' },
      { sheet: 'Notes', row: 7, text: 'One remark' },
    ]);
  });

  it('shows dates, times and percentages in their formats', async () => {
    const rows =
      row(1, value('A1', '46082', 1) + value('B1', '0.255', 2) + value('C1', '46082.5', 3)) +
      row(2, value('A2', '0.75', 4) + value('B2', '59', 1) + value('C2', '0.1'));
    const { parts } = await readBytes(xlsx([{ name: 'S', rows }], [], styles));
    expect(parts.map((part) => part.text)).toEqual([
      '2026-03-01 | 25.5% | 2026-03-01 12:00:00',
      '18:00:00 | 1900-02-28 | 0.1',
    ]);
  });

  it('is read by its stored rows, not by its declared range', async () => {
    const rows = row(1, value('A1', '1')) + row(1_048_576, value('XFD1048576', '2'));
    const { parts } = await readBytes(xlsx([{ name: 'S', rows }]));
    expect(parts.map((part) => part.row)).toEqual([1, 1_048_576]);
  });

  it('has several rows in a part, one line each, when it has many rows', async () => {
    const rows = Array.from({ length: 1_500 }, (_, i) => row(i + 1, value(`A${i + 1}`, String(i)))).join('');
    const { parts } = await readBytes(xlsx([{ name: 'S', rows }]));
    expect(parts[999]).toEqual({ sheet: 'S', row: 1_000, text: '999' });
    const shared = parts[1_000];
    expect(shared?.row).toBe(1_001);
    expect(shared?.text.split('\n')).toHaveLength((shared?.lastRow ?? 0) - 1_000);
    expect(parts.at(-1)?.lastRow).toBe(1_500);
  });
});

import { describe, expect, it } from 'vitest';
import { describeKind } from '../fixtures/contract.ts';
import { readBytes } from '../fixtures/in-process.ts';
import { textOf } from '../fixtures/joined.ts';
import { odf } from '../fixtures/office.ts';

describeKind('odt', { sample: 'office/base.odt', type: 'text', mimeType: /opendocument\.text/ });
describeKind('odp', { sample: 'office/slides.odp', type: 'text', mimeType: /opendocument\.presentation/ });
describeKind('ods', { sample: 'office/book.ods', type: 'text', mimeType: /opendocument\.spreadsheet/ });

describe('an OpenDocument text', () => {
  it('becomes Markdown', async () => {
    const body =
      '<text:h text:outline-level="2">Tides</text:h><text:p>They<text:s text:c="2"/>turn<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>Twice a day.</text:p></text:note-body></text:note>.</text:p><text:list><text:list-item><text:p>one</text:p></text:list-item></text:list><table:table><table:table-row><table:table-cell><text:p>A</text:p></table:table-cell></table:table-row></table:table>';
    const { head, parts } = await readBytes(odf('text', body, '<dc:title>Of tides</dc:title>'));
    expect(head).toMatchObject({ kind: 'odt', title: 'Of tides' });
    expect(textOf(parts)).toBe(
      '## Tides\n\nThey  turn[^1].\n\n[^1]: Twice a day.\n\n- one\n\n| A |\n| --- |\n\n',
    );
  });

  it('leaves out deleted text and comments', async () => {
    const body =
      '<text:tracked-changes><text:p>gone</text:p></text:tracked-changes><text:p>There<office:annotation><text:p>why?</text:p></office:annotation>.</text:p>';
    expect(textOf((await readBytes(odf('text', body))).parts)).toBe('There.\n\n');
  });
});

describe('an OpenDocument presentation', () => {
  it('returns each slide with its title and its notes', async () => {
    const frame = (kind: string, text: string) =>
      `<draw:frame presentation:class="${kind}"><draw:text-box><text:p>${text}</text:p></draw:text-box></draw:frame>`;
    const body = `<draw:page draw:name="p1">${frame('title', 'Results')}${frame('outline', 'It grew.')}<presentation:notes>${frame('notes', 'Say more.')}${frame('page-number', '1')}</presentation:notes></draw:page>`;
    expect((await readBytes(odf('presentation', body))).parts).toEqual([
      { slide: 1, heading: 'Results', text: '## Results\n\nIt grew.\n\nNotes: Say more.' },
    ]);
  });
});

describe('an OpenDocument spreadsheet', () => {
  const cell = (text: string, more = '') =>
    `<table:table-cell ${more}><text:p>${text}</text:p></table:table-cell>`;

  it('returns each row, and counts repeated rows', async () => {
    const body = `<table:table table:name="S"><table:table-row>${cell('Name')}${cell('Due')}</table:table-row><table:table-row table:number-rows-repeated="3"><table:table-cell/></table:table-row><table:table-row>${cell('Ana')}${cell('1. Mai', 'office:date-value="2026-05-01T00:00:00"')}</table:table-row></table:table>`;
    expect((await readBytes(odf('spreadsheet', body))).parts).toEqual([
      { sheet: 'S', row: 5, text: 'Name: Ana; Due: 2026-05-01' },
    ]);
  });

  it('is not filled with a million equal cells', async () => {
    const body = `<table:table table:name="S"><table:table-row table:number-rows-repeated="1048576">${cell('x', 'table:number-columns-repeated="16384"')}</table:table-row></table:table>`;
    const { parts } = await readBytes(odf('spreadsheet', body));
    expect(parts).toHaveLength(1);
    expect(parts[0]?.text.length).toBeLessThan(500);
  });
});

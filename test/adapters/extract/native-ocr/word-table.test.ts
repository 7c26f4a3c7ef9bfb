import { expect, test } from 'vitest';
import { readWordTable } from '../../../../server/adapters/extract/native-ocr/word-table.ts';

const HEADING =
  'level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext';
const word = (place: string, confidence: number, text: string): string =>
  ['5\t1', ...place.split('/'), '1\t0\t0\t9\t9', confidence, text].join('\t');

test('words of a table become lines and paragraphs, with the mean of their confidence', () => {
  const table = [
    HEADING,
    '1\t1\t0\t0\t0\t0\t0\t0\t9\t9\t-1\t',
    word('1/1/1', 90, 'The'),
    word('1/1/1', 80, 'harbour'),
    word('1/1/2', 70, 'opens.'),
    word('1/1/2', 10, ' '),
    word('2/1/1', 60, 'Boats'),
    '',
  ];
  expect(readWordTable(table.join('\n'))).toEqual({ text: 'The harbour\nopens.\n\nBoats', confidence: 75 });
});

test('a table without words is a page without text, and anything else is refused', () => {
  expect(readWordTable(`${HEADING}\n`)).toEqual({ text: '', confidence: 0 });
  expect(() => readWordTable('')).toThrow('no table of words');
});

// Tests of codes in queries, such as order numbers, and of texts with similar codes.
import { describe, expect, test } from 'vitest';
import { codesIn, namesOtherCode } from '../../../../server/domain/search/words/codes.ts';

const codes = (text: string) => codesIn(text).map((parts) => parts.join(' '));

describe('codes in a query', () => {
  test.each([
    ['When is INV-20932 due?', ['inv 20932']],
    ['inv-20932 and INV-20932', ['inv 20932']],
    ['PO-2024-0012, FX7-QQ12-99Z', ['po 2024 0012', 'fx7 qq12 99z']],
    ['RE/2024/0012 or ticket#4711', ['re 2024 0012', 'ticket 4711']],
    ['call 0170-555123', ['0170 555123']],
    ['ＩＮＶ-20932', ['inv 20932']],
  ])('are found: %s', (query, expected) => expect(codes(query)).toEqual(expected));

  test.each([
    'a well-known 5-minute walk',
    'the 100-meter race, a 1000-piece puzzle',
    'COVID-19, IL-6 and GLP-1R',
    'in the mid-1990s, on the 21st-22nd',
    'on 2024-05-07 at 10:30, 24/7, 3.14',
    'INV 20932',
    '',
  ])('are absent: %s', (query) => expect(codes(query)).toEqual([]));
});

describe('a text', () => {
  const names = (text: string, ...asked: string[]) => namesOtherCode(text, codesIn(asked.join(' ')));

  test('names another code when it contains a similar code and not the requested one', () => {
    expect(names('The invoice INV-20931 is due.', 'INV-20932')).toBe(true);
    expect(names('the invoice inv-20931 is due', 'INV-20932')).toBe(true);
    expect(names('See INV-2093.', 'INV-20932')).toBe(true);
    expect(names('Serial FX7-QQ12-99X', 'FX7-QQ12-99Z')).toBe(true);
  });

  test('names no other code when it contains the requested one, in any form', () => {
    expect(names('The invoice INV-20932 is due.', 'INV-20932')).toBe(false);
    expect(names('INV-20931, INV-20932 and INV-20933', 'INV-20932')).toBe(false);
    expect(names('Invoice no. 20932 (inv.)', 'INV-20932')).toBe(false);
  });

  test('names no other code when it contains one of several requested codes, or none and no similar one', () => {
    expect(names('INV-20931 is paid', 'INV-20931', 'INV-20932')).toBe(false);
    expect(names('The printing house sent an invoice.', 'INV-20932')).toBe(false);
    expect(names('Order AB-77712 is on its way', 'INV-20932')).toBe(false);
    expect(names('INV-20931', '')).toBe(false);
  });
});

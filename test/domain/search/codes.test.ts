import { describe, expect, test } from 'vitest';
import { codesIn, namesAnother } from '../../../server/domain/search/codes.ts';

const codes = (text: string) => codesIn(text).map((parts) => parts.join(' '));

describe('codes in a query', () => {
  test.each([
    ['When is INV-20932 due?', ['inv 20932']],
    ['inv-20932 and INV-20932', ['inv 20932']],
    ['PO-2024-0012, FX7-QQ12-99Z', ['po 2024 0012', 'fx7 qq12 99z']],
    ['RE/2024/0012 or ticket#4711', ['re 2024 0012', 'ticket 4711']],
    ['call 0170-555123', ['0170 555123']],
    ['ＩＮＶ-20932', ['inv 20932']],
  ])('%s', (query, expected) => expect(codes(query)).toEqual(expected));

  test.each([
    'a well-known 5-minute walk',
    'the 100-meter race, a 1000-piece puzzle',
    'COVID-19, IL-6 and GLP-1R',
    'in the mid-1990s, on the 21st-22nd',
    'on 2024-05-07 at 10:30, 24/7, 3.14',
    'INV 20932',
    '',
  ])('none: %s', (query) => expect(codes(query)).toEqual([]));
});

describe('a text', () => {
  const names = (text: string, ...asked: string[]) => namesAnother(text, codesIn(asked.join(' ')));

  test('names another code when it holds a sibling and not the one that was asked for', () => {
    expect(names('The invoice INV-20931 is due.', 'INV-20932')).toBe(true);
    expect(names('the invoice inv-20931 is due', 'INV-20932')).toBe(true);
    expect(names('See INV-2093.', 'INV-20932')).toBe(true);
    expect(names('Serial FX7-QQ12-99X', 'FX7-QQ12-99Z')).toBe(true);
  });

  test('does not when it holds the code, alone or among siblings, in whatever form', () => {
    expect(names('The invoice INV-20932 is due.', 'INV-20932')).toBe(false);
    expect(names('INV-20931, INV-20932 and INV-20933', 'INV-20932')).toBe(false);
    expect(names('Invoice no. 20932 (inv.)', 'INV-20932')).toBe(false);
  });

  test('does not when it holds one of several codes, or nothing of the kind', () => {
    expect(names('INV-20931 is paid', 'INV-20931', 'INV-20932')).toBe(false);
    expect(names('The printing house sent an invoice.', 'INV-20932')).toBe(false);
    expect(names('Order AB-77712 is on its way', 'INV-20932')).toBe(false);
    expect(names('INV-20931', '')).toBe(false);
  });
});

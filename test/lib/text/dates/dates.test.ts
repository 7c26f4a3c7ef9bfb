// Tests of reading and writing dates in texts and questions.
import { describe, expect, it } from 'vitest';
import { isoTime, writtenDate } from '../../../../server/lib/text/dates/format.ts';
import { parseDate } from '../../../../server/lib/text/dates/parse-date.ts';
import {
  asksWhen,
  dateRanges,
  hasTimeExpression,
  inRanges,
} from '../../../../server/lib/text/dates/question-dates.ts';
import { resolveRelativeDates } from '../../../../server/lib/text/dates/relative-dates.ts';

/** A Monday. */
const MONDAY = Date.UTC(2023, 4, 8, 13, 56);
const iso = (text: string): string | null => {
  const ms = parseDate(text);
  return ms === null ? null : new Date(ms).toISOString();
};

describe('a written date', () => {
  it('names the weekday, day, month and year in UTC', () => {
    expect(writtenDate(MONDAY)).toBe('Monday 8 May 2023');
    expect(writtenDate(Date.UTC(2024, 1, 29, 23, 59, 59))).toBe('Thursday 29 February 2024');
  });

  it('for programs always has a year of four digits, which their formats demand', () => {
    expect(isoTime(MONDAY)).toBe('2023-05-08T13:56:00.000Z');
    expect(isoTime(Date.UTC(10_000, 0, 1))).toBe('9999-12-31T23:59:59.999Z');
    expect(isoTime(Date.UTC(-1, 0, 1))).toBe('0000-01-01T00:00:00.000Z');
  });
});

describe('relative dates', () => {
  it.each([
    ['I went yesterday.', '7 May 2023'],
    ['Last night was fun', '7 May 2023'],
    ['today, tonight and this morning', '8 May 2023'],
    ['See you tomorrow', '9 May 2023'],
    ['last week / next weekend', '1 May 2023 15 May 2023'],
    ['last month, this month, next month', 'April 2023 May 2023 June 2023'],
    ['last year and next year', '2022 2024'],
    ['last Friday; last monday', '5 May 2023 1 May 2023'],
    ['two weeks ago, a month ago, 3 years ago, ten days ago', '24 April 2023 April 2023 2020 28 April 2023'],
  ])('in "%s" are %s', (text, dates) => {
    expect(resolveRelativeDates(text, MONDAY)).toBe(dates);
  });

  it('do not mistake a month for a Monday', () => {
    expect(resolveRelativeDates('last month', MONDAY)).toBe('April 2023');
  });

  it('cross the turn of a year', () => {
    expect(resolveRelativeDates('yesterday, last month', Date.UTC(2023, 0, 1))).toBe(
      '31 December 2022 December 2022',
    );
  });

  it('are absent from a text without them', () => {
    expect(resolveRelativeDates('The nightingale sang at last; ago is a word.', MONDAY)).toBe('');
  });
});

describe('the dates in a question', () => {
  const names = (query: string, at: number): boolean => inRanges(at, dateRanges(query));

  it('reach from the day before a day to a week after it', () => {
    for (const query of ['on 7 May 2023?', 'May 7th, 2023', 'the 7th of May 2023', 'Since 2023-05-07?']) {
      expect(names(query, Date.UTC(2023, 4, 6)), query).toBe(true);
      expect(names(query, Date.UTC(2023, 4, 14, 23)), query).toBe(true);
      expect(names(query, Date.UTC(2023, 4, 15)), query).toBe(false);
      expect(names(query, Date.UTC(2023, 4, 5, 23)), query).toBe(false);
    }
  });

  it('reach from the day before a month to ten days after it', () => {
    expect(names('What happened in December 2023?', Date.UTC(2023, 10, 30))).toBe(true);
    expect(names('What happened in December 2023?', Date.UTC(2024, 0, 10))).toBe(true);
    expect(names('What happened in December 2023?', Date.UTC(2024, 0, 11))).toBe(false);
  });

  it('are the days alone when it names days', () => {
    expect(dateRanges('Between 1 May 2023 and 3 May 2023, not June 2023')).toHaveLength(2);
  });

  it('are absent when a month is only the start of another word, or none is named', () => {
    expect(dateRanges('Who was mayor 2023? Which market 2024? On 7 May? In 2023?')).toEqual([]);
    expect(inRanges(MONDAY, [])).toBe(false);
  });
});

describe('a question', () => {
  it('is a question about a time when it begins like one', () => {
    for (const query of ['When did she', ' how long is', 'What date', 'Which year was', 'what MONTH']) {
      expect(asksWhen(query), query).toBe(true);
    }
    for (const query of ['Whenever', 'What did she do when', 'How', ''])
      expect(asksWhen(query), query).toBe(false);
  });
});

describe('a text', () => {
  it('contains a time when it says when something was', () => {
    for (const text of [
      'We met on Friday',
      'two years later',
      'in March',
      'since 1999',
      'just now',
      'last summer',
    ]) {
      expect(hasTimeExpression(text), text).toBe(true);
    }
  });

  it('contains no time when its words only begin like months', () => {
    expect(hasTimeExpression('Maybe the market decided to marry the sun')).toBe(false);
  });
});

describe('a date by itself', () => {
  it.each([
    ['2023-05-08', '2023-05-08T00:00:00.000Z'],
    ['2023-05-08T13:56:00Z', '2023-05-08T13:56:00.000Z'],
    ['2023-05-08T13:56:00.57+02:00', '2023-05-08T11:56:00.570Z'],
    ['2023-05-08 13:56', '2023-05-08T13:56:00.000Z'],
    [' 2023/05/20 (Sat) 02:21 ', '2023-05-20T02:21:00.000Z'],
    ['1:56 pm on 8 May, 2023', '2023-05-08T13:56:00.000Z'],
    ['12:05 am on 1 Jan 2024', '2024-01-01T00:05:00.000Z'],
    ['March-03-2024', '2024-03-03T00:00:00.000Z'],
    ['8 May 2023', '2023-05-08T00:00:00.000Z'],
    ['8th of May 2023', '2023-05-08T00:00:00.000Z'],
    ['Monday, May 8th, 2023', '2023-05-08T00:00:00.000Z'],
    ['May 8, 2023 at 3 pm', '2023-05-08T15:00:00.000Z'],
    ['Mon, 08 May 2023 13:56:00 +0200', '2023-05-08T11:56:00.000Z'],
    ['Mon May 08 2023 13:56:00 GMT+0200 (Central European Summer Time)', '2023-05-08T11:56:00.000Z'],
    ['29 Feb 2024', '2024-02-29T00:00:00.000Z'],
  ])('"%s" is read as %s', (text, expected) => {
    expect(iso(text)).toBe(expected);
  });

  it.each([
    ...[
      '',
      ' ',
      '2023',
      '20230508',
      '1683504000',
      '1683504000000',
      '8',
      '05/08/2023',
      '08.05.2023',
      'May 2023',
    ],
    ...['30 Feb 2023', '29 Feb 2023', '2023-13-01', '2023-00-10', '2023-05-08T25:00', '2023-05-08T12:60'],
    ...[
      '13:00 pm on 8 May 2023',
      '2023-05-08 or so',
      'see 8 May 2023',
      'Mayor 8 2023',
      'tomorrow',
      '2023-05-08T13',
    ],
    '1:00 on 8 May 2023 at 2:00',
    `8 May 2023 ${'0'.repeat(1_000_000)}`,
  ])('"%s" is not read, because nothing is guessed', (text) => {
    expect(parseDate(text)).toBeNull();
  });
});

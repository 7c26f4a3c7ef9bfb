import { describe, expect, test } from 'vitest';
import { sheetAddress } from '../../../../server/adapters/fetch/sheets.ts';
import { videoId } from '../../../../server/adapters/fetch/video/addresses.ts';

describe('the address of a video', () => {
  test.each([
    'https://www.youtube.com/watch?v=dQw4w9WgXcQ',
    'http://youtube.com/watch?v=dQw4w9WgXcQ',
    'https://m.youtube.com/watch?v=dQw4w9WgXcQ&t=42s',
    'https://music.youtube.com/watch?v=dQw4w9WgXcQ&list=RDAMVM',
    'https://www.youtube.com/watch?list=PL1&index=2&v=dQw4w9WgXcQ#t=10',
    'https://www.youtube.com/watch/dQw4w9WgXcQ',
    'https://youtu.be/dQw4w9WgXcQ',
    'https://youtu.be/dQw4w9WgXcQ?si=abc&t=3',
    'https://www.youtube.com/embed/dQw4w9WgXcQ?start=5',
    'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ',
    'https://youtube.com/shorts/dQw4w9WgXcQ?feature=share',
    'https://www.youtube.com/live/dQw4w9WgXcQ',
    'https://www.youtube.com/v/dQw4w9WgXcQ',
    'https://www.youtube.com/e/dQw4w9WgXcQ',
    'https://www.youtube.com/vi/dQw4w9WgXcQ/hqdefault',
    'https://gaming.youtube.com/watch?v=dQw4w9WgXcQ',
    'https://www.youtube.com/attribution_link?a=x&u=%2Fwatch%3Fv%3DdQw4w9WgXcQ%26feature%3Dshare',
    'https://www.youtube.com/oembed?url=https%3A%2F%2Fyoutu.be%2FdQw4w9WgXcQ&format=json',
    'https://WWW.YouTube.com/watch?v=dQw4w9WgXcQ',
  ])('%s names its video', (address) => expect(videoId(new URL(address))).toBe('dQw4w9WgXcQ'));

  test.each([
    'https://www.youtube.com/',
    'https://www.youtube.com/@someone',
    'https://www.youtube.com/playlist?list=PL1',
    'https://www.youtube.com/watch?v=tooShort',
    'https://www.youtube.com/watch?v=dQw4w9WgXcQmuchTooLong',
    'https://www.youtube.com/shorts/dQw4w9WgXcQmore',
    'https://youtu.be/',
    'https://notyoutube.com/watch?v=dQw4w9WgXcQ',
    'https://youtube.com.evil.example/watch?v=dQw4w9WgXcQ',
    'https://evil.example/?u=https://youtu.be/dQw4w9WgXcQ',
    'https://example.org/watch?v=dQw4w9WgXcQ',
    'https://www.youtube.com/oembed?url=https%3A%2F%2Fwww.youtube.com%2Foembed%3Furl%3Dx',
  ])('%s is an ordinary page', (address) => expect(videoId(new URL(address))).toBeNull());
});

describe('the address of an online spreadsheet', () => {
  const table = 'https://docs.google.com/spreadsheets/d/1AbC-_x/export?format=csv';
  test.each([
    ['https://docs.google.com/spreadsheets/d/1AbC-_x/edit', table],
    ['https://docs.google.com/spreadsheets/d/1AbC-_x', table],
    ['https://docs.google.com/spreadsheets/d/1AbC-_x/edit?usp=sharing', table],
    ['https://docs.google.com/spreadsheets/d/1AbC-_x/edit#gid=0', `${table}&gid=0`],
    ['https://docs.google.com/spreadsheets/d/1AbC-_x/edit?gid=77#gid=123', `${table}&gid=123`],
    ['https://docs.google.com/spreadsheets/u/1/d/1AbC-_x/htmlview?gid=77', `${table}&gid=77`],
    [
      'https://docs.google.com/spreadsheets/d/e/2PACX-1v/pubhtml?gid=5',
      'https://docs.google.com/spreadsheets/d/e/2PACX-1v/pub?output=csv&single=true&gid=5',
    ],
    [
      'https://docs.google.com/spreadsheets/d/e/2PACX-1v/pub',
      'https://docs.google.com/spreadsheets/d/e/2PACX-1v/pub?output=csv',
    ],
  ])('%s is fetched as a table', (address, expected) =>
    expect(sheetAddress(new URL(address))).toBe(expected),
  );

  test.each([
    'https://docs.google.com/document/d/1AbC/edit',
    'https://docs.google.com/spreadsheets/',
    'https://docs.google.com.evil.example/spreadsheets/d/1AbC/edit',
    'https://sheets.example/spreadsheets/d/1AbC/edit',
  ])('%s is an ordinary page', (address) => expect(sheetAddress(new URL(address))).toBeNull());

  test('has no table number when the link has an invalid one', () =>
    expect(sheetAddress(new URL('https://docs.google.com/spreadsheets/d/1AbC-_x/edit#gid=1%26x=2'))).toBe(
      table,
    ));
});

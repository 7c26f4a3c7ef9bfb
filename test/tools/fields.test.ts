// Tests of the fields that several operations share.
import { describe, expect, it, test } from 'vitest';
import { z } from 'zod';
import { content, customId, entityContext } from '../../tools/documents/schemas/content.ts';
import { statusFilter, statusQuery } from '../../tools/documents/schemas/status.ts';
import { pageFields, sortFields } from '../../tools/memories/schemas/paging.ts';
import { metadata } from '../../tools/shared/metadata.ts';
import { flag } from '../../tools/shared/primitives.ts';
import { problems } from './judge.ts';

const mebibyte = 1024 * 1024;

describe('content', () => {
  test('keeps its text exactly', () => {
    expect(content.parse('  a\r\n\tb \n')).toBe('  a\r\n\tb \n');
  });

  test.each([
    ['', 'must not be empty'],
    [' \n\t\ufeff', 'must not be blank'],
    [7, 'must be text'],
  ])('is refused as %j', (given, why) => {
    expect(problems(content, given)).toContain(why);
  });

  it('is measured in bytes and may have 10 MiB, but not one byte more', () => {
    expect(problems(content, 'a'.repeat(10 * mebibyte))).toBe('');
    expect(problems(content, 'a'.repeat(10 * mebibyte + 1))).toContain('10 MiB');
    expect(problems(content, 'é'.repeat(5 * mebibyte))).toBe('');
    expect(problems(content, `${'é'.repeat(5 * mebibyte)}.`)).toContain('10 MiB');
  });
});

describe('a customId', () => {
  test.each(['a', 'thread/7 b@c', '日本語', 'bulky', 'x'.repeat(255)])('may be %j', (id) => {
    expect(problems(customId, id)).toBe('');
  });

  test.each([
    '',
    'x'.repeat(256),
    'a\tb',
    'bulk',
    'list',
    'processing',
    'batch',
    'file',
    'search',
    'documents',
    'Bulk',
    '.',
    '..',
  ])('may not be %j', (id) => {
    expect(problems(customId, id)).not.toBe('');
  });
});

describe('metadata', () => {
  test.each([
    [{}],
    [{ a: 'text', b: 1.5, c: false, 'd e': '' }],
    [{ 'k.e-y_1': 'x'.repeat(4096) }],
    [Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`k${i}`, i]))],
  ])('is accepted unchanged: %#', (given) => {
    expect(metadata.parse(given)).toEqual(given);
  });

  test.each([
    [{ a: ['x'] }, 'a: must be text'],
    [{ a: { b: 1 } }, 'a: must be text'],
    [{ a: null }, 'a: must be text'],
    [{ a: 'x'.repeat(4097) }, 'a: '],
    [{ a: Number.POSITIVE_INFINITY }, 'a: must be text'],
    [{ '': 1 }, ''],
    [{ 'a\nb': 1 }, ''],
    [{ ['k'.repeat(129)]: 1 }, ''],
    [Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`k${i}`, i])), 'at most 100 keys'],
    ['text', 'must be an object'],
    [['a'], 'must be an object'],
  ])('is refused: %#', (given, why) => {
    const said = problems(metadata, given);
    expect(said).not.toBe('');
    expect(said).toContain(why);
  });
});

test('an entityContext has at most 1,500 characters', () => {
  expect(problems(entityContext, 'x'.repeat(1500))).toBe('');
  expect(problems(entityContext, 'x'.repeat(1501))).toContain('1,500');
});

describe('paging and sorting', () => {
  const page = z.object({ ...pageFields, ...sortFields });

  test.each([
    [{}, { page: 1, limit: 10, sort: 'createdAt', order: 'desc' }],
    [
      { page: '3', limit: '1100' },
      { page: 3, limit: 1100, sort: 'createdAt', order: 'desc' },
    ],
    [
      { page: 2, limit: 1, sort: 'updatedAt', order: 'asc' },
      { page: 2, limit: 1, sort: 'updatedAt', order: 'asc' },
    ],
  ])('accept %j', (given, read) => {
    expect(page.parse(given)).toEqual(read);
  });

  test.each([
    { limit: 0 },
    { limit: '0' },
    { limit: 1101 },
    { limit: '1101' },
    { limit: 1.5 },
    { limit: 'ten' },
    { limit: '-1' },
    { limit: '' },
    { page: 0 },
    { page: null },
    { sort: 'title' },
    { order: 'up' },
  ])('refuse %j', (given) => {
    expect(problems(page, given)).toMatch(
      /^((page|limit): must be a whole number from 1 to [\d]+|sort: .*|order: .*)$/,
    );
  });
});

test.each([
  [true, true],
  ['true', true],
  [false, false],
  ['false', false],
])('the flag %j is read as %j', (given, read) => {
  expect(flag.parse(given)).toBe(read);
});

test.each(['yes', 1, '', null])('%j is refused as a flag', (given) => {
  expect(problems(flag, given)).toBe('must be true or false');
});

describe('a status to filter by', () => {
  test.each([
    ['queued', ['queued']],
    ['processing', ['extracting', 'chunking', 'embedding']],
    ['extracting', ['extracting']],
    ['chunking', ['chunking']],
    ['embedding', ['embedding']],
    ['indexing', ['embedding']],
    ['done', ['done']],
    ['failed', ['failed']],
  ])('is read from %s as %j', (word, steps) => {
    expect(statusFilter.parse(word)).toEqual(steps);
    expect(statusQuery.parse(word)).toEqual(steps);
  });

  it('may be several words, and yields each step once', () => {
    const steps = ['embedding', 'extracting', 'chunking', 'done'];
    expect(statusFilter.parse(['indexing', 'processing', 'done'])).toEqual(steps);
    expect(statusQuery.parse(['indexing', 'processing', 'done'])).toEqual(steps);
    expect(statusQuery.parse('indexing,processing,done')).toEqual(steps);
  });

  test.each(['unknown', 'DONE', '', 'done,nope'])('may not be %j', (word) => {
    expect(problems(statusFilter, word)).toContain('must be one of queued, processing');
    expect(problems(statusQuery, word)).toContain('must be one of queued, processing');
  });
});

import { describe, expect, test } from 'vitest';
import { operationRequest } from '../../../server/cli/connection/client.ts';
import { typedValue } from '../../../server/cli/options.ts';
import { alignedTable, wrap } from '../../../server/cli/output/layout.ts';
import { withoutControls } from '../../../server/cli/output/text.ts';
import { addDocument } from '../../../tools/documents/add.ts';
import { deleteDocument } from '../../../tools/documents/delete.ts';
import { deleteDocuments } from '../../../tools/documents/delete-bulk.ts';
import { listDocumentsByQuery } from '../../../tools/documents/list-get.ts';

describe('text for a terminal', () => {
  test('is wrapped at words, and long words are cut', () => {
    expect(wrap('Ada prefers tea in the morning', 12)).toEqual(['Ada prefers', 'tea in the', 'morning']);
    expect(wrap('abcdefgh ij', 3)).toEqual(['abc', 'def', 'gh', 'ij']);
  });

  test('keeps its line breaks, and runs blank lines together', () => {
    expect(wrap('user: tea?\n\n\nassistant: yes\n', 40)).toEqual(['user: tea?', 'assistant: yes']);
  });

  test('counts characters that take two columns as two', () => {
    expect(wrap('日本語日本語', 6)).toEqual(['日本語', '日本語']);
  });

  test('counts an emoji of several characters as one of two columns', () => {
    expect(wrap('👩‍👩‍👧 👍🏽', 5)).toEqual(['👩‍👩‍👧 👍🏽']);
  });

  test('cannot steer the terminal', () => {
    expect(withoutControls('a\u001b[2Jb\u0007c\u009bd\n')).toBe('a [2Jb c d\n');
  });

  test('stands in columns', () => {
    expect(
      alignedTable([
        ['a', '日本', 'x'],
        ['bcd', 'e', ''],
      ]),
    ).toEqual(['a    日本  x', 'bcd  e']);
  });
});

test('metadata is what it looks like', () => {
  expect(['true', 'false', '12', '-1.5', '007', '1e3', '', ' 1', 'tea'].map(typedValue)).toEqual([
    true,
    false,
    12,
    -1.5,
    '007',
    '1e3',
    '',
    ' 1',
    'tea',
  ]);
});

describe('an operation as a request', () => {
  test('sends its fields as a body', () => {
    expect(operationRequest(addDocument, { content: 'tea', title: undefined })).toEqual({
      path: '/v3/documents',
      body: '{"content":"tea"}',
    });
  });

  test('puts path parameters into the path, whatever they hold', () => {
    expect(operationRequest(deleteDocument, { id: 'a/b c?d' }).path).toBe('/v3/documents/a%2Fb%20c%3Fd');
  });

  test('repeats lists in a query', () => {
    expect(operationRequest(listDocumentsByQuery, { containerTag: ['a', 'b&c'], limit: 5 })).toEqual({
      path: '/v3/documents?containerTag=a&containerTag=b%26c&limit=5',
      body: null,
    });
  });

  test('of a DELETE may have a body', () => {
    expect(operationRequest(deleteDocuments, { ids: ['x'] }).body).toBe('{"ids":["x"]}');
  });
});

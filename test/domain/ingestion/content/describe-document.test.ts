// Tests of the title, type and metadata of a document, and of the end of its original.
import { describe, expect, test } from 'vitest';
import type { Claim, ClaimedFile } from '../../../../server/adapters/store/ports/ingestion/claims.ts';
import type { Reading } from '../../../../server/adapters/store/ports/ingestion/layout.ts';
import {
  joinParts,
  partOfFile,
  partOfReading,
  toPart,
} from '../../../../server/domain/ingestion/content/content-parts.ts';
import {
  describeParts,
  needsExtraction,
} from '../../../../server/domain/ingestion/content/describe-document.ts';

const FILE: ClaimedFile = { key: 'k', name: 'plan.pdf', mimeType: null, fileType: null };

const claimOf = (more: Partial<Claim> = {}): Claim =>
  ({
    ...{ type: 'file', content: '', layout: null, file: null, notedMetadata: {}, submissions: [] },
    ...more,
  }) as unknown as Claim;

const reading = (more: Partial<Reading> = {}): Reading => ({
  ...{ from: 'file', type: 'pdf', kind: 'pdf', form: 'prose', mimeType: 'application/pdf' },
  ...{ facts: {}, passages: [] },
  ...more,
});

const readParts = (...readings: Partial<Reading>[]) =>
  readings.map((one) => partOfReading('x', reading(one)));

describe('the type of a document', () => {
  const typeOf = (claim: Partial<Claim>, ...parts: Parameters<typeof describeParts>[1]) =>
    describeParts(claimOf(claim), parts).type;

  test('is found in its bytes', () => {
    expect(typeOf({ file: FILE }, ...readParts({ type: 'image' }))).toBe('image');
    expect(typeOf({}, toPart('https://example.org/'))).toBe('webpage');
  });

  test('is the stated one when that names the source and not the format', () => {
    const called = (fileType: string) => typeOf({ file: { ...FILE, fileType } }, ...readParts({}));
    expect(['notion_doc', 'google_slide', 'image', 'text'].map(called)).toEqual([
      'notion_doc',
      'google_slide',
      'pdf',
      'pdf',
    ]);
  });

  test('stays the same until the file is read, and is text when a text replaced the file', () => {
    expect(typeOf({ type: 'pdf', file: FILE }, partOfFile(FILE))).toBe('pdf');
    expect(typeOf({ type: 'pdf', file: FILE }, toPart('A text.'))).toBe('text');
    expect(typeOf({ type: 'webpage' }, toPart('A text.'))).toBe('text');
    expect(typeOf({ type: 'text' }, toPart('A text.'))).toBe('text');
  });
});

describe('the original', () => {
  test('stays as long as the document is made from it', () => {
    const held = describeParts(claimOf({ file: FILE }), readParts({}));
    expect(held).toMatchObject({ mimeType: 'application/pdf' });
    expect(held).not.toHaveProperty('dropsFile');
    expect(describeParts(claimOf({ file: FILE }), [partOfFile(FILE)])).not.toHaveProperty('dropsFile');
  });

  test('is removed when other content replaced it', () => {
    for (const parts of [[toPart('A text.')], readParts({ from: 'web' })])
      expect(describeParts(claimOf({ file: FILE }), parts)).toMatchObject({ dropsFile: true });
    expect(describeParts(claimOf(), [toPart('A text.')])).not.toHaveProperty('dropsFile');
  });
});

test('the omissions of several files are listed for each file, and their metadata are merged', () => {
  const parts = readParts({ note: 'One.', facts: { a: 1, b: 1 } }, {}, { note: 'Two.', facts: { b: 2 } });
  expect(describeParts(claimOf({ notedMetadata: { c: 3 } }), parts)).toMatchObject({
    note: 'One. Two.',
    notedMetadata: { former: { c: 3 }, now: { a: 1, b: 2 } },
  });
  expect(describeParts(claimOf({ type: 'text' }), [toPart('A text.')])).toEqual({ type: 'text', note: null });
});

test('only formats that need a process of their own or the web are read outside of the queue', () => {
  const sent = (content: string) => ({ submissions: [{ n: 1, mode: 'merge' as const, content }] });
  const { content, layout } = joinParts(readParts({}));
  const cases: [Partial<Claim>, boolean][] = [
    [{ content: 'A text.' }, false],
    [{ content: 'https://example.org/' }, true],
    [{ content: '<!doctype html><html><body><p>A page.</p></body></html>' }, true],
    [{ file: FILE }, true],
    [{ file: FILE, content, layout }, false],
    [sent('A text.'), false],
    [sent('https://example.org/'), true],
  ];
  for (const [claim, expected] of cases)
    expect([claim, needsExtraction(claimOf({ type: 'text', ...claim }))]).toEqual([claim, expected]);
});

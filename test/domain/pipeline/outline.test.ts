// What a document is called, what is noted about it, and when its original does not count any more.
import { describe, expect, test } from 'vitest';
import type { Claim, ClaimedFile, Reading } from '../../../server/adapters/store/ingest-port.ts';
import { describeParts, needsExtraction } from '../../../server/domain/pipeline/outline.ts';
import { filePart, joinParts, partOf, readPart } from '../../../server/domain/pipeline/parts.ts';

const FILE: ClaimedFile = { key: 'k', name: 'plan.pdf', mimeType: null, fileType: null };

const claimOf = (more: Partial<Claim> = {}): Claim =>
  ({
    ...{ type: 'file', content: '', layout: null, file: null, facts: {}, submissions: [] },
    ...more,
  }) as unknown as Claim;

const reading = (more: Partial<Reading> = {}): Reading => ({
  ...{ from: 'file', type: 'pdf', kind: 'pdf', form: 'prose', mimeType: 'application/pdf' },
  ...{ facts: {}, passages: [] },
  ...more,
});

const readParts = (...readings: Partial<Reading>[]) => readings.map((one) => readPart('x', reading(one)));

describe('the type', () => {
  const typeOf = (claim: Partial<Claim>, ...parts: Parameters<typeof describeParts>[1]) =>
    describeParts(claimOf(claim), parts).type;

  test('is what its bytes are found to be', () => {
    expect(typeOf({ file: FILE }, ...readParts({ type: 'image' }))).toBe('image');
    expect(typeOf({}, partOf('https://example.org/'))).toBe('webpage');
  });

  test('is what its sender calls it where that says from where it is, and not what it is', () => {
    const called = (fileType: string) => typeOf({ file: { ...FILE, fileType } }, ...readParts({}));
    expect(['notion_doc', 'google_slide', 'image', 'text'].map(called)).toEqual([
      'notion_doc',
      'google_slide',
      'pdf',
      'pdf',
    ]);
  });

  test('stays what it was until the file is read, and is a text when one took its place', () => {
    expect(typeOf({ type: 'pdf', file: FILE }, filePart(FILE))).toBe('pdf');
    expect(typeOf({ type: 'pdf', file: FILE }, partOf('A text.'))).toBe('text');
    expect(typeOf({ type: 'webpage' }, partOf('A text.'))).toBe('text');
    expect(typeOf({ type: 'text' }, partOf('A text.'))).toBe('text');
  });
});

describe('the original', () => {
  test('stands as long as the document is made from it', () => {
    const held = describeParts(claimOf({ file: FILE }), readParts({}));
    expect(held).toMatchObject({ mimeType: 'application/pdf' });
    expect(held).not.toHaveProperty('dropsFile');
    expect(describeParts(claimOf({ file: FILE }), [filePart(FILE)])).not.toHaveProperty('dropsFile');
  });

  test('goes when something else took its place', () => {
    for (const parts of [[partOf('A text.')], readParts({ from: 'web' })])
      expect(describeParts(claimOf({ file: FILE }), parts)).toMatchObject({ dropsFile: true });
    expect(describeParts(claimOf(), [partOf('A text.')])).not.toHaveProperty('dropsFile');
  });
});

test('what was left out of several files is said of each, and what they say of themselves is put together', () => {
  const parts = readParts({ note: 'One.', facts: { a: 1, b: 1 } }, {}, { note: 'Two.', facts: { b: 2 } });
  expect(describeParts(claimOf({ facts: { c: 3 } }), parts)).toMatchObject({
    note: 'One. Two.',
    facts: { former: { c: 3 }, now: { a: 1, b: 2 } },
  });
  expect(describeParts(claimOf({ type: 'text' }), [partOf('A text.')])).toEqual({ type: 'text', note: null });
});

test('only what takes a process of its own or the web is read outside of the queue', () => {
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

// Tests that indexing a long document in windows gives the same result as indexing it as a whole.
import { describe, expect, test } from 'vitest';
import type { Claim, StoredChunk } from '../../../server/adapters/store/ports/ingestion/claims.ts';
import type { DocumentToCommit } from '../../../server/adapters/store/ports/ingestion/commits.ts';
import { chunk } from '../../../server/domain/ingestion/chunking/chunk.ts';
import {
  describeChunks,
  describeWindows,
} from '../../../server/domain/ingestion/chunking/describe-chunks.ts';
import { parseContent } from '../../../server/domain/ingestion/content/parse-content.ts';
import { completeByWindows, isLong } from '../../../server/domain/ingestion/long-documents.ts';
import type { Prepared } from '../../../server/domain/ingestion/prepare.ts';
import type { Plan } from '../../../server/domain/ingestion/reconcile.ts';

const sentence = (at: number): string =>
  `The jay number ${at} buried ${at % 7} acorns, and the oak ${at} grew.`;

const prose = (paragraphs: number): string =>
  Array.from({ length: paragraphs }, (_, at) => Array(14).fill(sentence(at)).join(' ')).join('\n\n');

const talk = (turns: number): string =>
  Array.from({ length: turns }, (_, at) => `${at % 2 === 0 ? 'Ann' : 'Ben'}: ${sentence(at)}`).join('\n');

const prepared = (text: string, chunks: StoredChunk[] = []): Prepared =>
  ({
    claim: { id: 'document', container: 1, chunks } as unknown as Claim,
    drafts: chunk(parseContent(text, { kind: 'text' })),
  }) as unknown as Prepared;

const former = (seq: number, id: string): StoredChunk =>
  ({ n: 2 ** 28 + seq, id, inputHash: '' }) as unknown as StoredChunk;

const run = async (document: Prepared, stopAfter = Number.POSITIVE_INFINITY) => {
  const plans: Plan[] = [];
  const committed: DocumentToCommit[] = [];
  await completeByWindows(document, {
    context: () => 'both',
    async embed(plan) {
      plans.push(plan);
      const added = plan.matches.filter((match) => match.former === null).map((match) => match.chunk);
      return { added, removed: plan.removed } as unknown as DocumentToCommit;
    },
    async commit(one) {
      committed.push({
        ...one,
        slice: one.slice && { ...one.slice, added: new Set(one.slice.added) },
      } as DocumentToCommit);
      return committed.length < stopAfter;
    },
  });
  return { plans, committed };
};

describe.each([
  ['prose', prose(900)],
  ['a conversation', talk(1300)],
])('indexing %s', (_what, text) => {
  test('in windows describes it as indexing it at once', () => {
    const { drafts } = prepared(text);
    expect(drafts.length).toBeGreaterThan(800);
    const windows = [...describeWindows('document', drafts, 100)];
    expect(Math.max(...windows.map((window) => window.length))).toBe(100);
    expect(windows.flat()).toEqual(describeChunks('document', drafts));
  });
});

test('commits each window before the next, and finishes the document with the last', async () => {
  const document = prepared(prose(900));
  expect([isLong(document), isLong(prepared(prose(3)))]).toEqual([true, false]);
  const { plans, committed } = await run(document);
  expect(plans.flatMap(({ matches }) => matches.map((match) => match.chunk.id))).toEqual(
    describeChunks('document', document.drafts).map(({ id }) => id),
  );
  const lasts = committed.map(({ slice }) => slice?.last);
  expect(lasts).toEqual([...Array(lasts.length - 1).fill(false), true]);
  expect(committed.at(-1)?.slice?.added.size).toBe(document.drafts.length);
  expect(Math.max(...plans.map(({ matches }) => matches.length))).toBeLessThan(document.drafts.length);
});

test('keeps unchanged chunks, and removes old chunks at the end', async () => {
  const { drafts } = prepared(prose(900));
  const ids = describeChunks('document', drafts).map(({ id }) => id);
  const chunks = [former(1, ids[0] ?? ''), former(2, ids.at(-1) ?? ''), former(3, 'gone')];
  const { plans, committed } = await run(prepared(prose(900), chunks));
  expect(plans.slice(0, -1).flatMap(({ removed }) => removed)).toEqual([]);
  expect(plans.at(-1)?.removed.map(({ id }) => id)).toEqual(['gone']);
  expect(committed.at(-1)?.slice?.added.size).toBe(ids.length - 2);
});

test('stops when another worker has claimed the document', async () => {
  const { plans, committed } = await run(prepared(prose(900)), 1);
  expect([plans.length, committed.length]).toEqual([1, 1]);
});

// Tests of the published form of documents, lists and chunks.
import { describe, expect, it, test } from 'vitest';
import type { DocumentStep } from '../../../server/adapters/store/ports/documents.ts';
import {
  documentStatus,
  presentChunks,
  presentDocument,
  presentList,
  presentProcessing,
} from '../../../server/domain/documents/present.ts';
import { chunksOutput, documentOutput, listOutput } from '../../../tools/documents/schemas/outputs.ts';
import { recordOf } from './samples.ts';

const asked = { page: 1, limit: 10, includeContent: false };

test.each([
  ['queued', 'queued'],
  ['extracting', 'processing'],
  ['chunking', 'processing'],
  ['embedding', 'processing'],
  ['done', 'done'],
  ['failed', 'failed'],
] satisfies [DocumentStep, string][])('the step %s is shown as the status %s', (step, status) => {
  expect(documentStatus(step)).toBe(status);
  expect(presentDocument(recordOf({ step }), [])).toMatchObject({ step, status });
});

describe('a document', () => {
  it('carries every published field, and null where it has no value', () => {
    expect(
      presentDocument(
        recordOf({ customId: null, title: null, titleOrigin: null, metadata: null, filepath: null }),
        [],
      ),
    ).toEqual({
      id: '1BQ8vWzUqTfGZ4kS9xNc7d',
      customId: null,
      connectionId: null,
      content: 'The whole text.',
      title: null,
      summary: null,
      type: 'text',
      status: 'done',
      step: 'done',
      progress: null,
      failure: null,
      dreamingStatus: 'done',
      memoryFailure: null,
      usage: { inputTokens: 0, outputTokens: 0 },
      taskType: 'memory',
      latestRevision: 1,
      metadata: null,
      containerTags: ['sm_project_default', 'user_ada'],
      filepath: null,
      source: null,
      url: null,
      ogImage: null,
      note: null,
      raw: null,
      spatialPoint: null,
      createdAt: '2026-01-02T03:04:05.006Z',
      updatedAt: '2026-01-02T03:04:06.000Z',
    });
  });

  it('fits the contract while it is processed and after a failure', () => {
    const working = recordOf({ step: 'embedding', progress: { done: 1, total: 4, unit: 'chunks' } });
    const failure = { code: 'unsupported', message: 'Not yet.', retryable: false };
    for (const record of [working, recordOf({ step: 'failed', failure, content: null })])
      expect(documentOutput.parse(presentDocument(record, []))).toEqual(presentDocument(record, []));
  });

  it.each([
    ['queued', 'memory', 'none', 'dreaming'],
    ['embedding', 'memory', 'done', 'dreaming'],
    ['done', 'memory', 'waiting', 'dreaming'],
    ['done', 'memory', 'done', 'done'],
    ['done', 'memory', 'failed', 'done'],
    ['done', 'memory', 'none', 'done'],
    ['failed', 'memory', 'none', 'done'],
    ['queued', 'superrag', 'none', 'done'],
  ] as const)(
    'that is %s for %s, with its memories %s, is shown as %s',
    (step, taskType, memoryState, dreamingStatus) => {
      expect(presentDocument(recordOf({ step, taskType, memoryState }), [])).toMatchObject({
        dreamingStatus,
      });
    },
  );

  it('gives the reason when it is searchable but no memories could be drawn', () => {
    const memoryFailure = { code: 'model_silent', message: 'The model did not answer.', retryable: true };
    const presented = presentDocument(recordOf({ memoryState: 'failed', memoryFailure }), []);
    expect(presented).toMatchObject({
      status: 'done',
      failure: null,
      dreamingStatus: 'done',
      memoryFailure,
    });
    expect(presented).not.toHaveProperty('memories');
  });
});

describe('a list', () => {
  it('leaves out the tags of projects, and leaves out the content unless it is requested', () => {
    const found = { documents: [recordOf()], total: 1 };
    const [item] = presentList(found, asked).memories;
    expect(item?.containerTags).toEqual(['user_ada']);
    expect(item).not.toHaveProperty('content');
    for (const absent of ['source', 'taskType', 'ogImage', 'raw']) expect(item).not.toHaveProperty(absent);
    expect(presentList(found, { ...asked, includeContent: true }).memories[0]?.content).toBe(
      'The whole text.',
    );
  });

  test.each([
    [0, 10, 0],
    [1, 10, 1],
    [10, 10, 1],
    [11, 10, 2],
    [2200, 1100, 2],
  ])('of %i items has pages of %i: %i', (total, limit, totalPages) => {
    const list = presentList({ documents: [], total }, { page: 3, limit, includeContent: false });
    expect(list.pagination).toEqual({ currentPage: 3, totalItems: total, totalPages, limit });
    expect(listOutput.parse(list)).toEqual(list);
  });
});

it('shows the known fields of a document in the queue', () => {
  expect(Object.keys(presentProcessing(recordOf({ step: 'queued' }))).sort()).toEqual(
    [
      ...['id', 'customId', 'title', 'type', 'status', 'createdAt', 'updatedAt', 'metadata', 'containerTags'],
      ...['step', 'progress', 'failure'],
    ].sort(),
  );
});

it('gives every chunk a position of its own, though long turns are stored in parts', () => {
  const chunk = (position: number, part: number) => ({
    n: 10 * position + part,
    id: `c${position}.${part}`,
    text: `text ${position}.${part}`,
    position,
    part,
    title: null,
    speaker: null,
    role: null,
    date: null,
    flags: 0,
    metadata: null,
    createdAt: 0,
  });
  const chunks = presentChunks('doc', [chunk(0, 0), chunk(1, 0), chunk(1, 1), chunk(2, 0)]);
  expect(chunks).toMatchObject({ documentId: 'doc', total: 4 });
  expect(chunks.chunks.map(({ id, position }) => [id, position])).toEqual([
    ['c0.0', 0],
    ['c1.0', 1],
    ['c1.1', 2],
    ['c2.0', 3],
  ]);
  expect(chunksOutput.parse(chunks)).toEqual(chunks);
});

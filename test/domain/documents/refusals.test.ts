// Tests of the answers to results of the store: found, changed, deleted or refused.
import { describe, expect, it, test } from 'vitest';
import type {
  FoundDocument,
  Removed,
  Submitted,
  Updated,
} from '../../../server/adapters/store/ports/documents.ts';
import { MemoirError } from '../../../server/core/errors.ts';
import { presentRemoved, toRemoval } from '../../../server/domain/documents/bulk-delete.ts';
import {
  requireAccepted,
  requireFound,
  requireRemoved,
  requireUpdated,
} from '../../../server/domain/documents/refusals.ts';
import { callerOf, recordOf } from './samples.ts';

const bound = callerOf(['user_ada', 'a/b c']);

const refusalOf = (work: () => unknown): MemoirError => {
  try {
    work();
  } catch (error) {
    if (error instanceof MemoirError) return error;
    throw error;
  }
  throw new Error('Nothing was refused.');
};

const none: Removed = { deleted: [], missing: [], forbidden: [], ambiguous: [] };

describe('a requested document', () => {
  it('is returned when it is there', () => {
    expect(requireFound({ outcome: 'found', document: recordOf() }, 'mine', bound)).toEqual(recordOf());
  });

  test.each([
    [{ outcome: 'missing' }, 404, 'id or customId "mine"'],
    [{ outcome: 'foreign' }, 403, '"user_ada", "a/b c"'],
    [{ outcome: 'ambiguous', ids: ['one', 'two'] }, 400, '"one", "two"'],
  ] satisfies [FoundDocument, number, string][])('answers %j with %i', (outcome, status, says) => {
    const error = refusalOf(() => requireFound(outcome, 'mine', bound));
    expect(error.status).toBe(status);
    expect(error.message).toContain(says);
  });

  it('is not reported as outside the tags to a full key', () => {
    expect(refusalOf(() => requireFound({ outcome: 'missing' }, 'mine', callerOf())).message).not.toContain(
      'key',
    );
  });
});

describe('a change', () => {
  it('answers id and status and nothing else', () => {
    expect(requireUpdated({ outcome: 'updated', id: 'i', step: 'done' }, 'mine', bound)).toEqual({
      id: 'i',
      status: 'done',
    });
  });

  test.each([
    ['queued', 'queued'],
    ['extracting', 'processing'],
    ['embedding', 'processing'],
    ['failed', 'failed'],
  ] as const)('of a document at the step %s answers %s', (step, status) => {
    expect(requireUpdated({ outcome: 'updated', id: 'i', step }, 'mine', bound).status).toBe(status);
  });

  test.each([
    [{ outcome: 'missing' }, 404, '"mine"'],
    [{ outcome: 'foreign' }, 403, '"user_ada"'],
    [{ outcome: 'forbidden', id: 'i' }, 403, 'all of its tags'],
    [{ outcome: 'ambiguous', ids: ['one', 'two'] }, 400, '"one", "two"'],
    [{ outcome: 'taken', id: 'other' }, 409, '"other"'],
  ] satisfies [Updated, number, string][])('answers %j with %i', (outcome, status, says) => {
    const error = refusalOf(() => requireUpdated(outcome, 'mine', bound));
    expect(error.status).toBe(status);
    expect(error.message).toContain(says);
  });
});

describe('a submission', () => {
  test.each([
    [{ outcome: 'untagged' }, 400, '"user_ada"'],
    [{ outcome: 'forbidden', id: 'i' }, 403, '"user_ada"'],
  ] satisfies [Submitted, number, string][])('answers %j with %i', (outcome, status, says) => {
    const error = refusalOf(() => requireAccepted(outcome, bound));
    expect(error.status).toBe(status);
    expect(error.message).toContain(says);
  });
});

describe('the deletion of one document', () => {
  it('answers nothing when the document is gone', () => {
    expect(requireRemoved({ ...none, deleted: ['i'] }, 'mine', bound)).toBeUndefined();
  });

  test.each([
    [{ missing: ['mine'] }, 404],
    [{ forbidden: ['i'] }, 403],
    [{ ambiguous: ['one', 'two'] }, 400],
  ])('answers %j with %i', (outcome, status) => {
    expect(refusalOf(() => requireRemoved({ ...none, ...outcome }, 'mine', bound)).status).toBe(status);
  });
});

describe('the deletion of many documents', () => {
  const byIds = toRemoval({ ids: ['i', 'j', 'k'], tags: undefined });
  const byTags = toRemoval({ tags: ['user_ada'] });

  it('answers with their number', () => {
    expect(presentRemoved(byIds, { ...none, deleted: ['i', 'j'] }, bound)).toEqual({
      success: true,
      deletedCount: 2,
    });
  });

  it('answers with the tags when it was done by tags', () => {
    expect(presentRemoved(byTags, none, bound)).toEqual({
      success: true,
      deletedCount: 0,
      containerTags: ['user_ada'],
    });
  });

  it('lists a missing id as published and succeeds all the same', () => {
    expect(presentRemoved(byIds, { ...none, deleted: ['i'], missing: ['j'] }, bound)).toEqual({
      success: true,
      deletedCount: 1,
      errors: [{ id: 'j', error: 'Memory not found' }],
    });
  });

  it('lists the documents that the key may not delete', () => {
    const answer = presentRemoved(
      byIds,
      { ...none, deleted: ['i'], forbidden: ['j'], ambiguous: ['k'] },
      bound,
    );
    expect(answer).toMatchObject({ success: false, deletedCount: 1 });
    expect(answer.errors?.map(({ id }) => id)).toEqual(['k', 'j']);
  });

  it('is refused when the key may delete none of them', () => {
    expect(
      refusalOf(() => presentRemoved(byIds, { ...none, forbidden: ['i', 'j', 'k'] }, bound)).status,
    ).toBe(403);
  });
});

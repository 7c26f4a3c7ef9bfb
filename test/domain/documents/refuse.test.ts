import { describe, expect, it, test } from 'vitest';
import type { Found, Removed, Submitted, Updated } from '../../../server/adapters/store/port.ts';
import { presentRemoved, toRemoval } from '../../../server/domain/documents/bulk-delete.ts';
import { accepted, found, removed, updated } from '../../../server/domain/documents/refuse.ts';
import { MemoirError } from '../../../server/errors.ts';
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

describe('a document that was asked for', () => {
  it('is given when it is there', () => {
    expect(found({ outcome: 'found', document: recordOf() }, 'mine', bound)).toEqual(recordOf());
  });

  test.each([
    [{ outcome: 'missing' }, 404, 'id or customId "mine"'],
    [{ outcome: 'foreign' }, 403, '"user_ada", "a/b c"'],
    [{ outcome: 'ambiguous', ids: ['one', 'two'] }, 400, '"one", "two"'],
  ] satisfies [Found, number, string][])('%j is answered with %i', (outcome, status, says) => {
    const error = refusalOf(() => found(outcome, 'mine', bound));
    expect(error.status).toBe(status);
    expect(error.message).toContain(says);
  });

  it('is not said to be outside tags that a full key does not have', () => {
    expect(refusalOf(() => found({ outcome: 'missing' }, 'mine', callerOf())).message).not.toContain('key');
  });
});

describe('a change', () => {
  it('answers id and status and nothing else', () => {
    expect(updated({ outcome: 'updated', id: 'i', status: 'done' }, 'mine', bound)).toEqual({
      id: 'i',
      status: 'done',
    });
  });

  test.each([
    [{ outcome: 'missing' }, 404, '"mine"'],
    [{ outcome: 'foreign' }, 403, '"user_ada"'],
    [{ outcome: 'forbidden', id: 'i' }, 403, 'all of its tags'],
    [{ outcome: 'ambiguous', ids: ['one', 'two'] }, 400, '"one", "two"'],
    [{ outcome: 'taken', id: 'other' }, 409, '"other"'],
  ] satisfies [Updated, number, string][])('%j is answered with %i', (outcome, status, says) => {
    const error = refusalOf(() => updated(outcome, 'mine', bound));
    expect(error.status).toBe(status);
    expect(error.message).toContain(says);
  });
});

describe('a submission', () => {
  test.each([
    [{ outcome: 'untagged' }, 400, '"user_ada"'],
    [{ outcome: 'forbidden', id: 'i' }, 403, '"user_ada"'],
  ] satisfies [Submitted, number, string][])('%j is answered with %i', (outcome, status, says) => {
    const error = refusalOf(() => accepted(outcome, bound));
    expect(error.status).toBe(status);
    expect(error.message).toContain(says);
  });
});

describe('one document to be deleted', () => {
  it('is silent when it is gone', () => {
    expect(removed({ ...none, deleted: ['i'] }, 'mine', bound)).toBeUndefined();
  });

  test.each([
    [{ missing: ['mine'] }, 404],
    [{ forbidden: ['i'] }, 403],
    [{ ambiguous: ['one', 'two'] }, 400],
  ])('%j is answered with %i', (outcome, status) => {
    expect(refusalOf(() => removed({ ...none, ...outcome }, 'mine', bound)).status).toBe(status);
  });
});

describe('many documents to be deleted', () => {
  const byIds = toRemoval({ ids: ['i', 'j', 'k'], tags: undefined });
  const byTags = toRemoval({ tags: ['user_ada'] });

  it('are counted', () => {
    expect(presentRemoved(byIds, { ...none, deleted: ['i', 'j'] }, bound)).toEqual({
      success: true,
      deletedCount: 2,
    });
  });

  it('names the tags when it was done by tags', () => {
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

  it('says what it left because the key may not', () => {
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

// Tests of the choice of submissions: one with facts is indexed alone, and everything stays in the order of arrival.
import { describe, expect, test } from 'vitest';
import {
  claimedShare,
  type WaitingSubmission,
} from '../../../../../server/adapters/store/queries/ingestion/claimed-share.ts';

type Kind = 'plain' | 'facts' | 'replacement' | 'replacement with facts' | 'created with facts';

const waiting = (...kinds: Kind[]): WaitingSubmission[] =>
  kinds.map((kind, at) => ({
    n: at + 1,
    mode: kind.startsWith('replacement') ? 'replace' : 'merge',
    content: kind,
    created: kind.startsWith('created'),
    facts: kind.endsWith('facts'),
  }));

/** The numbers taken, whose facts they are, and if more is left. */
const taken = (
  kinds: Kind[],
  { indexed = true, passages = true }: { indexed?: boolean; passages?: boolean } = {},
) => {
  const { submissions, given, more } = claimedShare(waiting(...kinds), {
    indexed,
    passages: indexed && passages,
  });
  return [submissions.map(({ n }) => n), given, more];
};

describe('a claim takes', () => {
  test('all submissions where none has facts', () => {
    expect(taken([])).toEqual([[], null, false]);
    expect(taken(['plain', 'plain'])).toEqual([[1, 2], null, false]);
    expect(taken(['plain', 'plain'], { indexed: false })).toEqual([[1, 2], null, false]);
  });

  test('a submission with facts alone, and those before it first', () => {
    expect(taken(['plain', 'facts', 'plain'])).toEqual([[1], null, true]);
    expect(taken(['facts', 'plain'])).toEqual([[1], 1, true]);
    expect(taken(['facts', 'facts'])).toEqual([[1], 1, true]);
  });

  test('the first content alone where it has facts, or where facts come after it', () => {
    expect(taken(['created with facts', 'plain'], { indexed: false })).toEqual([[], 1, true]);
    expect(taken(['created with facts'], { indexed: false })).toEqual([[], 1, false]);
    expect(taken(['facts'], { indexed: false })).toEqual([[], null, true]);
  });

  test('nothing of what was sent before a replacement', () => {
    expect(taken(['facts', 'replacement', 'plain'])).toEqual([[1, 2, 3], null, false]);
    expect(taken(['facts', 'replacement with facts', 'plain'])).toEqual([[1, 2], 2, true]);
    expect(taken(['replacement', 'plain', 'facts'])).toEqual([[1, 2], null, true]);
    expect(taken(['created with facts', 'replacement'], { indexed: false })).toEqual([[2], null, false]);
  });

  test('facts of content that could not be read only while nothing came after it', () => {
    expect(taken(['created with facts'], { passages: false })).toEqual([[], 1, false]);
    expect(taken(['created with facts', 'plain'], { passages: false })).toEqual([[2], null, false]);
    expect(taken(['created with facts', 'facts'], { passages: false })).toEqual([[2], 2, false]);
  });
});

// Tests of what comes with an answer among few memories.
import { expect, it } from 'vitest';
import type { RecalledMemory } from '../../../../server/adapters/store/ports/memories/recall.ts';
import { liftBesideAnswers } from '../../../../server/domain/search/ranking/beside-answers.ts';
import { memoryCandidate } from '../../../../server/domain/search/ranking/candidate.ts';
import type { RankedMemory } from '../../../../server/domain/search/ranking/fuse-memories-and-passages.ts';

const said = (memory: string, similarity: number, { on, at = 0 }: { on: number | null; at?: number }) => ({
  candidate: memoryCandidate({
    n: 1,
    memory,
    documentDate: on,
    createdAt: at,
    isInference: false,
  } as RecalledMemory),
  evidence: similarity,
  order: similarity,
  floor: 0,
  similarity,
  sure: similarity,
});

const QUESTION = 'Who is the treasurer?';
const ANSWER = said('Treasurer: Mr Blunt', 0.9, { on: 10 });
const LATER = said('Ms Farrugia looks after the money', 0.2, { on: 20 });

const shown = (
  memories: readonly RankedMemory[],
  { q = QUESTION, searched = 6, passages = 0, lowest = 0.6, limit = 10, isUnanswered = false } = {},
) =>
  liftBesideAnswers(q, { memories, searched, passages, lowest, limit, isUnanswered })
    .filter(({ similarity }) => similarity >= lowest)
    .map(({ candidate }) => candidate.text);

it('what was said later than an answer comes with it, at its place', () => {
  expect(shown([ANSWER, LATER])).toEqual(['Treasurer: Mr Blunt', 'Ms Farrugia looks after the money']);
});

it('what was said before it, or beside it, does not', () => {
  const before = said('Ms Farrugia runs the shop', 0.3, { on: 5 });
  const beside = said('The chair is Mrs Oyelaran', 0.3, { on: 10 });
  expect(shown([ANSWER, before, beside])).toEqual(['Treasurer: Mr Blunt']);
});

it('what holds no answer of the kind that is asked for does not', () => {
  const nobody = said('The gym is closed', 0.3, { on: 20 });
  expect(shown([ANSWER, nobody])).toEqual(['Treasurer: Mr Blunt']);
  expect(shown([ANSWER, nobody], { q: 'Is the gym open?' })).toHaveLength(2);
});

it('a memory without a date was said when it was made', () => {
  expect(shown([said('Treasurer: Mr Blunt', 0.9, { on: null, at: 10 }), LATER])).toHaveLength(2);
  expect(shown([said('Treasurer: Mr Blunt', 0.9, { on: null, at: 30 }), LATER])).toHaveLength(1);
});

it('four results at the most come of it, passages included, the best first', () => {
  const later = [0.5, 0.4, 0.3, 0.2].map((similarity, at) =>
    said(`Ms Farrugia paid bill ${at}`, similarity, { on: 20 }),
  );
  expect(shown([ANSWER, ...later])).toEqual([
    'Treasurer: Mr Blunt',
    ...[0, 1, 2].map((at) => `Ms Farrugia paid bill ${at}`),
  ]);
  expect(shown([ANSWER, ...later], { passages: 2 })).toHaveLength(2);
  expect(shown([ANSWER, ...later], { passages: 5 })).toHaveLength(1);
});

it('nothing is added where nothing answers, among more than twelve, or above a higher threshold', () => {
  expect(shown([said('Treasurer: Mr Blunt', 0.5, { on: 10 }), LATER])).toEqual([]);
  expect(shown([ANSWER, LATER], { searched: 12 })).toHaveLength(2);
  expect(shown([ANSWER, LATER], { searched: 13 })).toHaveLength(1);
  expect(shown([ANSWER, LATER], { lowest: 0.7 })).toHaveLength(1);
});

it('where no answer is sure, the next best come with those that are likely, up to five with the passages', () => {
  const others = [0.5, 0.4, 0.3, 0.2, 0.1].map((similarity, at) =>
    said(`The gym is closed on day ${at}`, similarity, { on: 5 }),
  );
  expect(shown([ANSWER, ...others], { isUnanswered: true })).toEqual([
    'Treasurer: Mr Blunt',
    ...[0, 1, 2, 3].map((at) => `The gym is closed on day ${at}`),
  ]);
  expect(shown([ANSWER, ...others], { isUnanswered: true, passages: 2 })).toHaveLength(3);
  expect(shown(others, { isUnanswered: true, passages: 2 })).toHaveLength(3);
  expect(shown(others, { isUnanswered: true })).toEqual([]);
});

it('no more come than the caller wants, so that an answer keeps its place', () => {
  expect(shown([LATER, ANSWER], { limit: 1 })).toEqual(['Treasurer: Mr Blunt']);
  expect(shown([ANSWER, LATER], { limit: 2 })).toHaveLength(2);
});

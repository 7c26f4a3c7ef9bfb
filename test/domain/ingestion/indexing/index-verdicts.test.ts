// Tests of deciding whether an index is complete, by comparing counts.
import { expect, test } from 'vitest';
import { createVerdicts } from '../../../../server/domain/ingestion/indexing/index-verdicts.ts';

const SPACE = 7;

const start = () => {
  let time = 0;
  const told: (readonly number[])[] = [];
  const verdicts = createVerdicts({ now: () => time, whole: (spaces) => told.push(spaces) });
  return {
    verdicts,
    told,
    later: (ms: number) => {
      time += ms;
    },
    judge: (held: number, vectors: number, pending: number) =>
      verdicts.look(SPACE)({ held, vectors, pending }),
  };
};

test('no index is trusted before it was compared', () => {
  const { verdicts, told } = start();
  expect(verdicts.isDue(SPACE)).toBe(true);
  expect(told).toEqual([]);
});

test('an index with equal counts is complete, and is compared again after a minute', () => {
  const { verdicts, told, judge, later } = start();
  expect(judge(100, 100, 0)).toBe('whole');
  expect(told).toEqual([[SPACE]]);
  later(59_999);
  expect(verdicts.isDue(SPACE)).toBe(false);
  later(1);
  expect(verdicts.isDue(SPACE)).toBe(true);
});

test('pending entries explain a missing or surplus count, and the index is compared again soon', () => {
  const { verdicts, told, judge, later } = start();
  expect(judge(60, 100, 40)).toBe('whole');
  expect(judge(140, 100, 40)).toBe('whole');
  expect(told).toEqual([[SPACE]]);
  later(1000);
  expect(verdicts.isDue(SPACE)).toBe(true);
});

test('an unexplained difference is a loss, however busy the index is, and ends when the index is filled again', () => {
  const { verdicts, told, judge } = start();
  judge(100, 100, 0);
  expect(judge(10, 130, 30)).toBe('lost');
  expect(told).toEqual([[SPACE], []]);
  expect(verdicts.isDue(SPACE)).toBe(true);
  expect(judge(0, 130, 160)).toBe('whole');
  expect(told.at(-1)).toEqual([SPACE]);
});

test('an index that differs again is filled again only after an hour', () => {
  const { told, judge, later } = start();
  expect(judge(0, 100, 0)).toBe('lost');
  expect(judge(99, 100, 0)).toBe('hopeless');
  later(3_599_999);
  expect(judge(99, 100, 0)).toBe('hopeless');
  later(1);
  expect(judge(99, 100, 0)).toBe('lost');
  expect(told).toEqual([]);
});

test('a restart of the index discards every verdict, also the one in progress', () => {
  const { verdicts, told, judge } = start();
  judge(0, 100, 0);
  judge(100, 100, 0);
  const before = verdicts.look(SPACE);
  verdicts.forgetAll();
  expect(told.at(-1)).toEqual([]);
  expect(before({ held: 100, vectors: 100, pending: 0 })).toBe('stale');
  expect(verdicts.isDue(SPACE)).toBe(true);
  expect(judge(0, 100, 0)).toBe('lost');
});

test('each space has a verdict of its own', () => {
  const { verdicts, told, judge } = start();
  judge(5, 5, 0);
  verdicts.look(8)({ held: 0, vectors: 9, pending: 0 });
  expect(told).toEqual([[SPACE]]);
  verdicts.look(8)({ held: 9, vectors: 9, pending: 0 });
  expect(told.at(-1)).toEqual([SPACE, 8]);
});

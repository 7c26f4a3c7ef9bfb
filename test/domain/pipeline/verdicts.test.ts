import { expect, test } from 'vitest';
import { createVerdicts } from '../../../server/domain/pipeline/verdicts.ts';

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

test('nothing is relied on before it was compared', () => {
  const { verdicts, told } = start();
  expect(verdicts.isDue(SPACE)).toBe(true);
  expect(told).toEqual([]);
});

test('equal counts are whole, and are looked at again after a minute', () => {
  const { verdicts, told, judge, later } = start();
  expect(judge(100, 100, 0)).toBe('whole');
  expect(told).toEqual([[SPACE]]);
  later(59_999);
  expect(verdicts.isDue(SPACE)).toBe(false);
  later(1);
  expect(verdicts.isDue(SPACE)).toBe(true);
});

test('what is on its way explains a difference, lacking or too much, and is looked at again soon', () => {
  const { verdicts, told, judge, later } = start();
  expect(judge(60, 100, 40)).toBe('whole');
  expect(judge(140, 100, 40)).toBe('whole');
  expect(told).toEqual([[SPACE]]);
  later(1000);
  expect(verdicts.isDue(SPACE)).toBe(true);
});

test('a difference that nothing explains is a loss, however busy it is; once filled again it is relied on', () => {
  const { verdicts, told, judge } = start();
  judge(100, 100, 0);
  expect(judge(10, 130, 30)).toBe('lost');
  expect(told).toEqual([[SPACE], []]);
  expect(verdicts.isDue(SPACE)).toBe(true);
  expect(judge(0, 130, 160)).toBe('whole');
  expect(told.at(-1)).toEqual([SPACE]);
});

test('an index that differs again is not filled over and over; after an hour it is', () => {
  const { told, judge, later } = start();
  expect(judge(0, 100, 0)).toBe('lost');
  expect(judge(99, 100, 0)).toBe('hopeless');
  later(3_599_999);
  expect(judge(99, 100, 0)).toBe('hopeless');
  later(1);
  expect(judge(99, 100, 0)).toBe('lost');
  expect(told).toEqual([]);
});

test('a new start of the index voids everything, also what was being counted', () => {
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

test('spaces are told apart', () => {
  const { verdicts, told, judge } = start();
  judge(5, 5, 0);
  verdicts.look(8)({ held: 0, vectors: 9, pending: 0 });
  expect(told).toEqual([[SPACE]]);
  verdicts.look(8)({ held: 9, vectors: 9, pending: 0 });
  expect(told.at(-1)).toEqual([SPACE, 8]);
});

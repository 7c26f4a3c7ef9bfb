// Tests of work that begins when its thread rests.
import { expect, it } from 'vitest';
import { type LookOptions, whenAtRest } from '../../../server/lib/threads/when-at-rest.ts';
import { timePasses, until } from '../../support/until.ts';

const LOOK_MS = 100;
const FOR_EVER = Number.POSITIVE_INFINITY;

/** Keeps the thread busy for about half of this time. */
const workFor = async (ms: number): Promise<void> => {
  const end = performance.now() + ms;
  while (performance.now() < end) {
    const pause = performance.now() + 5;
    while (performance.now() < pause);
    await timePasses(5, 'the thread is busy for about half of the time');
  }
};

const counted = (options: LookOptions) => {
  const state = { begun: 0, end: (): void => {} };
  state.end = whenAtRest(
    () => {
      state.begun += 1;
    },
    { lookMs: LOOK_MS, ...options },
  );
  return state;
};

it('begins once, when the thread has rested', async () => {
  const work = counted({ mostLooks: FOR_EVER });
  expect(work.begun).toBe(0);
  await until('it begins', async () => work.begun > 0);
  await timePasses(LOOK_MS * 3, 'it does not begin again');
  expect(work.begun).toBe(1);
});

it('waits while the thread works', async () => {
  const work = counted({ mostLooks: FOR_EVER });
  await workFor(LOOK_MS * 5);
  expect(work.begun).toBe(0);
  await until('it begins', async () => work.begun > 0);
});

it('begins after the last look, although the thread still works', async () => {
  const work = counted({ mostLooks: 2 });
  await workFor(LOOK_MS * 4);
  expect(work.begun).toBe(1);
});

it('never begins once the wait has ended', async () => {
  const work = counted({ mostLooks: 1 });
  work.end();
  await timePasses(LOOK_MS * 3, 'it never begins');
  expect(work.begun).toBe(0);
});

// Tests of long work in slices: other work runs in between, and the processor time has a budget.
import { expect, test } from 'vitest';
import { createPace, finish, finishInSlices, type Steps } from '../../../server/lib/async/steps.ts';

/** A clock that each step moves on. */
const createWork = (steps: number, stepMs: number) => {
  let now = 0;
  function* work(): Steps<string> {
    for (let step = 0; step < steps; step++) {
      now += stepMs;
      yield;
    }
    return 'done';
  }
  return { work, now: () => now };
};

test('other work of the thread runs after each slice', async () => {
  const { work, now } = createWork(40, 1);
  const seen: number[] = [];
  let watching = true;
  const watch = () => {
    seen.push(now());
    if (watching) setImmediate(watch);
  };
  setImmediate(watch);
  expect(await finishInSlices(work(), createPace({ sliceMs: 10, now, processorMs: now }))).toBe('done');
  watching = false;
  expect(seen).toEqual(expect.arrayContaining([10, 20, 30, 40]));
});

test('two pieces of work take turns', async () => {
  const order: string[] = [];
  const named = (name: string) => {
    const { work, now } = createWork(3, 10);
    function* noted(): Steps<string> {
      const steps = work();
      for (;;) {
        const step = steps.next();
        if (step.done) return step.value;
        order.push(name);
        yield;
      }
    }
    return finishInSlices(noted(), createPace({ sliceMs: 10, now, processorMs: now }));
  };
  await Promise.all([named('a'), named('b')]);
  expect(order).toEqual(['a', 'b', 'a', 'b', 'a', 'b']);
});

test('work that has used its budget of processor time ends with the given error', async () => {
  const { work, now } = createWork(1000, 1);
  const options = { sliceMs: 10, budgetMs: 95, now, processorMs: now };
  const pace = createPace({ ...options, exceeded: () => new Error('too costly') });
  await expect(finishInSlices(work(), pace)).rejects.toThrow('too costly');
  expect(now()).toBe(100);
});

test('work ends after a slice when its signal is aborted', async () => {
  const { work, now } = createWork(1000, 1);
  const stop = new AbortController();
  const pace = createPace({ sliceMs: 10, now, processorMs: now, signal: stop.signal });
  const running = finishInSlices(work(), pace);
  stop.abort(new Error('stopping'));
  await expect(running).rejects.toThrow('stopping');
});

test('bounded work runs at once', () => {
  expect(finish(createWork(5, 100).work())).toBe('done');
});

// Tests of resting from a service that does not answer.
import { expect, test } from 'vitest';
import { createRest, type RestOptions } from '../../../server/lib/async/rest.ts';
import { abortOf } from '../../support/until.ts';

const REST_MS = 5000;

/** The calls that reached the service; it hangs until it is told to answer. */
const setUp = (more: Partial<RestOptions> = {}) => {
  let time = 0;
  const calls: PromiseWithResolvers<string>[] = [];
  const rest = createRest({ restMs: REST_MS, patienceMs: 5, trialMs: 60_000, now: () => time, ...more });
  const call = (signal: AbortSignal): Promise<string> => {
    const answer = Promise.withResolvers<string>();
    calls.push(answer);
    return Promise.race([answer.promise, abortOf(signal)]);
  };
  const failFirst = async (): Promise<void> => {
    const first = rest.run(call);
    time += 1000;
    calls[0]?.reject(new Error('no answer'));
    await expect(first).rejects.toThrow('no answer');
  };
  const pass = (ms: number): void => {
    time += ms;
  };
  return { rest, call, calls, failFirst, pass };
};

test('after a call without an answer the next ones are rejected at once, without a call', async () => {
  const { rest, call, calls, failFirst } = setUp();
  await failFirst();
  await expect(rest.run(call)).rejects.toThrow('no answer');
  expect([calls.length, rest.rests()]).toEqual([1, true]);
});

test('after the rest one call is tried: its caller leaves when the patience is over, the others at once', async () => {
  const { rest, call, calls, failFirst, pass } = setUp();
  await failFirst();
  pass(REST_MS);
  const trial = rest.run(call);
  await expect(rest.run(call)).rejects.toThrow('no answer');
  await expect(trial).rejects.toThrow('no answer');
  expect(calls).toHaveLength(2);
  calls[1]?.resolve('well');
  await expect.poll(() => rest.rests()).toBe(false);
  const next = rest.run(call);
  calls[2]?.resolve('well again');
  expect(await next).toBe('well again');
});

test('a trial that is answered in time answers its caller', async () => {
  const { rest, call, calls, failFirst, pass } = setUp({ patienceMs: 60_000 });
  await failFirst();
  pass(REST_MS);
  const trial = rest.run(call);
  calls[1]?.resolve('well');
  expect(await trial).toBe('well');
  expect(rest.rests()).toBe(false);
});

test('a trial without an answer begins the next rest', async () => {
  const { rest, call, calls, failFirst, pass } = setUp();
  await failFirst();
  pass(REST_MS);
  await expect(rest.run(call)).rejects.toThrow('no answer');
  calls[1]?.reject(new Error('still no answer'));
  await expect.poll(() => rest.run(call).catch((error: Error) => error.message)).toBe('still no answer');
  expect(calls).toHaveLength(2);
});

test('a caller that leaves and a failure that came quickly begin no rest', async () => {
  const { rest, call, calls } = setUp({ quickMs: 250 });
  const leaving = new AbortController();
  const left = rest.run(call, leaving.signal);
  leaving.abort(new Error('the caller left'));
  await expect(left).rejects.toThrow('the caller left');
  const refused = rest.run(call);
  calls[1]?.reject(new Error('refused'));
  await expect(refused).rejects.toThrow('refused');
  expect(rest.rests()).toBe(false);
});

test('what is known to be well is called again', async () => {
  const { rest, call, calls, failFirst } = setUp();
  await failFirst();
  rest.over();
  const next = rest.run(call);
  calls[1]?.resolve('well');
  expect(await next).toBe('well');
});

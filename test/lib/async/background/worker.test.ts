// Tests of a worker that repeats its rounds, rests and retries.
import { afterEach, expect, test } from 'vitest';
import {
  type AfterRound,
  type BackgroundWorker,
  createWorker,
  type WorkerOptions,
} from '../../../../server/lib/async/background/worker.ts';
import { nextTurn, pause } from '../../../../server/lib/async/wait.ts';

const LONG_MS = 60_000;
const workers: BackgroundWorker[] = [];
afterEach(async () => {
  for (const worker of workers.splice(0)) await worker.stop();
});

/** A worker whose rounds end as the list says, the last entry again and again. */
const working = (results: readonly (AfterRound | Error)[], options: Partial<WorkerOptions> = {}) => {
  const failures: { error: unknown; waitMs: number }[] = [];
  let rounds = 0;
  const worker = createWorker({
    async round() {
      const result = results[Math.min(rounds++, results.length - 1)] ?? 'rest';
      if (result instanceof Error) throw result;
      return result;
    },
    failed: (error, waitMs) => void failures.push({ error, waitMs }),
    waits: { firstWaitMs: 1, longestWaitMs: 4 },
    ...options,
  });
  workers.push(worker);
  return { worker, failures, rounds: () => rounds };
};

const untilRounds = async (rounds: () => number, wanted: number): Promise<void> => {
  while (rounds() < wanted) await pause(1);
  for (let turns = 0; turns < 3; turns++) await nextTurn();
};

test('rounds follow each other until one asks for a rest', async () => {
  const { worker, rounds } = working(['again', 'again', 'rest']);
  worker.start();
  await untilRounds(rounds, 3);
  expect(rounds()).toBe(3);
});

test('a wake ends a rest, with a time limit and without', async () => {
  const { worker, rounds } = working([{ sleepMs: LONG_MS }, 'rest']);
  worker.start();
  await untilRounds(rounds, 1);
  worker.wake();
  await untilRounds(rounds, 2);
  worker.wake();
  await untilRounds(rounds, 3);
  expect(rounds()).toBe(3);
});

test('a rest ends with its time limit', async () => {
  const { worker, rounds } = working([{ sleepMs: 5 }, 'rest']);
  worker.start();
  await untilRounds(rounds, 2);
});

test('a second start changes nothing', async () => {
  const { worker, rounds } = working(['rest']);
  worker.start();
  worker.start();
  await untilRounds(rounds, 1);
  expect(rounds()).toBe(1);
});

test('the waits after consecutive failures double up to the longest, and a success resets them', async () => {
  const error = new Error('It failed');
  const { worker, failures, rounds } = working([error, error, error, error, 'again', error, 'rest']);
  worker.start();
  await untilRounds(rounds, 7);
  expect(failures).toEqual([1, 2, 4, 4, 1].map((waitMs) => ({ error, waitMs })));
});

test('a wake ends the wait after a failure only when that is configured', async () => {
  const waits = { firstWaitMs: LONG_MS, longestWaitMs: LONG_MS };
  const patient = working([new Error('It failed'), 'rest'], { waits });
  const eager = working([new Error('It failed'), 'rest'], { waits, retriesOnWake: true });
  for (const { worker, rounds } of [patient, eager]) {
    worker.start();
    await untilRounds(rounds, 1);
    worker.wake();
  }
  await untilRounds(eager.rounds, 2);
  expect(patient.rounds()).toBe(1);
});

test('stop aborts the round under way, waits for its end, and reports no failure', async () => {
  const ended: unknown[] = [];
  const { worker, failures } = working(['rest'], {
    async round(signal) {
      await pause(LONG_MS, signal);
      ended.push(signal.reason);
      throw signal.reason;
    },
  });
  worker.start();
  await worker.stop();
  expect(ended).toEqual([new Error('The server is stopping')]);
  expect(failures).toEqual([]);
});

test('stop ends a rest and the wait after a failure', async () => {
  const waits = { firstWaitMs: LONG_MS, longestWaitMs: LONG_MS };
  for (const result of ['rest' as const, { sleepMs: LONG_MS }, new Error('It failed')]) {
    const { worker, rounds } = working([result], { waits });
    worker.start();
    await untilRounds(rounds, 1);
    await worker.stop();
    expect(rounds()).toBe(1);
  }
});

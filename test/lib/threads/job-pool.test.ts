// Tests of the pool of worker threads: turns, deadlines, callers that leave.
import { getPriority, setPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import { afterEach, expect, test, vi } from 'vitest';
import { createJobPool, type JobCall, type JobPoolOptions } from '../../../server/lib/threads/job-pool.ts';
import { timePasses, until } from '../../support/until.ts';
import type { TestJobs } from './fixtures/job-worker.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const LONG = 600_000;

const open = (options: Partial<JobPoolOptions> = {}) => {
  let started = 0;
  let ended = 0;
  const pool = createJobPool<TestJobs>({
    size: 2,
    budgetMs: LONG,
    late: () => new Error('too late'),
    ...options,
    start: (stop) => {
      started += 1;
      const worker = new Worker(new URL('./fixtures/job-worker.ts', import.meta.url), {
        workerData: { stop },
      });
      worker.once('exit', () => {
        ended += 1;
      });
      return worker;
    },
  });
  closing.push(pool.close);
  return Object.assign(pool, { started: () => started, threads: () => started - ended });
};

const callOf = (principal: string, signal = new AbortController().signal): JobCall => ({ principal, signal });

/** A job that blocks its thread until it is let go. */
const held = (run: (shared: Int32Array) => Promise<void>) => {
  const shared = new Int32Array(new SharedArrayBuffer(8));
  const ended = run(shared);
  return {
    ended,
    runs: async () => void (await Atomics.waitAsync(shared, 0, 0).value),
    isRunning: () => Atomics.load(shared, 0) === 1,
    letGo: () => {
      Atomics.store(shared, 1, 1);
      Atomics.notify(shared, 1);
    },
  };
};

test('a job is answered by a thread that later jobs use again', async () => {
  const pool = open();
  expect(await pool.run(callOf('ada'), 'echo', 'one')).toBe('one');
  expect(await pool.run(callOf('bob'), 'echo', 'two')).toBe('two');
  expect(pool.started()).toBe(1);
});

test('a principal never takes the last free thread while it has another, so that others do not wait', async () => {
  const pool = open({ size: 2 });
  const first = held((shared) => pool.run(callOf('ada'), 'hold', shared));
  await first.runs();
  const second = held((shared) => pool.run(callOf('ada'), 'hold', shared));
  expect(await pool.run(callOf('bob'), 'echo', 'answered')).toBe('answered');
  expect(second.isRunning()).toBe(false);
  first.letGo();
  await first.ended;
  await second.runs();
  second.letGo();
  await second.ended;
});

test('threads are started ahead of jobs, all but the one that a principal alone never takes', async () => {
  const pool = open({ size: 3 });
  expect(pool.warm()).toBe(false);
  await until('two threads', async () => pool.warm());
  expect(pool.started()).toBe(2);
  const jobs = ['one', 'two'].map((text) => pool.run(callOf('ada'), 'echo', text));
  expect(await Promise.all(jobs)).toEqual(['one', 'two']);
  expect(pool.started()).toBe(2);
});

test('threads without a job end after a while, all but one, and the next jobs start them again', async () => {
  const pool = open({ size: 3, spareForMs: 0 });
  const jobs = [1, 2].map(() => held((shared) => pool.run(callOf('ada'), 'hold', shared)));
  for (const job of jobs) await job.runs();
  for (const job of jobs) job.letGo();
  await Promise.all(jobs.map(({ ended }) => ended));
  await until('one thread', async () => pool.threads() === 1);
  await timePasses(50, 'the last one stays');
  expect(await pool.run(callOf('ada'), 'echo', 'one')).toBe('one');
  expect([pool.threads(), pool.started()]).toEqual([1, 2]);
  expect(pool.warm()).toBe(false);
  expect(pool.started()).toBe(3);
});

test('a principal alone uses several threads', async () => {
  const pool = open({ size: 3 });
  const jobs = [1, 2].map(() => held((shared) => pool.run(callOf('ada'), 'hold', shared)));
  for (const job of jobs) await job.runs();
  expect(pool.started()).toBe(2);
  for (const job of jobs) job.letGo();
  await Promise.all(jobs.map(({ ended }) => ended));
});

test('two principals who wait for one thread get it in turns', async () => {
  const pool = open({ size: 1 });
  const first = held((shared) => pool.run(callOf('ada'), 'hold', shared));
  await first.runs();
  const order: string[] = [];
  const later = ['ada', 'ada', 'bob', 'bob'].map((principal) =>
    pool.run(callOf(principal), 'echo', principal).then((name) => order.push(name)),
  );
  first.letGo();
  await Promise.all([first.ended, ...later]);
  expect(order).toEqual(['ada', 'bob', 'ada', 'bob']);
});

test('a job that runs beyond the budget is ended with its thread, and the next job gets a new one', async () => {
  const pool = open({ size: 1, budgetMs: 300 });
  await expect(pool.run(callOf('ada'), 'spin')).rejects.toThrow('too late');
  expect(await pool.run(callOf('ada'), 'echo', 'again')).toBe('again');
  expect(pool.started()).toBe(2);
});

test('a job that stops when it is told to leaves its thread to the next one', async () => {
  const pool = open({ size: 1, budgetMs: 100 });
  await expect(pool.run(callOf('ada'), 'obey')).rejects.toThrow('too late');
  expect(await pool.run(callOf('ada'), 'echo', 'again')).toBe('again');
  const leaving = new AbortController();
  const left = pool.run(callOf('ada', leaving.signal), 'obey');
  leaving.abort(new Error('gone'));
  await expect(left).rejects.toThrow('gone');
  expect(await pool.run(callOf('ben'), 'echo', 'next')).toBe('next');
  expect(pool.started()).toBe(1);
});

/** As where the system does not tell the processor time of a thread. */
const byTheClock = { workTime: () => null };

test('a job that gets no processor time is not ended by the budget, but when four times as much has passed', async () => {
  let now = 0;
  const late = vi.fn((used: string, limitMs: number) => new Error(`${used} ${limitMs}`));
  const pool = open({ size: 1, budgetMs: 20, now: () => now, workTime: () => 7, late });
  const job = held((shared) => pool.run(callOf('ada'), 'hold', shared));
  await job.runs();
  now = 79;
  await timePasses(150, 'the pool looks at the job several times');
  expect(late).not.toHaveBeenCalled();
  now = 80;
  await expect(job.ended).rejects.toThrow('patience 80');
});

test.skipIf(process.platform !== 'linux')(
  'the processor time of a thread counts, as the system tells it',
  async () => {
    const late = (used: string) => new Error(used);
    const pool = open({ size: 1, budgetMs: 50, now: () => 0, late });
    await expect(pool.run(callOf('ada'), 'obey')).rejects.toThrow('budget');
  },
);

test('all jobs of one call share the budget', async () => {
  let now = 0;
  const pool = open({ size: 1, now: () => now, ...byTheClock });
  const call = callOf('ada');
  const first = held((shared) => pool.run(call, 'hold', shared));
  await first.runs();
  now = LONG;
  first.letGo();
  await first.ended;
  await expect(pool.run(call, 'spin')).rejects.toThrow('too late');
  expect(await pool.run(callOf('ada'), 'echo', 'another call')).toBe('another call');
});

test('a caller who leaves is answered at once, and its thread serves the next', async () => {
  const pool = open({ size: 1 });
  const leaving = new AbortController();
  const call = callOf('ada', leaving.signal);
  const running = held((shared) => pool.run(call, 'hold', shared));
  await running.runs();
  const waiting = pool.run(call, 'echo', 'never');
  leaving.abort(new Error('gone'));
  await expect(running.ended).rejects.toThrow('gone');
  await expect(waiting).rejects.toThrow('gone');
  expect(await pool.run(callOf('ada'), 'echo', 'next')).toBe('next');
  await expect(pool.run(call, 'echo', 'too late')).rejects.toThrow('gone');
});

test('a job whose caller leaves while the thread starts is not run', async () => {
  const pool = open({ size: 1 });
  const leaving = new AbortController();
  const job = held((shared) => pool.run(callOf('ada', leaving.signal), 'hold', shared));
  leaving.abort(new Error('gone'));
  await expect(job.ended).rejects.toThrow('gone');
  expect(await pool.run(callOf('bob'), 'echo', 'answered')).toBe('answered');
  expect([job.isRunning(), pool.started()]).toEqual([false, 1]);
});

test('closing refuses the jobs that wait and ends those that run', async () => {
  const pool = open({ size: 1 });
  const running = held((shared) => pool.run(callOf('ada'), 'hold', shared));
  const waiting = pool.run(callOf('bob'), 'echo', 'never');
  await running.runs();
  const outcomes = Promise.allSettled([running.ended, waiting]);
  await pool.close();
  expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});

test.skipIf(process.platform !== 'linux')(
  'a thread with a long job lets others go first, and takes the job of another with the usual priority',
  async () => {
    const pool = open({ size: 1, ...byTheClock });
    const thread = Number(await pool.run(callOf('ada'), 'thread'));
    const usual = getPriority(thread);
    const job = held((shared) => pool.run(callOf('ada'), 'hold', shared));
    await job.runs();
    await until('the thread to step aside', () => getPriority(thread) > usual);
    job.letGo();
    await job.ended;
    const next = Number(await pool.run(callOf('ben'), 'thread'));
    expect(getPriority(next)).toBe(usual);
  },
);

/** The user of the tests may raise a priority again; a container often may not. */
const mayRise = (): boolean => {
  const usual = getPriority();
  try {
    setPriority(usual + 1);
    setPriority(usual);
    return true;
  } catch {
    return false;
  }
};

test.skipIf(process.platform !== 'linux' || !mayRise())(
  'after a long job, the next jobs of its principal let others go first from their beginning, for a while',
  async () => {
    let time = 0;
    const pool = open({ size: 1, now: () => time, ...byTheClock });
    const usual = getPriority(Number(await pool.run(callOf('ada'), 'thread')));
    const priorityOfJob = async (principal: string): Promise<number> => {
      const job = held((shared) => pool.run(callOf(principal), 'hold', shared));
      await job.runs();
      const priority = getPriority(thread);
      job.letGo();
      await job.ended;
      return priority;
    };
    const thread = Number(await pool.run(callOf('ada'), 'thread'));
    const long = held((shared) => pool.run(callOf('ada'), 'hold', shared));
    await long.runs();
    time += 100;
    await until('the thread to step aside', () => getPriority(thread) > usual);
    long.letGo();
    await long.ended;
    expect(await priorityOfJob('ada')).toBeGreaterThan(usual);
    expect(await priorityOfJob('ben')).toBe(usual);
    time += 60_000;
    expect(await priorityOfJob('ada')).toBe(usual);
  },
);

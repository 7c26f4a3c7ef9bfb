// Tests of the order of jobs: tags take turns, one process is kept for tags that have none, and slowed keys come last.
import { beforeEach, describe, expect, it } from 'vitest';
import { createJobQueue, type JobQueue } from '../../../../server/adapters/extract/process/job-queue.ts';
import { createReaderTime } from '../../../../server/adapters/extract/process/reader-time.ts';
import type { Slot } from '../../../../server/adapters/extract/process/slot.ts';
import { nextTurn } from '../../../../server/lib/async/wait.ts';

const MINUTE = 60_000;

/** Slots that run nothing; the test ends each job. */
class Desk {
  now = 0;
  readonly running = new Map<string, Slot>();
  readonly time = createReaderTime({ windowMs: 10 * MINUTE, allowedMs: 5 * MINUTE, now: () => this.now });
  readonly queue: JobQueue;

  constructor(slots: number) {
    const slot = (): Slot => ({
      run: () => Promise.reject(new Error('not run')),
      restarts: () => 0,
      close: async () => undefined,
    });
    this.queue = createJobQueue(Array.from({ length: slots }, slot), this.time);
  }

  /** "eve1" is a job of the tag and of the key "eve", unless a key is named. */
  async add(names: string, key?: string | null): Promise<void> {
    for (const name of names.split(' ')) {
      const tag = name.replace(/\d+$/, '');
      void this.queue
        .take({ tag, key: key === undefined ? tag : key })
        .then((slot) => this.running.set(name, slot));
    }
    await nextTurn();
  }

  async end(name: string, afterMs = 0): Promise<void> {
    this.now += afterMs;
    const slot = this.running.get(name);
    if (slot === undefined) throw new Error(`${name} does not run.`);
    this.running.delete(name);
    this.queue.giveBack(slot);
    await nextTurn();
  }

  names = (): string[] => [...this.running.keys()].sort();
}

let desk: Desk;

describe('the queue for child processes', () => {
  beforeEach(() => {
    desk = new Desk(3);
  });

  it('keeps its last slot for a tag and a key that have none', async () => {
    await desk.add('eve1 eve2 eve3');
    expect(desk.names()).toEqual(['eve1', 'eve2']);
    await desk.add('mallory1', 'eve');
    expect(desk.names()).toEqual(['eve1', 'eve2']);
    await desk.add('alice1');
    expect(desk.names()).toEqual(['alice1', 'eve1', 'eve2']);
  });

  it('gives every slot to one tag when it has only one', async () => {
    desk = new Desk(1);
    await desk.add('eve1 eve2');
    expect(desk.names()).toEqual(['eve1']);
    await desk.end('eve1');
    expect(desk.names()).toEqual(['eve2']);
  });

  it('lets tags take turns, however many jobs one of them has', async () => {
    desk = new Desk(1);
    await desk.add('eve1 eve2 eve3 alice1 bob1 alice2');
    const order: string[] = [];
    for (let i = 0; i < 6; i++) {
      const [name = ''] = desk.names();
      order.push(name);
      await desk.end(name);
    }
    expect(order).toEqual(['eve1', 'alice1', 'bob1', 'eve2', 'alice2', 'eve3']);
  });

  it('leaves out a job that was stopped, and refuses all when it is closed', async () => {
    desk = new Desk(1);
    await desk.add('eve1');
    const stop = new AbortController();
    const stopped = desk.queue.take({ tag: 'bob', key: null }, stop.signal);
    stop.abort(new Error('enough'));
    await expect(stopped).rejects.toMatchObject({ code: 'extraction_failed', retryable: true });
    await expect(desk.queue.take({ tag: 'bob', key: null }, stop.signal)).rejects.toBeDefined();
    const waiting = desk.queue.take({ tag: 'alice', key: null });
    desk.queue.close();
    await expect(waiting).rejects.toMatchObject({ retryable: true });
    await expect(desk.queue.take({ tag: 'alice', key: null })).rejects.toMatchObject({ retryable: true });
    await desk.end('eve1');
    expect(desk.names()).toEqual([]);
  });
});

describe('a key that used more reading time than its share', () => {
  beforeEach(async () => {
    desk = new Desk(1);
    await desk.add('eve1');
    await desk.end('eve1', 6 * MINUTE);
  });

  it('waits while others wait, and is never left behind for good', async () => {
    expect(desk.time.slowedKeys()).toEqual(['eve']);
    await desk.add('bob1 eve2 bob2 bob3 bob4 bob5 bob6 bob7');
    const order: string[] = [];
    for (let i = 0; i < 8; i++) {
      const [name = ''] = desk.names();
      order.push(name);
      await desk.end(name);
    }
    expect(order).toEqual(['bob1', 'bob2', 'bob3', 'bob4', 'bob5', 'eve2', 'bob6', 'bob7']);
  });

  it('reads on when nobody waits', async () => {
    await desk.add('eve2');
    expect(desk.names()).toEqual(['eve2']);
  });

  it('is as fast as before once the window has passed', async () => {
    desk.now += 11 * MINUTE;
    expect(desk.time.slowedKeys()).toEqual([]);
  });

  it('is seen while its job still runs, and content without a key is never slowed', async () => {
    desk = new Desk(2);
    await desk.add('carol1');
    await desk.add('nobody1', null);
    desk.now += 6 * MINUTE;
    expect(desk.time.slowedKeys()).toEqual(['carol']);
    expect([desk.time.isSlowed('carol'), desk.time.isSlowed(null)]).toEqual([true, false]);
  });
});

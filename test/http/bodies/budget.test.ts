// Tests of the memory for request bodies.
import { expect, test } from 'vitest';
import { createBodyBudget } from '../../../server/http/bodies/budget.ts';
import { createWaitingRoom, type Pause } from '../../../server/http/bodies/waiting-room.ts';
import { thrownBy } from '../../support/thrown.ts';

const MIB = 1024 * 1024;
const staying = new AbortController().signal;

/** Waits that end when the test says so, or their signal is aborted. */
const heldWaits = () => {
  const waits: { ms: number; over: () => void }[] = [];
  const pause: Pause = (ms, signal) =>
    new Promise((resolve) => {
      waits.push({ ms, over: resolve });
      signal?.addEventListener('abort', () => resolve(), { once: true });
    });
  return { waits, room: createWaitingRoom(pause, () => 0) };
};

test('one key may hold a quarter of the budget, and always the largest body', async () => {
  const large = createBodyBudget(1024 * MIB);
  large.open('ada').take(256 * MIB);
  const refused = await thrownBy(async () => large.open('ada').take(1));
  expect([refused.status, refused.message]).toEqual([
    429,
    expect.stringContaining('hold 256 MiB of memory, the most that one key may use'),
  ]);
  expect(refused.headers).toEqual({ 'retry-after': '1', 'x-should-retry': 'true' });
  large.open('bob').take(256 * MIB);

  const small = createBodyBudget(64 * MIB);
  small.open('ada').take(64 * MIB);
  expect(await thrownBy(async () => small.open('ada').take(1))).toMatchObject({ status: 429 });
});

test('all keys together hold no more than the budget', async () => {
  const budget = createBodyBudget(100 * MIB);
  budget.open('ada').take(60 * MIB);
  const refused = await thrownBy(async () => budget.open('bob').take(60 * MIB));
  expect(refused).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
  expect(refused.message).toContain('MEMOIR_BODY_MEMORY_MIB');
  expect(budget.held()).toBe(60 * MIB);
});

test('a body holds its announced length before it comes, and more only if more comes', async () => {
  const budget = createBodyBudget(100 * MIB);
  const body = budget.open('ada');
  await body.reserve(40 * MIB, staying);
  body.take(30 * MIB);
  body.take(10 * MIB);
  expect(budget.held()).toBe(40 * MIB);
  body.take(MIB);
  expect(budget.held()).toBe(41 * MIB);
});

test('a body that does not fit is refused after a wait, and holds nothing', async () => {
  const { waits, room } = heldWaits();
  const budget = createBodyBudget(100 * MIB, room);
  budget.open('ada').take(60 * MIB);
  const refused = Promise.all(
    [budget.open('ada').reserve(5 * MIB, staying), budget.open('bob').reserve(50 * MIB, staying)].map(
      (reserving) => thrownBy(() => reserving),
    ),
  );
  for (const { over } of waits) over();
  expect(await refused).toMatchObject([{ status: 429 }, { status: 503 }]);
  expect(budget.held()).toBe(60 * MIB);
});

test('bodies that wait are let in by their order as soon as there is room', async () => {
  const { room } = heldWaits();
  const budget = createBodyBudget(256 * MIB, room);
  const first = budget.open('ada');
  await first.reserve(60 * MIB, staying);
  const [second, third] = [budget.open('ada'), budget.open('ada')];
  const entered: string[] = [];
  const enter = (name: string, share: typeof second, bytes: number) =>
    share.reserve(bytes, staying).then(() => void entered.push(name));
  const both = [enter('second', second, 50 * MIB), enter('third', third, 40 * MIB)] as const;
  first.close();
  await both[0];
  expect([entered, budget.held()]).toEqual([['second'], 50 * MIB]);
  second.close();
  await both[1];
  expect([entered, budget.held()]).toEqual([['second', 'third'], 40 * MIB]);
});

test('a client that leaves waits no longer', async () => {
  const { room } = heldWaits();
  const budget = createBodyBudget(64 * MIB, room);
  budget.open('ada').take(64 * MIB);
  const leaving = new AbortController();
  const waiting = thrownBy(() => budget.open('ada').reserve(MIB, leaving.signal));
  leaving.abort();
  expect(await waiting).toMatchObject({ status: 429 });
});

test('the refusals of one key keep a distance, those of another do not wait for them', async () => {
  const { waits, room } = heldWaits();
  const budget = createBodyBudget(64 * MIB, room);
  budget.open('ada').take(64 * MIB);
  for (let at = 0; at < 300; at++) void thrownBy(() => budget.open('ada').reserve(1, staying));
  void thrownBy(() => budget.open('bob').reserve(1, staying));
  expect([0, 1, 50, 299, 300].map((at) => waits[at]?.ms)).toEqual([1000, 1020, 2000, 5000, 1000]);
  for (const { over } of waits) over();
});

test('a call gives back what it held when it ends, and only that', () => {
  const budget = createBodyBudget(64 * MIB);
  const [one, other] = [budget.open('ada'), budget.open('ada')];
  one.take(40);
  other.take(2);
  one.giveBack(100);
  expect(budget.held()).toBe(2);
  one.take(7);
  one.close();
  one.close();
  one.take(5);
  one.giveBack(5);
  expect(budget.held()).toBe(2);
  other.close();
  expect(budget.held()).toBe(0);
});

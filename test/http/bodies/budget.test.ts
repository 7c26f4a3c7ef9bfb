// Tests of the memory for request bodies.
import { expect, test } from 'vitest';
import { createBodyBudget } from '../../../server/http/bodies/budget.ts';
import { thrownBy } from '../../support/thrown.ts';

const MIB = 1024 * 1024;

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

test('a body that announces more than fits is refused before it comes, and holds nothing', async () => {
  const budget = createBodyBudget(100 * MIB);
  budget.open('ada').take(60 * MIB);
  expect(await thrownBy(async () => budget.open('ada').check(5 * MIB))).toMatchObject({ status: 429 });
  expect(await thrownBy(async () => budget.open('bob').check(50 * MIB))).toMatchObject({ status: 503 });
  budget.open('bob').check(40 * MIB);
  expect(budget.held()).toBe(60 * MIB);
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

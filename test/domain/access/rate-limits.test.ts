// Tests of rate limits: the network under which addresses are counted together, and what a refusal says.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { MemoirError } from '../../../server/core/errors.ts';
import { createLimits, networkOf } from '../../../server/domain/access/rate-limits.ts';
import { createClock } from '../../support/clock.ts';
import { thrownBy } from '../../support/thrown.ts';

test.each([
  ['127.0.0.1', '127.0.0.1'],
  ['::ffff:127.0.0.1', '::ffff:127.0.0.1'],
  ['::1', '0:0:0:0'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['fe80::', 'fe80:0:0:0'],
  ['unknown', 'unknown'],
])('the network of %s is %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});

describe('a refusal', () => {
  const clock = createClock();
  beforeEach(() => void vi.useFakeTimers({ now: clock.now() }));
  afterEach(() => void vi.useRealTimers());

  const told = ({ message, headers }: MemoirError) => [
    message,
    headers['retry-after'],
    headers['retry-after-ms'],
    headers['x-should-retry'],
  ];

  const refusedAfter = async (max: number, windowMs: number) => {
    const limits = createLimits();
    const names = { keyId: 'k', keyName: 'k', role: 'member' } as const;
    const holder = { ...names, permission: 'read', tags: null, expiresAt: null } as const;
    const call = () => limits.request({ ...holder, rateLimit: { max, windowMs } });
    for (let at = 0; at < max; at++) await call();
    return told((await thrownBy(call)) as MemoirError);
  };

  test.each([
    [1, 1000, 'This key may make 1 request per second. Try again in 1 second.', '1', '1000', undefined],
    [
      2,
      1001,
      'This key may make 2 requests per 1.001 seconds. Try again in 2 seconds.',
      '2',
      '1001',
      undefined,
    ],
    [
      2,
      60_000,
      'This key may make 2 requests per 60 seconds. Try again in 60 seconds.',
      '60',
      '60000',
      undefined,
    ],
    [
      2,
      60_001,
      'This key may make 2 requests per 60.001 seconds. Try again in 61 seconds.',
      '61',
      '60001',
      'false',
    ],
  ])('of request %d in a window of %d ms says when to try again', async (max, windowMs, ...expected) => {
    expect(await refusedAfter(max, windowMs)).toEqual(expected);
  });

  test('of an address comes with the first failure too many, for the rest of the window', async () => {
    const limits = createLimits();
    for (let at = 0; at < 60; at++) await limits.failure('::1');
    const sentence =
      'Too many requests with a wrong API key came from this address. Try again in 60 seconds.';
    const expected = [sentence, '60', '60000', undefined];
    expect(told((await thrownBy(() => limits.checkFailures('::1'))) as MemoirError)).toEqual(expected);
    expect(told((await thrownBy(() => limits.failure('::1'))) as MemoirError)).toEqual(expected);
    await limits.checkFailures('127.0.0.1');
  });

  test('of the connect page comes after ten wrong keys, for ten minutes', async () => {
    const limits = createLimits();
    for (let at = 0; at < 10; at++) {
      await limits.checkSignIn('::1');
      await limits.signInFailed('::1');
    }
    const { headers } = (await thrownBy(() => limits.checkSignIn('::1'))) as MemoirError;
    expect([headers['retry-after-ms'], headers['x-should-retry']]).toEqual(['600000', 'false']);
  });

  test('without a key comes after 120 requests in a minute', async () => {
    const limits = createLimits();
    for (let at = 0; at < 120; at++) await limits.anonymous('::1');
    const { headers } = (await thrownBy(() => limits.anonymous('::1'))) as MemoirError;
    expect(headers['retry-after-ms']).toBe('60000');
  });
});

test('a limit that is raised holds at once, for what was counted before', async () => {
  const limits = createLimits();
  const holder = (max: number) =>
    ({ keyId: 'k', rateLimit: { max, windowMs: 60_000 } }) as Parameters<typeof limits.request>[0];
  await limits.request(holder(1));
  await expect(limits.request(holder(1))).rejects.toThrow('1 request per 60 seconds');
  await limits.request(holder(3));
  await expect(limits.request(holder(3))).rejects.toThrow('3 requests per 60 seconds');
});

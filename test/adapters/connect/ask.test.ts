// Tests of what becomes of a request to a source that gets no answer.
import { expect, test } from 'vitest';
import { createAsk } from '../../../server/adapters/connect/ask.ts';
import { createAccountPace } from '../../../server/adapters/connect/asking/account-pace.ts';
import { IngestError } from '../../../server/core/errors.ts';
import { createClock } from '../../support/clock.ts';

const NEVER = new AbortController().signal;

/** Asks a source to which no request gets through. */
const asking = (error: Error) => {
  const clock = createClock(Date.now());
  const pause = async (ms: number): Promise<void> => clock.pass(ms);
  const none = () => undefined;
  return createAsk({
    kind: { title: 'GitHub', signIn: null },
    fetch: () => Promise.reject(error),
    credentials: { kind: 'bearer', token: 'secret' },
    pace: createAccountPace({
      ...{ perSecond: 1000, parallel: 1, random: () => 0.5, pause, now: clock.now },
    }),
    log: { debug: none, info: none, warn: none, error: none },
    ...{ now: clock.now, pause },
  });
};

test('a name that is not found counts as a source that is away, because a machine without a network finds none', async () => {
  const failed = new IngestError('dns_failed', 'There is no host api.github.com. Check the address.', {
    retryable: false,
  });
  await expect(asking(failed)('https://api.github.com/user?token=secret', {}, NEVER)).rejects.toMatchObject({
    code: 'provider_unavailable',
    message:
      'GitHub cannot be reached: no host api.github.com is found. Check its address, and the network and the name server of this machine.',
  });
});

test('an address that no later request can reach fails for good', async () => {
  const failed = new IngestError('fetch_failed', 'The headers that x sends are too long.', {
    retryable: false,
  });
  await expect(asking(failed)('https://api.github.com/user', {}, NEVER)).rejects.toMatchObject({
    code: 'refused',
  });
});

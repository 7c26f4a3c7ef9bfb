// Tests of what becomes of a request to a source that gets no answer.
import { expect, test } from 'vitest';
import { type AskFetch, createAsk } from '../../../server/adapters/connect/ask.ts';
import { createAccountPace } from '../../../server/adapters/connect/asking/account-pace.ts';
import type { SourceError } from '../../../server/adapters/connect/source-error.ts';
import { IngestError } from '../../../server/core/errors.ts';
import { createClock } from '../../support/clock.ts';

const NEVER = new AbortController().signal;

/** Asks a source to which no request gets through, or that answers so. */
const asking = (fetch: AskFetch | Error, silentForMs = 0) => {
  const clock = createClock(Date.now());
  const pause = async (ms: number): Promise<void> => clock.pass(ms);
  const none = () => undefined;
  return createAsk({
    kind: { title: 'The site', signIn: null },
    fetch: fetch instanceof Error ? () => Promise.reject(fetch) : fetch,
    credentials: { kind: 'bearer', token: 'secret' },
    pace: createAccountPace(
      { ...{ perSecond: 1000, parallel: 1, random: () => 0.5, pause, now: clock.now } },
      clock.now() + silentForMs,
    ),
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
      'The site cannot be reached: no host api.github.com is found. Check its address, and the network and the name server of this machine.',
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

/** The body breaks off after its first piece. */
const answering =
  (status: number, body: string, breaksOff = false): AskFetch =>
  async (address) => ({
    ...{ status, url: new URL(address), headers: {}, discard: () => undefined },
    body: (async function* () {
      yield Buffer.from(body);
      if (breaksOff) throw new Error('socket hang up');
    })(),
  });

const failureOf = async (work: () => Promise<unknown>) => {
  try {
    await work();
  } catch (error) {
    return { message: (error as Error).message, forCaller: (error as SourceError).forCaller };
  }
  throw new Error('It did not fail.');
};

const ADVICE = 'Try again later, or check the options of the connection.';

test.each([
  [
    'does not answer',
    new Error('connect ECONNREFUSED'),
    'The site cannot be reached at site.example (no answer).',
    'It is tried again later.',
  ],
  ['answers 500', answering(500, ''), 'The site answered with status 500.', 'It is tried again later.'],
  [
    'sends no JSON',
    answering(200, '<html>'),
    'The site answered with something that is not JSON.',
    'It is asked again at the next look.',
  ],
  ['breaks off', answering(200, '{', true), 'The site broke off its answer.', 'It is read again later.'],
] as const)(
  'of a source that %s, a sync says that it goes on by itself, and a caller is told to try again',
  async (_what, fetch, happened, syncGoesOn) => {
    expect(
      await failureOf(async () => (await asking(fetch)('https://site.example/a', {}, NEVER)).json()),
    ).toEqual({
      message: `${happened} ${syncGoesOn}`,
      forCaller: `${happened} ${ADVICE}`,
    });
  },
);

test('during a long silence that the source asked for, nobody waits: the error says until when', async () => {
  const ask = asking(answering(200, '{}'), 600_000);
  expect(await failureOf(() => ask('https://site.example/a', {}, NEVER))).toEqual({
    message: expect.stringMatching(
      /^The site asked for fewer requests\. It is asked again after \d{4}-.*Z\.$/,
    ),
    forCaller: 'The site asked for fewer requests. Try again after 600 seconds.',
  });
});

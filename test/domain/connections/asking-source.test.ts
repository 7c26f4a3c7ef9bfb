// Tests of what a caller is told who had a source asked.
import { expect, test } from 'vitest';
import { sourceFailure } from '../../../server/app/connections/source-failure.ts';
import { askingInTime } from '../../../server/domain/connections/create-connection.ts';
import type { ConnectionSources } from '../../../server/domain/connections/sources.ts';

const sources = { failureOf: sourceFailure } as ConnectionSources;

/** As a request does that waits for its turn. */
const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error));
  });

test('a source that takes too long is an error of its own, and no internal one', async () => {
  const { signal } = new AbortController();
  await expect(
    askingInTime(sources, { title: 'GitHub', signal, limitMs: 20 }, untilAborted),
  ).rejects.toMatchObject({
    status: 400,
    message:
      'GitHub did not answer within 0.02 seconds, or asked for fewer requests for a while. Try again later.',
  });
});

test('a caller who leaves ends the question, and is told nothing else', async () => {
  const leaving = new AbortController();
  const asked = askingInTime(sources, { title: 'GitHub', signal: leaving.signal }, untilAborted);
  leaving.abort(new Error('The client has left.'));
  await expect(asked).rejects.toThrow('The client has left.');
});

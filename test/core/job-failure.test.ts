// Tests of the failure that is stored for a job, and of its log line.
import { expect, test } from 'vitest';
import { IngestError } from '../../server/core/errors.ts';
import { askedWait, failedRound, jobFailure } from '../../server/core/job-failure.ts';

test('an error with a reason for the owner is stored unchanged', () => {
  const error = new IngestError('rate_limited', 'The service asks for fewer requests.', {
    retryable: true,
    retryAfterMs: 700,
    cause: new Error('429'),
  });
  expect(jobFailure(error)).toEqual({
    code: 'rate_limited',
    message: 'The service asks for fewer requests.',
    retryable: true,
  });
  expect(askedWait(error)).toBe(700);
});

test('any other error hides its cause and is treated as temporary', () => {
  for (const error of [new TypeError('a secret'), 'a secret', null]) {
    expect(jobFailure(error)).toMatchObject({ code: 'internal_error', retryable: true });
    expect(jobFailure(error).message).not.toContain('secret');
    expect(askedWait(error)).toBeUndefined();
  }
});

test('a failed round is logged with its cause and its waiting time', () => {
  const lines: unknown[] = [];
  const error = new Error('It failed');
  failedRound({ error: (...line) => void lines.push(line) }, 'Erasing')(error, 5000);
  expect(lines).toEqual([
    [{ err: error, waitMs: 5000 }, 'Erasing failed. The next attempt follows after the wait.'],
  ]);
});

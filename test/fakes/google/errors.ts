// Refusals in the form of Google's services.
import type { FakeAnswer } from '../support/fake-server.ts';

export const googleError = (
  status: number,
  reason: string,
  message: string,
  location?: string,
): FakeAnswer => ({
  status,
  body: {
    error: {
      code: status,
      message,
      errors: [{ domain: 'global', reason, message, ...(location === undefined ? {} : { location }) }],
    },
  },
});

/** As it is sent, without a time to wait. */
export const rateLimited = (reason = 'userRateLimitExceeded'): FakeAnswer =>
  googleError(403, reason, 'User Rate Limit Exceeded');

export const notFound = (id: string): FakeAnswer => googleError(404, 'notFound', `File not found: ${id}.`);

export const invalidCredentials: FakeAnswer = googleError(401, 'authError', 'Invalid Credentials');

// The access tokens of a fake account, in place of a sign-in: one is good at a time.
import type { AccessTokens } from '../../../server/adapters/connect/ask.ts';
import { SourceError } from '../../../server/adapters/connect/source-error.ts';

export interface FakeTokens {
  readonly tokens: AccessTokens;
  accepts(token: string): boolean;
  expire(): void;
  revoke(): void;
}

export const createFakeTokens = (): FakeTokens => {
  let number = 1;
  let revoked = false;
  const current = () => `access-token-${number}`;
  return {
    tokens: {
      current: async () => `access-token-1`,
      async renewed() {
        if (revoked) throw new SourceError('auth_expired', 'The grant was revoked.');
        return current();
      },
    },
    accepts: (token) => !revoked && token === current(),
    expire() {
      number += 1;
    },
    revoke() {
      revoked = true;
    },
  };
};

// The port of sign-ins by OAuth: the address that a person opens, the tokens for the code that comes back, their renewal.
import type { SignIn } from './port.ts';

/** An application that is registered at the source. */
export interface SignInApp {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Takes the place of `{tenant}` in the addresses. */
  readonly tenant?: string | undefined;
}

export interface SignInTokens {
  readonly accessToken: string;
  /** Null: it does not end. */
  readonly accessEndsAt: number | null;
  readonly refreshToken: string | null;
  /** The end of the whole grant, where the source tells it. */
  readonly grantEndsAt: number | null;
  /** Null: the source does not tell them. */
  readonly scopes: readonly string[] | null;
}

export interface SignInRequest {
  readonly signIn: SignIn;
  readonly app: SignInApp;
  readonly signal: AbortSignal;
}

export interface SignInClient {
  authorizeUrl(
    request: Omit<SignInRequest, 'signal'> & {
      redirectUri: string;
      state: string;
      challenge: string;
      /** The account that a person should choose. */
      account?: string | undefined;
    },
  ): string;
  exchange(
    request: SignInRequest & { redirectUri: string; code: string; verifier: string },
  ): Promise<SignInTokens>;
  /** Rejects with `auth_expired` once the grant has ended. */
  refresh(request: SignInRequest & { refreshToken: string }): Promise<SignInTokens>;
  revoke(request: SignInRequest & { token: string }): Promise<void>;
}

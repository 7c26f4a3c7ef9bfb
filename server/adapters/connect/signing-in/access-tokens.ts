// The access token of a signed-in connection. It lives in memory; a renewed refresh token is stored before the access token
// that came with it is used, because the source may take the former one no longer.
import type { AccessTokens } from '../ask.ts';
import type { SignIn } from '../port.ts';
import type { SignInClient } from '../signin-port.ts';
import { SourceError } from '../source-error.ts';

/** The secrets that are sealed with a connection after its sign-in. The application is kept with it: another one affects new connections. */
export type SignInSecrets = Readonly<Record<string, string>>;

export interface AccessTokensDeps {
  readonly title: string;
  readonly signIn: SignIn;
  readonly client: Pick<SignInClient, 'refresh'>;
  /** As they are stored now: another process may have renewed them. */
  readonly load: () => Promise<SignInSecrets>;
  readonly store: (secrets: SignInSecrets) => Promise<void>;
  readonly now: () => number;
  readonly pause: (ms: number) => Promise<void>;
}

/** Another process that took the refresh token first stores the one that it got within this time. */
const OTHERS_STORE = { looks: 8, everyMs: 250 };

/** A token that ends within this time is renewed before it is used. */
const RENEWED_BEFORE_MS = 5 * 60_000;

interface HeldToken {
  readonly token: string;
  readonly endsAt: number | null;
}

const endedGrant = (title: string): SourceError =>
  new SourceError('auth_expired', `${title} ended the access of the connection. Sign in again.`);

const isEndedGrant = (error: unknown): boolean =>
  error instanceof SourceError && error.code === 'auth_expired';

/** Null: nobody stored another refresh token. */
const renewedByOthers = async (
  { load, pause }: AccessTokensDeps,
  refreshToken: string,
): Promise<SignInSecrets | null> => {
  for (let look = 1; ; look++) {
    const stored = await load();
    if (stored.refreshToken !== refreshToken) return stored;
    if (look === OTHERS_STORE.looks) return null;
    await pause(OTHERS_STORE.everyMs);
  }
};

/** A person may have signed in anew meanwhile: those secrets stay. A connection that was removed has none, and hands these over. */
const storeRenewed = async (
  { load, store }: AccessTokensDeps,
  former: SignInSecrets,
  refreshToken: string,
): Promise<void> => {
  const stored = await load();
  if (stored.refreshToken === undefined || stored.refreshToken === former.refreshToken)
    await store({ ...former, refreshToken });
};

/** The stored secrets may have been renewed by another process, whose token is the good one. */
const refreshStored = async (deps: AccessTokensDeps, signal: AbortSignal): Promise<HeldToken> => {
  const { title, signIn, client, load } = deps;
  let secrets = await load();
  for (;;) {
    const { refreshToken, accessToken, clientId = '', clientSecret = '', tenant } = secrets;
    if (refreshToken === undefined) {
      if (accessToken === undefined) throw endedGrant(title);
      return { token: accessToken, endsAt: null };
    }
    try {
      const app = { clientId, clientSecret, tenant };
      const renewed = await client.refresh({ signIn, app, signal, refreshToken });
      await storeRenewed(deps, secrets, renewed.refreshToken ?? refreshToken);
      return { token: renewed.accessToken, endsAt: renewed.accessEndsAt };
    } catch (error) {
      if (!isEndedGrant(error)) throw error;
      const stored = await renewedByOthers(deps, refreshToken);
      if (stored === null) throw endedGrant(title);
      secrets = stored;
    }
  }
};

export const createAccessTokens = (deps: AccessTokensDeps): AccessTokens => {
  let held: HeldToken | null = null;
  let renewing: Promise<HeldToken> | null = null;

  /** One of several callers asks; the others wait for its answer. */
  const renew = async (signal: AbortSignal): Promise<string> => {
    renewing ??= refreshStored(deps, signal).finally(() => {
      renewing = null;
    });
    held = await renewing;
    return held.token;
  };

  const isFresh = ({ endsAt }: HeldToken): boolean =>
    endsAt === null || endsAt - deps.now() > RENEWED_BEFORE_MS;

  return {
    current: async (signal) => (held !== null && isFresh(held) ? held.token : renew(signal)),
    async renewed(refused, signal) {
      if (held !== null && held.token !== refused) return held.token;
      const token = await renew(signal);
      if (token === refused) throw endedGrant(deps.title);
      return token;
    },
  };
};

// Opens the source of a connection: its secrets, its pace, its tokens and its way to the network. The libraries are loaded
// with the first connection.

import { type AccessTokens, type AskFetch, createAsk } from '../../adapters/connect/ask.ts';
import { type AccountPace, createAccountPace } from '../../adapters/connect/asking/account-pace.ts';
import { findSourceKind } from '../../adapters/connect/open.ts';
import type { Grant, SourceKind, SourceTools } from '../../adapters/connect/port.ts';
import type { SignInClient } from '../../adapters/connect/signin-port.ts';
import { createAccessTokens } from '../../adapters/connect/signing-in/access-tokens.ts';
import { createSignInClient } from '../../adapters/connect/signing-in/oauth-client.ts';
import { SourceError } from '../../adapters/connect/source-error.ts';
import { createSafeFetch, type SafeFetch } from '../../adapters/fetch/safe/safe-fetch.ts';
import type { Logger } from '../../core/log.ts';
import type { ConnectionSources, OpenHooks } from '../../domain/connections/sources.ts';
import { placeOfSecret } from '../../domain/settings/stored-secrets.ts';
import { pause } from '../../lib/async/wait.ts';
import { type SealKeys, seal, unseal } from '../../lib/secrets/seal.ts';
import { sourceFailure } from './source-failure.ts';

export interface SourceOpenerDeps {
  readonly userAgent: string;
  /** Hosts of the own network that connections may read. */
  readonly privateHosts: readonly string[];
  /** Web origins that tests serve. */
  readonly standIns: Readonly<Record<string, string>>;
  readonly sealKeys: () => SealKeys;
  readonly readLinks: SourceTools['readLinks'];
  readonly now: () => number;
  readonly log: Logger;
}

export interface SourceOpener extends ConnectionSources {
  /** The sign-in by OAuth. */
  readonly signInClient: SignInClient;
  close(): Promise<void>;
}

const placeOfSecrets = (connection: string): string => placeOfSecret({ of: 'connection', id: connection });

const unsealed = (
  keys: SealKeys,
  connection: string,
  sealed: string | null,
): Readonly<Record<string, string>> => {
  if (sealed === null) return {};
  const text = unseal(keys, placeOfSecrets(connection), sealed);
  if (text !== null) return JSON.parse(text);
  throw new SourceError(
    'auth_expired',
    'The secrets of the connection cannot be opened, because their key was lost. Sign in again.',
  );
};

/** The pace of each account, which its connections share. A silence is told to the one that was opened last. */
const createPaces = ({ now }: SourceOpenerDeps) => {
  const paces = new Map<string, { pace: AccountPace; tell: (until: number) => void }>();
  return (kind: SourceKind, account: string, tell: (until: number) => void): AccountPace => {
    const name = `${kind.provider} ${account}`;
    const known = paces.get(name);
    if (known !== undefined) {
      known.tell = tell;
      return known.pace;
    }
    const { perSecond, parallel } = kind.pace;
    const silenced = (until: number): void => paces.get(name)?.tell(until);
    const pace = createAccountPace({ perSecond, parallel, now, pause, random: Math.random, silenced });
    paces.set(name, { pace, tell });
    return pace;
  };
};

const createCounts = () => {
  let counts = { requests: 0, bytes: 0, waitedMs: 0 };
  return {
    count(what: keyof typeof counts, by: number) {
      counts[what] += by;
    },
    counted() {
      const taken = counts;
      counts = { requests: 0, bytes: 0, waitedMs: 0 };
      return taken;
    },
  };
};

/** The access tokens of each connection live until the process ends, so that not every look begins with a renewal. */
const createKnownTokens = ({ now }: SourceOpenerDeps, client: SignInClient) => {
  const known = new Map<string, { tokens: AccessTokens; hooks: OpenHooks }>();
  return (id: string | null, { title, signIn }: SourceKind, hooks: OpenHooks): AccessTokens | null => {
    if (signIn === null) return null;
    const entry = id === null ? undefined : known.get(id);
    if (entry !== undefined) {
      entry.hooks = hooks;
      return entry.tokens;
    }
    const fresh: { tokens: AccessTokens; hooks: OpenHooks } = {
      hooks,
      tokens: createAccessTokens({
        ...{ title, signIn, client, now, pause },
        load: () => fresh.hooks.load(),
        store: (secrets) => fresh.hooks.store(secrets),
      }),
    };
    if (id !== null) known.set(id, fresh);
    return fresh.tokens;
  };
};

const revokeAtSource = async (
  { signIn }: SourceKind,
  client: SignInClient,
  { secrets, signal }: { secrets: Readonly<Record<string, string>>; signal: AbortSignal },
): Promise<void> => {
  const { clientId = '', clientSecret = '', tenant, refreshToken, accessToken } = secrets;
  const token = refreshToken ?? accessToken;
  if (signIn === null || token === undefined) return;
  await client.revoke({ signIn, app: { clientId, clientSecret, tenant }, token, signal });
};

export const createSourceOpener = (deps: SourceOpenerDeps): SourceOpener => {
  const { userAgent, privateHosts, standIns, sealKeys, readLinks, now, log } = deps;
  let fetch: SafeFetch | null = null;
  const safeFetch: AskFetch = (address, request) => {
    fetch ??= createSafeFetch({ userAgent, privateHosts, seams: { standIns } });
    return fetch(address, request);
  };
  const paceOf = createPaces(deps);
  const signInClient = createSignInClient(safeFetch, now);
  const tokensOf = createKnownTokens(deps, signInClient);
  return {
    ...{ kind: findSourceKind, signInClient },
    async open({ id, provider, account, metadata, secrets }, given) {
      const kind = await findSourceKind(provider);
      if (kind === null) throw new SourceError('bad_options', `There is no source ${provider}.`);
      const grant: Grant = { metadata, secrets };
      const { count, counted } = createCounts();
      const hooks = given ?? { load: async () => secrets, store: async () => {} };
      const tokens = tokensOf(given === undefined ? null : id, kind, hooks);
      const ask = createAsk({
        ...{ kind, now, pause, log, count, fetch: safeFetch },
        credentials: kind.credentials(grant),
        ...(tokens === null ? {} : { tokens }),
        pace: paceOf(kind, account ?? id ?? 'new', (until) => hooks.silenced?.(until)),
      });
      return {
        ...{ kind, counted, source: kind.open(grant, { ask, readLinks, now }) },
        revoke: async (signal) => revokeAtSource(kind, signInClient, { secrets: await hooks.load(), signal }),
      };
    },
    seal: (connection, secrets) => seal(sealKeys(), placeOfSecrets(connection), JSON.stringify(secrets)),
    unseal: (connection, sealed) => unsealed(sealKeys(), connection, sealed),
    failureOf: sourceFailure,
    close: async () => fetch?.close(),
  };
};

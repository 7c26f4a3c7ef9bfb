// The sign-in of connections: the link that a person opens, and what comes back from it. A state works once, for an hour, for
// its connection and its source alone; an account is never mixed with another one.
import { hash, randomBytes } from 'node:crypto';
import type { Account, SignIn, SourceKind } from '../../../adapters/connect/port.ts';
import type { SignInApp, SignInTokens } from '../../../adapters/connect/signin-port.ts';
import type { ConnectionRecord, SignedIn } from '../../../adapters/store/ports/connections/connections.ts';
import type { SignInStore, TakenSignIn } from '../../../adapters/store/ports/connections/sign-ins.ts';
import { defined } from '../../../lib/defined.ts';
import { sha256 } from '../../../lib/hash.ts';
import { signedInNote } from '../connection-note.ts';
import type { ConnectionSources } from '../sources.ts';
import { type AppsDeps, findApp, noApp } from './apps.ts';
import { type SignInFault, signInSentence } from './callback-pages.ts';

export interface SignInsDeps {
  readonly store: SignInStore;
  readonly apps: AppsDeps;
  readonly sources: () => Promise<ConnectionSources>;
  /** The address to which the source sends the browser back. */
  readonly redirectAddress: (provider: string) => string;
  readonly now: () => number;
}

export interface ConnectionToSignIn {
  readonly id: string;
  readonly provider: string;
  readonly redirectUrl: string | null;
  /** The account that signs in again. */
  readonly account?: string | undefined;
}

/** The answer to the browser when it comes back. */
export type SignInOutcome =
  | {
      readonly done: true;
      readonly connection: ConnectionRecord;
      readonly title: string;
      readonly mustChoose: boolean;
      readonly redirectUrl: string | null;
    }
  | {
      readonly done: false;
      readonly fault: SignInFault;
      readonly sentence: string;
      /** Null: the connection is not known. */
      readonly connection: string | null;
      readonly redirectUrl: string | null;
    };

export interface SignIns {
  /** Throws with the settings that are missing, before a connection is stored. */
  require(provider: string): Promise<void>;
  /** For a connection that is stored already. */
  begin(connection: ConnectionToSignIn): Promise<{ authLink: string }>;
  finish(provider: string, query: URLSearchParams, signal: AbortSignal): Promise<SignInOutcome>;
}

const HOUR_MS = 3_600_000;
const SECRET_BYTES = 32;

const randomSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url');

interface SigningKind {
  readonly kind: SourceKind;
  readonly signIn: SignIn;
}

const signingKind = async (deps: SignInsDeps, provider: string): Promise<SigningKind | null> => {
  const kind = await (await deps.sources()).kind(provider);
  return kind === null || kind.signIn === null ? null : { kind, signIn: kind.signIn };
};

const requireApp = async (deps: SignInsDeps, { kind, signIn }: SigningKind): Promise<SignInApp> => {
  const app = await findApp(deps.apps, signIn.app);
  if (app === null) throw noApp(signIn.app, kind.title, deps.redirectAddress(kind.provider));
  return app;
};

const requireSigning = async (deps: SignInsDeps, provider: string): Promise<SigningKind> => {
  const signing = await signingKind(deps, provider);
  if (signing === null) throw new Error(`The source ${provider} has no sign-in.`);
  return signing;
};

/** The state and the verifier are sealed to different places, so that one cannot stand in for the other. */
const verifierPlace = (connection: string): string => `${connection} sign-in`;

const writeSignInLink = async (
  deps: SignInsDeps,
  { id, provider, redirectUrl, account }: ConnectionToSignIn,
): Promise<{ authLink: string }> => {
  const signing = await requireSigning(deps, provider);
  const app = await requireApp(deps, signing);
  const [state, verifier] = [randomSecret(), randomSecret()];
  const sources = await deps.sources();
  await deps.store.begin({
    ...{ hash: sha256(state), connection: id, redirectUrl, endsAt: deps.now() + HOUR_MS },
    // With the application: another one may be set before the person comes back.
    sealed: sources.seal(verifierPlace(id), { ...defined(app), verifier }),
  });
  const challenge = hash('sha256', verifier, 'base64url');
  const redirectUri = deps.redirectAddress(provider);
  const { signIn } = signing;
  return {
    authLink: sources.signInClient.authorizeUrl({ signIn, app, redirectUri, state, challenge, account }),
  };
};

/** A fault that is found on the way back. */
class SignInRefusal extends Error {
  readonly fault: SignInFault;

  constructor(fault: SignInFault) {
    super(fault);
    this.name = 'SignInRefusal';
    this.fault = fault;
  }
}

const missesScope = ({ scopes: wanted }: SignIn, { scopes }: SignInTokens): boolean =>
  scopes !== null && wanted.some((scope) => scope.includes('.readonly') && !scopes.includes(scope));

const checkTokens = (signIn: SignIn, tokens: SignInTokens): void => {
  if (missesScope(signIn, tokens)) throw new SignInRefusal('missing_scope');
  if (signIn.needsRefreshToken === true && tokens.refreshToken === null)
    throw new SignInRefusal('no_refresh_token');
};

/** Asked with the new access token, before anything is stored. */
const accountOf = async (
  sources: ConnectionSources,
  { provider, metadata }: ConnectionRecord,
  accessToken: string,
  signal: AbortSignal,
): Promise<Account> => {
  const secrets = { accessToken };
  const { source } = await sources.open({ id: null, provider, account: null, metadata, secrets });
  return source.who(signal);
};

interface Completing {
  readonly deps: SignInsDeps;
  readonly signing: SigningKind;
  readonly taken: TakenSignIn;
  readonly code: string;
  readonly signal: AbortSignal;
}

const mustChoose = ({ choosing, whole }: SourceKind, { metadata, choice }: ConnectionRecord): boolean =>
  choosing === 'must' && choice === null && !(whole && metadata.syncScope === 'full');

/** Everything is checked before something of the connection is changed. */
const completeSignIn = async ({ deps, signing, taken, code, signal }: Completing): Promise<boolean> => {
  const { connection } = taken;
  const { kind, signIn } = signing;
  const sources = await deps.sources();
  const { verifier = '', ...kept } = sources.unseal(verifierPlace(connection.id), taken.sealed);
  const { clientId = '', clientSecret = '', tenant } = kept;
  const app: SignInApp = { clientId, clientSecret, tenant };
  const redirectUri = deps.redirectAddress(kind.provider);
  const tokens = await sources.signInClient.exchange({ signIn, app, signal, redirectUri, code, verifier });
  checkTokens(signIn, tokens);
  const account = await accountOf(sources, connection, tokens.accessToken, signal);
  if (connection.account !== null && connection.account !== account.account)
    throw new SignInRefusal('other_account');
  const choosing = mustChoose(kind, connection);
  const secrets = {
    ...kept,
    // The access token is stored only where it is all that there is.
    ...(tokens.refreshToken === null
      ? { accessToken: tokens.accessToken }
      : { refreshToken: tokens.refreshToken }),
  };
  const signedIn: SignedIn = {
    sealed: sources.seal(connection.id, secrets),
    ...{ account: account.account, email: account.email ?? null },
    ...{ app: sha256(clientId), grantEndsAt: tokens.grantEndsAt, state: choosing ? 'choosing' : 'active' },
  };
  const end = await deps.store.finish(connection.id, signedIn, signedInNote(connection));
  if (end !== 'finished') throw new SignInRefusal(end === 'removed' ? 'unknown_link' : 'other_account');
  return choosing;
};

/** Its cause is a fault of the source, or of the person. */
const signInFault = async (
  deps: SignInsDeps,
  error: unknown,
): Promise<{ fault: SignInFault; words: string | null }> => {
  if (error instanceof SignInRefusal) return { fault: error.fault, words: null };
  const failure = (await deps.sources()).failureOf(error);
  if (failure === null) throw error;
  return { fault: 'source_failed', words: failure.forCaller };
};

const finishSignIn = async (
  deps: SignInsDeps,
  provider: string,
  query: URLSearchParams,
  signal: AbortSignal,
): Promise<SignInOutcome> => {
  const signing = await signingKind(deps, provider);
  const title = signing?.kind.title ?? 'the source';
  const state = query.get('state') ?? '';
  const taken = state === '' || signing === null ? null : await deps.store.take(sha256(state), provider);
  const failed = (fault: SignInFault, words: string | null = null): SignInOutcome => ({
    ...{
      done: false,
      fault,
      connection: taken?.connection.id ?? null,
      redirectUrl: taken?.redirectUrl ?? null,
    },
    sentence: [words, signInSentence(fault, title)].filter((one) => one !== null).join(' '),
  });
  if (taken === null || signing === null) return failed('unknown_link');
  if (taken.outcome !== 'open') return failed(taken.outcome === 'used' ? 'used_link' : 'expired_link');
  const code = query.get('code');
  if (query.get('error') === 'access_denied') return failed('access_denied');
  if (code === null || code === '') return failed('source_failed');
  try {
    const choosing = await completeSignIn({ deps, signing, taken, code, signal });
    const { connection, redirectUrl } = taken;
    return { done: true, connection, title, mustChoose: choosing, redirectUrl };
  } catch (error) {
    const { fault, words } = await signInFault(deps, error);
    return failed(fault, words);
  }
};

export const createSignIns = (deps: SignInsDeps): SignIns => ({
  async require(provider) {
    await requireApp(deps, await requireSigning(deps, provider));
  },
  begin: (connection) => writeSignInLink(deps, connection),
  finish: (provider, query, signal) => finishSignIn(deps, provider, query, signal),
});

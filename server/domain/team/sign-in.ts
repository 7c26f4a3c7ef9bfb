// Sign-in without passwords: by a personal key, by a link that was sent by mail, or by a provider of identities.
import { randomBytes } from 'node:crypto';
import type { IdentityProvider, OidcAttempt } from '../../adapters/sign-in/port.ts';
import type { AuditNote } from '../../core/audit.ts';
import { forbidden, IdentityError, MemoirError, unauthorized } from '../../core/errors.ts';
import type { MemberRecord } from '../../core/principal.ts';
import { sha256 } from '../../lib/hash.ts';
import { newId } from '../../lib/ids.ts';
import type { TeamContext } from './context.ts';
import type { Visitor } from './joining.ts';
import { nameFromEmail } from './present.ts';
import { endedSignInLink } from './refusals.ts';

const LINK_MS = 15 * 60_000;
const ATTEMPT_MS = 10 * 60_000;
const LINK = 'SignInLink';
const ATTEMPT = 'OidcAttempt';

/** The ways to sign in at this server, besides a key. */
export interface SignInWays {
  email: boolean;
  /** The host of the provider; null: there is none. */
  oidc: string | null;
}

export interface MemberSignIn {
  readonly ways: SignInWays;
  /** Each resolves with the cookie of a new session. */
  withKey(key: string, visitor: Visitor): Promise<string>;
  withLink(token: string, visitor: Visitor): Promise<string>;
  /** Returns before anything is looked up, so that the time tells nothing about who exists. */
  askLink(email: string, visitor: Visitor): Promise<void>;
  /** The address of the provider, and the state that the browser has to bring back. */
  beginOidc(): Promise<{ url: string; state: string }>;
  finishOidc(answer: URL, state: string, visitor: Visitor): Promise<string>;
}

export interface SignInDeps extends TeamContext {
  provider: { identities: IdentityProvider; issuer: string; domains: readonly string[] } | null;
}

const sessionNote = (
  who: { id: string; name: string },
  kind: 'member' | 'key',
  address: string,
): AuditNote => ({
  ...{ action: 'session.begin', actor: { kind, ...who }, way: 'rest', requestId: null, address },
});

/** A mail to an owner, whose account is worth most. */
const ownerMail = ({ outbox, base, now }: TeamContext, member: MemberRecord, { userAgent }: Visitor) =>
  member.role === 'owner'
    ? outbox.mail('newSignIn', member.email, {
        ...{ name: member.name, at: now(), userAgent },
        link: `${base()}/console/account`,
      })
    : null;

const begin = async (
  context: TeamContext,
  member: MemberRecord,
  keyId: string | null,
  visitor: Visitor,
): Promise<string> => {
  const { access, outbox } = context;
  const mail = ownerMail(context, member, visitor);
  const { address, userAgent } = visitor;
  const note = sessionNote({ id: member.id, name: member.name }, 'member', address);
  const cookie = await access.sessions.begin({ memberId: member.id, keyId, userAgent }, mail, note);
  if (mail !== null) outbox.stored();
  return cookie;
};

const createKeySignIn =
  (context: SignInDeps): MemberSignIn['withKey'] =>
  async (key, visitor) => {
    const { access, store } = context;
    const { address, userAgent } = visitor;
    const holder = await access.grants.signIn(key, address);
    const member = holder.member === undefined ? null : await store.members.byId(holder.member.id);
    if (member !== null) return begin(context, member, holder.keyId, visitor);
    const note = sessionNote({ id: holder.keyId, name: holder.keyName }, 'key', address);
    return access.sessions.begin({ memberId: null, keyId: holder.keyId, userAgent }, null, note);
  };

const noMailForLinks = () =>
  new MemoirError(404, 'No mail is set up, so no link can be sent. Sign in with a key.');

const createLinkSignIn = (context: SignInDeps): Pick<MemberSignIn, 'withLink' | 'askLink'> => {
  const { access, store, outbox, base, now, log } = context;
  const { tokens } = access.grants;

  async function send(email: string): Promise<void> {
    const member = await store.members.byEmail(email);
    if (member === null || !(await access.mayAskLink(member.id))) return;
    const token = randomBytes(32).toString('base64url');
    const link = `${base()}/console/link?token=${token}`;
    const mail = outbox.mail('signIn', email, { name: member.name, link });
    if (mail === null) return;
    const record = { kind: LINK, hash: sha256(token), grantId: null, uid: null };
    await tokens.keep({ ...record, payload: { memberId: member.id }, expiresAt: now() + LINK_MS }, mail);
    outbox.stored();
  }

  return {
    async askLink(email, { address }) {
      if (!outbox.isSetUp) throw noMailForLinks();
      await access.guesses.link(address);
      send(email.trim().toLowerCase()).catch((err: unknown) =>
        log.warn({ err }, 'A sign-in link was not sent.'),
      );
    },
    async withLink(token, visitor) {
      await access.guesses.checkFailures(visitor.address);
      const hash = sha256(token);
      const found = await tokens.find(LINK, hash);
      if (found === null) await access.guesses.linkFailed(visitor.address);
      if (found?.expiresAt == null || found.expiresAt <= now() || !(await tokens.consume(LINK, hash)))
        throw endedSignInLink();
      const member = await store.members.byId(String(found.payload.memberId));
      if (member === null) throw endedSignInLink();
      if (!member.emailVerified) await store.members.verify(member.id);
      return begin(context, member, null, visitor);
    },
  };
};

const noProvider = () => new MemoirError(404, 'No provider of identities is set up. Sign in another way.');

const createOidcSignIn = (context: SignInDeps): Pick<MemberSignIn, 'beginOidc' | 'finishOidc'> => {
  const { access, store, provider, base, now, log } = context;
  const { tokens } = access.grants;
  const redirectUri = () => `${base()}/console/oidc/callback`;

  /** The member with the address, or a new one where the domain may join by itself. */
  async function memberOf(email: string, name: string | null): Promise<MemberRecord> {
    const member = await store.members.byEmail(email);
    if (member !== null) return member;
    if (!provider?.domains.includes(email.slice(email.lastIndexOf('@') + 1)))
      throw forbidden('You are no member of this Memoir. Ask an owner or an admin for an invitation.');
    const joined: MemberRecord = {
      ...{ id: newId(), email, name: name ?? nameFromEmail(email), role: 'member', tags: null },
      ...{ emailVerified: true, createdAt: now(), lastSeenAt: null },
    };
    const note: AuditNote = {
      ...{ action: 'member.join', actor: { kind: 'member', id: joined.id, name: joined.name }, way: 'rest' },
      ...{ requestId: null, address: null, target: { kind: 'member', id: joined.id } },
    };
    if (await store.members.create(joined, null, note)) {
      log.info({ memberId: joined.id }, 'A member joined by the provider of identities.');
      return joined;
    }
    return (await store.members.byEmail(email)) ?? joined;
  }

  return {
    async beginOidc() {
      if (provider === null) throw noProvider();
      const { url, attempt } = await provider.identities.begin(redirectUri());
      const record = { kind: ATTEMPT, hash: sha256(attempt.state), grantId: null, uid: null };
      await tokens.keep({ ...record, payload: { ...attempt }, expiresAt: now() + ATTEMPT_MS });
      return { url, state: attempt.state };
    },
    async finishOidc(answer, state, visitor) {
      if (provider === null) throw noProvider();
      const hash = sha256(state);
      const found = await tokens.find(ATTEMPT, hash);
      if (found?.expiresAt == null || found.expiresAt <= now() || !(await tokens.consume(ATTEMPT, hash)))
        throw unauthorized('This sign-in has expired, or began in another browser. Begin again.');
      const attempt = found.payload as unknown as OidcAttempt;
      const { email, isVerified, name } = await provider.identities
        .finish(answer, redirectUri(), attempt)
        .catch((cause: unknown) => {
          throw cause instanceof IdentityError ? unauthorized(cause.message, { cause }) : cause;
        });
      if (!isVerified)
        throw forbidden('The provider does not vouch for your address. Confirm the address there first.');
      const member = await memberOf(email, name);
      if (!member.emailVerified) await store.members.verify(member.id);
      return begin(context, member, null, visitor);
    },
  };
};

export const createSignIn = (context: SignInDeps): MemberSignIn => ({
  ways: {
    email: context.outbox.isSetUp,
    oidc: context.provider === null ? null : new URL(context.provider.issuer).host,
  },
  withKey: createKeySignIn(context),
  ...createLinkSignIn(context),
  ...createOidcSignIn(context),
});

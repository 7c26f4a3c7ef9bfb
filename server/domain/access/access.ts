// Access by keys: recognises callers, limits their rates, and mints the scope of every call.
import type { SessionOutput } from '../../../tools/keys/schemas/keys.ts';
import type { AccessStore } from '../../adapters/store/ports/store.ts';
import type { UsageStore } from '../../adapters/store/ports/usage/usage.ts';
import type { Logger } from '../../core/log.ts';
import { type Caller, OWNER_ID, type Principal } from '../../core/principal.ts';
import type { RateCounts } from '../../core/processes/rate-counts.ts';
import type { Signals } from '../../core/processes/signals.ts';
import { createTokens, type RecognisedKey, tokenTags } from './access-tokens.ts';
import { createAuthenticate } from './authenticate.ts';
import { createGrants, type Grants } from './grants.ts';
import { ensureFirstKey, type FirstKeyRequest } from './keys/first-key.ts';
import { createKeyCache } from './keys/key-cache.ts';
import { isUsable } from './keys/key-makers.ts';
import { hashKey } from './keys/key-text.ts';
import { createKeyUses } from './keys/key-uses.ts';
import { makeKey, type NewKey } from './keys/make-key.ts';
import { createKeyManagement, type KeyManagement } from './manage-keys.ts';
import { createSessions, memberAsKey, type Sessions } from './members/sessions.ts';
import { presentSession, principalOf } from './present.ts';
import { insuredCounts } from './rate-counts.ts';
import { createLimits, type Limits } from './rate-limits.ts';
import { authorizeCall, type CallAccess, type CallRight, checkRight } from './scope.ts';

export interface Access extends KeyManagement {
  /** 401 unless the credential is a valid key. */
  authenticate(credential: string | null, address: string): Promise<Principal>;
  /** The caller behind the cookie of a signed-in browser; 401 unless the session runs. */
  resume(cookie: string, address: string): Promise<Principal>;
  /** 429 if the key has used all its requests. */
  admit(holder: Principal): Promise<void>;
  /** 403 if the holder may never make such a call, whatever its input. */
  checkRight(holder: Principal, ask: CallRight): void;
  /** 403 unless the holder may make this call. */
  enter(holder: Principal, ask: CallAccess): Caller;
  /** The present rights of the reader who used this key, or this grant that it gave; null: there are none any more. */
  asker(keyId: string, grantId: string | undefined): Promise<Caller | null>;
  session(caller: Caller): Promise<SessionOutput>;
  /** Counts one delivery of a webhook; 429 beyond the limit. */
  admitHook(tokenHash: string): Promise<void>;
  /** The grants that were given on the connect page. */
  readonly grants: Grants;
  readonly sessions: Pick<Sessions, 'begin' | 'list' | 'end'>;
  /** Ends the session of the cookie; nothing happens if it has ended. */
  signOut(cookie: string, address: string): Promise<void>;
  /** Guesses of links by an address are counted like wrong keys. */
  readonly guesses: Pick<Limits, 'checkFailures' | 'failure' | 'link' | 'linkFailed'>;
  /** False: the member has asked for too many sign-in links. */
  mayAskLink(memberId: string): Promise<boolean>;
  /** A key with all rights of the member; it is not stored yet. */
  personalKey(memberId: string, name: string): NewKey;
  /** From now on this process knows the member as the store does. */
  memberChanged(id: string): void;
  /** The text of the first key if this call created it, else null. */
  ensureFirstKey(request: FirstKeyRequest): Promise<string | null>;
  /** Writes the times of last use of keys. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

export interface AccessDeps {
  store: Pick<AccessStore, 'keys' | 'grants' | 'team' | 'mails'> & { usage: Pick<UsageStore, 'ofKeys'> };
  orgId: string;
  now: () => number;
  log?: Pick<Logger, 'info' | 'warn'>;
  /** The credential of this boot for commands of the same user on the same machine. */
  localToken?: string;
  signals?: Signals;
  /** Shared with other processes; missing: this one counts alone. */
  counts?: RateCounts | undefined;
  /** Told the address of each sign-in that was refused. */
  signInRefused?: (address: string) => void;
  /** True if the address that a token was issued for belongs to this server. */
  isOwnResource(resource: string): boolean;
}

/** The owner of the data folder, who can read everything in it anyway. */
const OWNER: Principal = {
  keyId: OWNER_ID,
  keyName: 'This machine',
  permission: 'write',
  tags: null,
  role: 'owner',
  expiresAt: null,
  rateLimit: null,
};

/** Recognises the owner of this machine before any key is looked up. */
const localOwner = (localToken: string | undefined) => {
  const localHash = localToken === undefined ? null : hashKey(localToken);
  // Hashes are compared, so that the duration reveals nothing about the token.
  return (credential: string | null): Principal | null =>
    localHash !== null && credential !== null && hashKey(credential) === localHash ? OWNER : null;
};

/** One row is read for a link, so nothing cancels the read. */
const READING: CallAccess = {
  permission: 'read',
  reaches: 'document',
  signal: new AbortController().signal,
};

/** A holder that is known by its id alone: a key, or a member who signed in without one; null: it may not be used. */
const createUsableById =
  ({ store: { keys, team }, now }: AccessDeps) =>
  async (id: string): Promise<RecognisedKey | null> => {
    const member = await team.members.byId(id);
    const key = member === null ? await keys.byId(id) : memberAsKey(member);
    return key !== null && isUsable(key, now()) ? key : null;
  };

/** The caller who asked for a page or made a connection: a browser without a key acts for it later. */
const createGiver =
  (deps: AccessDeps): Grants['giver'] =>
  async (id) => {
    if (id === OWNER_ID) return OWNER;
    const key = await createUsableById(deps)(id);
    return key === null ? null : principalOf(key);
  };

/** A caller that is known by its id alone, because a link that it asked for comes without its key. */
const createAsker =
  (deps: AccessDeps): Access['asker'] =>
  async (keyId, grantId) => {
    if (keyId === OWNER_ID) return authorizeCall(OWNER, READING);
    const key = await createUsableById(deps)(keyId);
    if (key === null) return null;
    if (grantId === undefined) return authorizeCall(principalOf(key), READING);
    const grant = await deps.store.grants.byId(grantId);
    if (grant === null || grant.keyId !== keyId || grant.expiresAt <= deps.now()) return null;
    return authorizeCall(principalOf({ ...key, tags: tokenTags(grant, key), grantId }), READING);
  };

/** The times of last use of keys, grants, sessions and members. */
const createUses = (
  { store: { keys, grants, team }, now }: AccessDeps,
  onError: (cause: unknown) => void,
) => {
  const of = (kind: Parameters<typeof createKeyUses>[0]['keys']) =>
    createKeyUses({ keys: kind, now, onError });
  const uses = { keys: of(keys), grants: of(grants), sessions: of(team.sessions), members: of(team.members) };
  return {
    ...uses,
    /** The caller, whose use is noted. */
    noted(record: RecognisedKey): Principal {
      const { id, ownerId, grantId, session } = record;
      if (id !== ownerId) uses.keys.note(id);
      if (grantId !== undefined) uses.grants.note(grantId);
      if (session !== undefined) uses.sessions.note(session.id);
      if (ownerId !== null) uses.members.note(ownerId);
      return principalOf(record);
    },
    async flush(): Promise<void> {
      await Promise.all(Object.values(uses).map((each) => each.flush()));
    },
  };
};

const makePersonalKey = ({ orgId, now }: AccessDeps, memberId: string, name: string): NewKey => {
  const { key, record } = makeKey({ orgId, now: now(), request: {}, name });
  return { key, record: { ...record, ownerId: memberId } };
};

export const createAccess = (deps: AccessDeps): Access => {
  const { orgId, now, log, localToken, isOwnResource } = deps;
  const { keys, usage, grants: grantStore, team, mails } = deps.store;
  const limits = createLimits(
    deps.counts === undefined ? undefined : insuredCounts(deps.counts),
    deps.signInRefused,
  );
  const cache = createKeyCache(now, deps.signals);
  const recognise = createAuthenticate({
    ...{ keys, cache, limits, now },
    tokenByHash: createTokens({ grants: grantStore, keys, isOwnResource }),
  });
  const ownerOf = localOwner(localToken);
  // Only logged, because it must neither fail a call nor delay a stop.
  const notWritten = (err: unknown) => log?.warn({ err }, 'The times of last use of keys were not written.');
  const uses = createUses(deps, notWritten);
  const sessions = createSessions({
    ...{ sessions: team.sessions, members: team.members, uses: uses.sessions },
    ...{ keys, cache, limits, now, log },
  });
  const grants = createGrants({
    ...{ store: grantStore, keys, recognise, cache, limits, uses: uses.grants, orgId, now, log },
    giver: createGiver(deps),
  });

  return {
    async authenticate(credential, address) {
      const owner = ownerOf(credential);
      if (owner !== null) return owner;
      return uses.noted(await recognise(credential, address));
    },
    resume: async (cookie, address) => uses.noted(await sessions.recognise(cookie, address)),
    ...{ admit: limits.request, admitHook: limits.hook },
    checkRight,
    enter: authorizeCall,
    asker: createAsker(deps),
    ...createKeyManagement({
      ...{ keys, grants: grantStore, members: team.members, mails, usage },
      ...{ cache, uses: uses.keys, orgId, now, log },
    }),
    session: async (caller) =>
      presentSession(
        caller,
        orgId,
        caller.member?.id === undefined ? null : await team.members.byId(caller.member?.id),
      ),
    sessions,
    signOut: sessions.signOut,
    guesses: limits,
    mayAskLink: limits.memberLink,
    personalKey: (memberId, name) => makePersonalKey(deps, memberId, name),
    memberChanged: cache.forgetMember,
    ensureFirstKey: (request) => ensureFirstKey({ keys, orgId, now, log }, request),
    grants,
    flush: uses.flush,
    close: () => uses.flush().catch(notWritten),
  };
};

// Access by keys: recognises callers, limits their rates, and mints the scope of every call.
import type { SessionOutput } from '../../../tools/keys/schemas/keys.ts';
import type { AccessStore } from '../../adapters/store/ports/store.ts';
import type { UsageStore } from '../../adapters/store/ports/usage.ts';
import type { Logger } from '../../core/log.ts';
import { type Caller, OWNER_ID, type Principal } from '../../core/principal.ts';
import type { Signals } from '../../core/processes/signals.ts';
import { createTokens, tokenTags } from './access-tokens.ts';
import { createAuthenticate } from './authenticate.ts';
import { ensureFirstKey, type FirstKeyRequest } from './first-key.ts';
import { createGrants, type Grants } from './grants.ts';
import { createKeyCache } from './key-cache.ts';
import { isUsable } from './key-makers.ts';
import { hashKey } from './key-text.ts';
import { createKeyUses } from './key-uses.ts';
import { createKeyManagement, type KeyManagement } from './manage-keys.ts';
import { presentSession, principalOf } from './present.ts';
import { createLimits } from './rate-limits.ts';
import { authorizeCall, type CallAccess, type CallRight, checkRight } from './scope.ts';

export interface Access extends KeyManagement {
  /** 401 unless the credential is a valid key. */
  authenticate(credential: string | null, address: string): Promise<Principal>;
  /** 429 if the key has used all its requests. */
  admit(holder: Principal): Promise<void>;
  /** 403 if the holder may never make such a call, whatever its input. */
  checkRight(holder: Principal, ask: CallRight): void;
  /** 403 unless the holder may make this call. */
  enter(holder: Principal, ask: CallAccess): Caller;
  /** The present rights of the reader who used this key, or this grant that it gave; null: there are none any more. */
  asker(keyId: string, grantId: string | undefined): Promise<Caller | null>;
  session(caller: Caller): Promise<SessionOutput>;
  /** The grants that were given on the connect page. */
  readonly grants: Grants;
  /** The text of the first key if this call created it, else null. */
  ensureFirstKey(request: FirstKeyRequest): Promise<string | null>;
  /** Writes the times of last use of keys. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

export interface AccessDeps {
  store: Pick<AccessStore, 'keys' | 'grants'> & { usage: Pick<UsageStore, 'ofKeys'> };
  orgId: string;
  now: () => number;
  log?: Pick<Logger, 'info' | 'warn'>;
  /** The credential of this boot for commands of the same user on the same machine. */
  localToken?: string;
  signals?: Signals;
  /** True if the address that a token was issued for belongs to this server. */
  isOwnResource(resource: string): boolean;
}

/** The owner of the data folder, who can read everything in it anyway. */
const OWNER: Principal = {
  keyId: OWNER_ID,
  keyName: 'This machine',
  permission: 'write',
  tags: null,
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

/** A caller that is known by its id alone, because a link that it asked for comes without its key. */
const createAsker =
  ({ store: { keys, grants }, now }: AccessDeps): Access['asker'] =>
  async (keyId, grantId) => {
    if (keyId === OWNER_ID) return authorizeCall(OWNER, READING);
    const key = await keys.byId(keyId);
    if (key === null || !isUsable(key, now())) return null;
    if (grantId === undefined) return authorizeCall(principalOf(key), READING);
    const grant = await grants.byId(grantId);
    if (grant === null || grant.keyId !== keyId || grant.expiresAt <= now()) return null;
    return authorizeCall(principalOf({ ...key, tags: tokenTags(grant, key), grantId }), READING);
  };

export const createAccess = (deps: AccessDeps): Access => {
  const { orgId, now, log, localToken, isOwnResource } = deps;
  const { keys, usage, grants: grantStore } = deps.store;
  const limits = createLimits();
  const cache = createKeyCache(now, deps.signals);
  const recognise = createAuthenticate({
    ...{ keys, cache, limits, now },
    tokenByHash: createTokens({ grants: grantStore, keys, isOwnResource }),
  });
  const ownerOf = localOwner(localToken);
  // Only logged, because it must neither fail a call nor delay a stop.
  const notWritten = (err: unknown) => log?.warn({ err }, 'The times of last use of keys were not written.');
  const uses = createKeyUses({ keys, now, onError: notWritten });
  const grantUses = createKeyUses({ keys: grantStore, now, onError: notWritten });
  const flush = async () => {
    await Promise.all([uses.flush(), grantUses.flush()]);
  };
  const grants = createGrants({
    ...{ store: grantStore, keys, recognise, cache, limits, uses: grantUses, orgId, now, log },
  });

  return {
    async authenticate(credential, address) {
      const owner = ownerOf(credential);
      if (owner !== null) return owner;
      const record = await recognise(credential, address);
      uses.note(record.id);
      if (record.grantId !== undefined) grantUses.note(record.grantId);
      return principalOf(record);
    },
    admit: limits.request,
    checkRight,
    enter: authorizeCall,
    asker: createAsker(deps),
    ...createKeyManagement({ keys, grants: grantStore, usage, cache, uses, orgId, now, log }),
    session: async (caller) => presentSession(caller, orgId),
    ensureFirstKey: (request) => ensureFirstKey({ keys, orgId, now, log }, request),
    grants,
    flush,
    close: () => flush().catch(notWritten),
  };
};

// Grants: a person lets a program act with part of the rights of a key. They are given on the connect page, listed and revoked.

import type {
  GrantItem,
  ListGrantsOutput,
  PluginKeyOutput,
  RevokeGrantOutput,
} from '../../../tools/grants/schemas/grants.ts';
import type { GrantRecord, GrantStore, TokenStore } from '../../adapters/store/ports/grants.ts';
import type { KeyRecord, KeyStore, KeyWithMakers } from '../../adapters/store/ports/keys.ts';
import type { AuditNote } from '../../core/audit.ts';
import { auditNote, serverNote } from '../../core/audit-note.ts';
import { forbidden, MemoirError, notFound, unauthorized } from '../../core/errors.ts';
import type { Logger } from '../../core/log.ts';
import type { Principal } from '../../core/principal.ts';
import { newId } from '../../lib/ids.ts';
import { isoTime, isoTimeOrNull } from '../../lib/text/dates/format.ts';
import type { KeyCache } from './keys/key-cache.ts';
import { isUsable } from './keys/key-makers.ts';
import { isKey } from './keys/key-text.ts';
import type { KeyUses } from './keys/key-uses.ts';
import { makeKey } from './keys/make-key.ts';
import { asMadeBy, type KeyShare, narrowShare } from './narrow-share.ts';
import { principalOf } from './present.ts';
import type { Limits } from './rate-limits.ts';

export interface GrantRequest extends KeyShare {
  clientId: string;
  clientName: string;
  redirectHost: string;
}

export interface Grants {
  /** 429 after too many requests without a key from this address. */
  admit(address: string): Promise<void>;
  /** The holder of the key; 401 unless it is valid, 429 after too many invalid ones. */
  signIn(key: string, address: string): Promise<Principal>;
  /** The current state of the key, member or machine with this id; null: it may no longer be used. */
  giver(id: string): Promise<Principal | null>;
  give(holder: Principal, request: GrantRequest): Promise<GrantRecord>;
  /** A key of its own for a plugin. */
  giveKey(holder: Principal, share: KeyShare, pluginId: string): Promise<PluginKeyOutput>;
  /** For a caller who manages nothing else, only the grants of the member's keys. Null: the server itself asks. */
  list(caller?: Principal | null): Promise<ListGrantsOutput>;
  revoke(id: string, caller?: Principal | null): Promise<RevokeGrantOutput>;
  /** The store of the authorization server. */
  tokens: TokenStore;
}

export interface GrantsDeps {
  store: GrantStore;
  keys: Pick<KeyStore, 'byId' | 'create'>;
  recognise(credential: string | null, address: string): Promise<KeyWithMakers>;
  giver: Grants['giver'];
  cache: KeyCache;
  limits: Limits;
  uses: Pick<KeyUses, 'pending'>;
  orgId: string;
  now: () => number;
  log: Pick<Logger, 'info'> | undefined;
}

const grantItem = (
  grant: GrantRecord,
  { lastUsedAt, usable }: { lastUsedAt: number | null; usable: boolean },
): GrantItem => ({
  id: grant.id,
  client: { id: grant.clientId, name: grant.clientName, redirectHost: grant.redirectHost },
  keyId: grant.keyId,
  permission: grant.permission,
  containerTags: grant.tags,
  createdAt: isoTime(grant.createdAt),
  expiresAt: isoTime(grant.expiresAt),
  lastUsedAt: isoTimeOrNull(lastUsedAt),
  ...(usable ? {} : { endedWithKey: true }),
});

const notUsable = (cause: MemoirError) =>
  unauthorized(
    'This API key cannot be used: it does not belong to this Memoir, is disabled or has expired. Paste another whole key; it begins with "sm_".',
    { cause },
  );

/** Letting a program in is managing access, and the key of a plugin manages nothing. */
const isOfPlugin = () =>
  forbidden('This is the key of a plugin, which cannot let other programs in. Paste a key of your own.');

/** A member sees what their own keys gave, whoever manages the organisation sees all. */
const isShownTo = (caller: Principal | null, key: KeyWithMakers | null): boolean =>
  caller?.role !== 'member' || (caller.member?.id !== undefined && key?.ownerId === caller.member?.id);

const listLive = async (
  { store, keys, uses, now }: GrantsDeps,
  caller: Principal | null,
): Promise<ListGrantsOutput> => {
  const live = (await store.list()).filter(({ expiresAt }) => expiresAt > now());
  const items = live.map(async (grant) => {
    const key = await keys.byId(grant.keyId);
    const lastUsedAt = uses.pending(grant.id) ?? grant.lastUsedAt;
    const usable = key !== null && isUsable(key, now());
    return isShownTo(caller, key) ? [grantItem(grant, { lastUsedAt, usable })] : [];
  });
  return { grants: (await Promise.all(items)).flat() };
};

const grantNote = (holder: Principal, { id, tags, permission, clientId }: GrantRecord): AuditNote | null =>
  auditNote(holder, {
    target: { kind: 'grant', id },
    details: { permission, program: clientId },
    ...(tags === null ? {} : { tags }),
  });

/** The connect page makes keys as well as grants. */
const pluginKeyNote = (
  holder: Principal,
  { id, tags, permission, pluginId }: KeyRecord,
): AuditNote | null => {
  const subject = {
    target: { kind: 'key', id },
    details: { permission, plugin: pluginId },
    ...(tags === null ? {} : { tags }),
  };
  const note = auditNote(holder, subject);
  return note && { ...note, action: 'key.create' };
};

const checkMayRevoke = async (
  { store, keys }: GrantsDeps,
  id: string,
  caller: Principal | null,
): Promise<void> => {
  const grant = await store.byId(id);
  const key = grant === null ? null : await keys.byId(grant.keyId);
  if (!isShownTo(caller, key)) throw noSuchGrant();
};

const noSuchGrant = () => notFound('There is no grant with this id. List the grants to see which there are.');

/** A cached token must not outlive its grant. */
const withCacheForgetting = (tokens: TokenStore, cache: KeyCache): TokenStore => ({
  ...tokens,
  async dropOfGrant(kind, grantId) {
    await tokens.dropOfGrant(kind, grantId);
    cache.forgetGrant(grantId);
  },
});

export const createGrants = (deps: GrantsDeps): Grants => {
  const { store, keys, cache, limits, orgId, now, log } = deps;
  return {
    admit: limits.anonymous,
    async signIn(key, address) {
      await limits.checkSignIn(address);
      let holder: Principal;
      try {
        if (!isKey(key)) throw unauthorized('This is no API key.');
        holder = principalOf(await deps.recognise(key, address));
      } catch (error) {
        await limits.signInFailed(address);
        throw error instanceof MemoirError && error.status === 401 ? notUsable(error) : error;
      }
      if (holder.isPlugin === true) throw isOfPlugin();
      return holder;
    },
    giver: deps.giver,
    async give(holder, { clientId, clientName, redirectHost, ...share }) {
      const made = narrowShare(holder, share, now());
      const client = { clientId, clientName, redirectHost };
      const times = { createdAt: now(), lastUsedAt: null };
      const grant: GrantRecord = { id: newId(), keyId: holder.keyId, ...client, ...made, ...times };
      await store.create(grant, grantNote(holder, grant));
      log?.info({ grantId: grant.id, keyId: holder.keyId, clientId }, 'A program was granted access.');
      return grant;
    },
    async giveKey(holder, share, pluginId) {
      const { expiresAt, tags, permission } = narrowShare(holder, share, now());
      const request = { permission, pluginId, ...(tags === null ? {} : { tags }) };
      const { key, record: asked } = makeKey({ orgId, now: now(), name: pluginId, request });
      const { record } = asMadeBy(holder, { ...asked, expiresAt, ownerId: holder.member?.id ?? null });
      await keys.create(record, pluginKeyNote(holder, record));
      log?.info({ keyId: record.id, by: holder.keyId, pluginId }, 'A plugin was given a key.');
      return { key };
    },
    list: (caller = null) => listLive(deps, caller),
    async revoke(id, caller = null) {
      await checkMayRevoke(deps, id, caller);
      const subject = { target: { kind: 'grant', id } };
      const note = caller === null ? serverNote('grant.revoke', subject) : auditNote(caller, subject);
      const found = await store.revoke(id, note);
      cache.forgetGrant(id);
      if (!found) throw noSuchGrant();
      log?.info({ grantId: id }, 'A grant was revoked.');
      return { id, revoked: true };
    },
    tokens: withCacheForgetting(store.tokens, cache),
  };
};

// What people let programs do in the place of their key: given on the connect page, listed, and taken back.
import type {
  GrantItem,
  ListGrantsOutput,
  PluginKeyOutput,
  RevokeGrantOutput,
} from '../../../tools/shared/grants.ts';
import type { GrantRecord, GrantStore, TokenStore } from '../../adapters/store/grant-port.ts';
import type { KeyRecord, KeyStore } from '../../adapters/store/key-port.ts';
import { MemoirError, notFound, unauthorized } from '../../errors.ts';
import { newId } from '../../lib/ids.ts';
import type { Logger } from '../../lib/logger.ts';
import type { KeyCache } from './cache.ts';
import type { KeyHolder } from './caller.ts';
import { makeKey } from './create.ts';
import { isKey } from './keys.ts';
import type { Limits } from './limits.ts';
import { narrow, type Share } from './narrow.ts';
import { holderOf } from './present.ts';
import type { KeyUses } from './uses.ts';

export interface GrantRequest extends Share {
  clientId: string;
  clientName: string;
  redirectHost: string;
}

export interface Grants {
  /** 429 when too much that needs no key came from this address. */
  admit(address: string): Promise<void>;
  /** Whose key this is; 401 unless it is valid, 429 after too many that were not. */
  signIn(key: string, address: string): Promise<KeyHolder>;
  /** The key as it is now; null: it may not be used any more. */
  giver(keyId: string): Promise<KeyHolder | null>;
  give(holder: KeyHolder, request: GrantRequest): Promise<GrantRecord>;
  /** A key of its own for a plugin. */
  giveKey(holder: KeyHolder, share: Share, pluginId: string): Promise<PluginKeyOutput>;
  list(): Promise<ListGrantsOutput>;
  revoke(id: string): Promise<RevokeGrantOutput>;
  /** What the authorization server remembers. */
  tokens: TokenStore;
}

export interface GrantsDeps {
  store: GrantStore;
  keys: Pick<KeyStore, 'byId' | 'create'>;
  recognise(credential: string | null, address: string): Promise<KeyRecord>;
  cache: KeyCache;
  limits: Limits;
  uses: Pick<KeyUses, 'pending'>;
  orgId: string;
  now: () => number;
  log: Pick<Logger, 'info'> | undefined;
}

const iso = (time: number): string => new Date(time).toISOString();

const grantItem = (grant: GrantRecord, lastUsedAt: number | null): GrantItem => ({
  id: grant.id,
  client: { id: grant.clientId, name: grant.clientName, redirectHost: grant.redirectHost },
  keyId: grant.keyId,
  permission: grant.permission,
  containerTags: grant.tags,
  createdAt: iso(grant.createdAt),
  expiresAt: iso(grant.expiresAt),
  lastUsedAt: lastUsedAt === null ? null : iso(lastUsedAt),
});

const notUsable = (cause: MemoirError) =>
  unauthorized(
    'This API key cannot be used: it is not one of this Memoir, is disabled or has expired. Paste the whole of another; it begins with "sm_".',
    { cause },
  );

const isUsable = (key: KeyRecord, now: number): boolean =>
  key.enabled && (key.expiresAt === null || key.expiresAt > now);

/** What was remembered about a grant just now must not outlive it. */
const forgetting = (tokens: TokenStore, cache: KeyCache): TokenStore => ({
  ...tokens,
  async dropOfGrant(kind, grantId) {
    await tokens.dropOfGrant(kind, grantId);
    cache.forgetGrant(grantId);
  },
});

export function createGrants(deps: GrantsDeps): Grants {
  const { store, keys, cache, limits, uses, orgId, now, log } = deps;
  return {
    admit: limits.anonymous,
    async signIn(key, address) {
      await limits.checkSignIn(address);
      try {
        if (!isKey(key)) throw unauthorized('This is no API key.');
        return holderOf(await deps.recognise(key, address));
      } catch (error) {
        await limits.signInFailed(address);
        throw error instanceof MemoirError && error.status === 401 ? notUsable(error) : error;
      }
    },
    async giver(keyId) {
      const key = await keys.byId(keyId);
      return key !== null && isUsable(key, now()) ? holderOf(key) : null;
    },
    async give(holder, { clientId, clientName, redirectHost, ...share }) {
      const made = narrow(holder, share, now());
      const client = { clientId, clientName, redirectHost };
      const times = { createdAt: now(), lastUsedAt: null };
      const grant: GrantRecord = { id: newId(), keyId: holder.keyId, ...client, ...made, ...times };
      await store.create(grant);
      log?.info({ grantId: grant.id, keyId: holder.keyId, clientId }, 'A program was granted access.');
      return grant;
    },
    async giveKey(holder, share, pluginId) {
      const { expiresAt, tags, permission } = narrow(holder, share, now());
      const request = { permission, pluginId, ...(tags === null ? {} : { tags }) };
      const limit =
        holder.rateLimit === null
          ? {}
          : { rateLimitMax: holder.rateLimit.max, rateLimitTimeWindow: holder.rateLimit.windowMs };
      const { key, record } = makeKey({
        orgId,
        now: now(),
        name: pluginId,
        request: { ...request, ...limit },
      });
      await keys.create({ ...record, expiresAt });
      log?.info({ keyId: record.id, by: holder.keyId, pluginId }, 'A plugin was given a key.');
      return { key };
    },
    async list() {
      const live = (await store.list()).filter(({ expiresAt }) => expiresAt > now());
      return { grants: live.map((grant) => grantItem(grant, uses.pending(grant.id) ?? grant.lastUsedAt)) };
    },
    async revoke(id) {
      const found = await store.revoke(id);
      cache.forgetGrant(id);
      if (!found) throw notFound('There is no grant with this id. List the grants to see which there are.');
      log?.info({ grantId: id }, 'A grant was revoked.');
      return { id, revoked: true };
    },
    tokens: forgetting(store.tokens, cache),
  };
}

// Keys, and what each may do: recognises callers, limits them, and mints the scope of every call.
import type {
  AgentKeyOutput,
  DisableKeyOutput,
  ListKeysOutput,
  ScopedKeyOutput,
  SessionOutput,
  ToggleKeyOutput,
} from '../../../tools/shared/keys.ts';
import type { KeyRecord } from '../../adapters/store/key-port.ts';
import type { AccessStore } from '../../adapters/store/port.ts';
import type { TokenCount, UsageStore } from '../../adapters/store/usage-port.ts';
import { badRequest, notFound } from '../../errors.ts';
import type { Logger } from '../../lib/logger.ts';
import { createAuthenticate } from './authenticate.ts';
import { createKeyCache } from './cache.ts';
import type { Caller, KeyHolder } from './caller.ts';
import { type KeyRequest, makeKey, type NewKey } from './create.ts';
import { ensureFirstKey, type FirstKeyRequest } from './first-key.ts';
import { createGrants, type Grants } from './grants.ts';
import { hashKey } from './keys.ts';
import { createLimits } from './limits.ts';
import { agentKeyCreated, holderOf, keyItem, NO_USAGE, scopedKeyCreated, sessionOf } from './present.ts';
import { type Ask, enter } from './scope.ts';
import { createTokens } from './tokens.ts';
import { createKeyUses } from './uses.ts';

export interface Access {
  /** 401 unless the credential is a key that is valid now. */
  authenticate(credential: string | null, address: string): Promise<KeyHolder>;
  /** 429 when the key has used up its requests. */
  admit(holder: KeyHolder): Promise<void>;
  /** 403 unless the holder may do what is asked. */
  enter(holder: KeyHolder, ask: Ask): Caller;
  createScopedKey(request: KeyRequest): Promise<ScopedKeyOutput>;
  createAgentKey(request: KeyRequest): Promise<AgentKeyOutput>;
  listKeys(): Promise<ListKeysOutput>;
  disableKey(id: string): Promise<DisableKeyOutput>;
  toggleKey(id: string): Promise<ToggleKeyOutput>;
  session(caller: Caller): Promise<SessionOutput>;
  /** What programs were granted on the connect page. */
  readonly grants: Grants;
  /** The text of the first key if this call made it, else null. */
  ensureFirstKey(request: FirstKeyRequest): Promise<string | null>;
  /** Writes when keys were last used. */
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
  /** Whether a token made for this address is meant for this server. */
  isOwnResource?(resource: string): boolean;
}

const scopedName = (tags: readonly string[]): string =>
  tags.length > 1 ? `scoped_${tags[0]}_and_${tags.length - 1}_more` : `scoped_${tags[0]}`;

const sumOf = (counts: readonly TokenCount[]): TokenCount =>
  counts.reduce(
    (sum, { inputTokens, outputTokens }) => ({
      inputTokens: sum.inputTokens + inputTokens,
      outputTokens: sum.outputTokens + outputTokens,
    }),
    NO_USAGE,
  );

const noSuchKey = () => notFound('There is no key with this id. List the keys to see which there are.');

/** The owner of the data folder, who can read everything in it anyway. */
const OWNER: KeyHolder = {
  keyId: 'local',
  keyName: 'This machine',
  permission: 'write',
  tags: null,
  expiresAt: null,
  rateLimit: null,
};

const anyResource = (): boolean => true;

export function createAccess(deps: AccessDeps): Access {
  const { orgId, now, log, localToken, isOwnResource = anyResource } = deps;
  const { keys, usage, grants: grantStore } = deps.store;
  const limits = createLimits();
  const cache = createKeyCache(now);
  const recognise = createAuthenticate({
    ...{ keys, cache, limits, now },
    tokenByHash: createTokens({ grants: grantStore, keys, isOwnResource }),
  });
  const localHash = localToken === undefined ? null : hashKey(localToken);
  // Worth a line, and no reason to fail a call or to hold up a stop.
  const notWritten = (err: unknown) => log?.warn({ err }, 'When keys were last used could not be written.');
  const uses = createKeyUses({ keys, now, onError: notWritten });
  const grantUses = createKeyUses({ keys: grantStore, now, onError: notWritten });
  const flush = async () => {
    await Promise.all([uses.flush(), grantUses.flush()]);
  };
  const grants = createGrants({
    ...{ store: grantStore, keys, recognise, cache, limits, uses: grantUses, orgId, now, log },
  });

  async function create(request: KeyRequest, name: string): Promise<NewKey> {
    const made = makeKey({ orgId, now: now(), request, name });
    await keys.create(made.record);
    const { id, permission, tags } = made.record;
    log?.info({ keyId: id, permission, scoped: tags !== null }, 'A key was created.');
    return made;
  }

  async function setEnabled(record: KeyRecord, enabled: boolean): Promise<void> {
    const found = await keys.setEnabled(record.id, enabled);
    cache.forget(record.id);
    if (!found) throw noSuchKey();
    log?.info({ keyId: record.id, enabled }, enabled ? 'A key was enabled.' : 'A key was disabled.');
  }

  async function byId(id: string): Promise<KeyRecord> {
    const record = await keys.byId(id);
    if (record === null) throw noSuchKey();
    return record;
  }

  return {
    async authenticate(credential, address) {
      // Hashes are compared, so that the time it takes tells nothing about the token.
      if (localHash !== null && credential !== null && hashKey(credential) === localHash) return OWNER;
      const record = await recognise(credential, address);
      uses.note(record.id);
      if (record.grantId !== undefined) grantUses.note(record.grantId);
      return holderOf(record);
    },
    admit: limits.request,
    enter,
    async createScopedKey(request) {
      const tags = request.tags ?? [];
      if (tags.length === 0) {
        throw badRequest(
          'Invalid request: containerTag: name at least one container tag that the key is bound to',
        );
      }
      const { record, key } = await create(request, request.name ?? scopedName(tags));
      return scopedKeyCreated(record, key);
    },
    async createAgentKey(request) {
      const { record, key } = await create(request, request.name ?? 'agent');
      return agentKeyCreated(record, key);
    },
    async listKeys() {
      const [records, spent] = await Promise.all([keys.list(), usage.ofKeys()]);
      const item = (key: KeyRecord) =>
        keyItem(key, orgId, uses.pending(key.id) ?? key.lastUsedAt, spent.get(key.id));
      return { keys: records.map(item), usage: sumOf([...spent.values()]) };
    },
    async disableKey(id) {
      await setEnabled(await byId(id), false);
      return { success: true, id };
    },
    async toggleKey(id) {
      const record = await byId(id);
      await setEnabled(record, !record.enabled);
      return { id, enabled: !record.enabled };
    },
    session: async (caller) => sessionOf(caller, orgId),
    ensureFirstKey: (request) => ensureFirstKey({ keys, orgId, now }, request),
    grants,
    flush,
    close: () => flush().catch(notWritten),
  };
}

// The operations on keys: creating, listing, disabling.
import type {
  AgentKeyOutput,
  DisableKeyOutput,
  ListKeysOutput,
  RotateKeyInput,
  RotateKeyOutput,
  ScopedKeyOutput,
  ToggleKeyOutput,
  UpdateKeyInput,
  UpdateKeyOutput,
} from '../../../tools/keys/schemas/keys.ts';
import type { GrantStore } from '../../adapters/store/ports/grants.ts';
import type { KeyRecord, KeyStore, KeyWithMakers } from '../../adapters/store/ports/keys.ts';
import type { MailStore } from '../../adapters/store/ports/team/mails.ts';
import type { TeamStore } from '../../adapters/store/ports/team/team.ts';
import type { TokenCount, UsageStore } from '../../adapters/store/ports/usage/usage.ts';
import type { AuditDetails, AuditSubject } from '../../core/audit.ts';
import { auditNote, quotaNames } from '../../core/audit-note.ts';
import { badRequest, conflict, forbidden, notFound } from '../../core/errors.ts';
import type { Logger } from '../../core/log.ts';
import { OWNER_ID, type Principal } from '../../core/principal.ts';
import { defined } from '../../lib/defined.ts';
import { changedKey, checkChangesOther, type KeyTarget, rotatedKey } from './change-key.ts';
import type { KeyCache } from './keys/key-cache.ts';
import { makersStand, ownerStands, withMakers } from './keys/key-makers.ts';
import type { KeyUses } from './keys/key-uses.ts';
import { type KeyRequest, makeKey } from './keys/make-key.ts';
import { isAbove, roleBehind } from './members/member-rights.ts';
import { asMadeBy } from './narrow-share.ts';
import {
  agentKeyCreated,
  keyChanged,
  keyItem,
  keyRotated,
  type MadeKey,
  NO_USAGE,
  noteField,
  scopedKeyCreated,
} from './present.ts';

export interface KeyManagement {
  /** The key never exceeds its maker and ends with it; null: nobody's. */
  createScopedKey(request: KeyRequest, maker?: Principal | null): Promise<ScopedKeyOutput>;
  createAgentKey(request: KeyRequest, maker?: Principal | null): Promise<AgentKeyOutput>;
  /** For a caller who manages nothing else, only the keys of the member. Null: the server itself asks. */
  listKeys(caller?: Principal | null): Promise<ListKeysOutput>;
  disableKey(id: string, caller?: Principal | null): Promise<DisableKeyOutput>;
  toggleKey(id: string, caller?: Principal | null): Promise<ToggleKeyOutput>;
  /** 404 or 403 unless the caller may change the key. */
  checkMayChange(id: string, caller: Principal): Promise<void>;
  updateKey(change: UpdateKeyInput, caller: Principal): Promise<UpdateKeyOutput>;
  rotateKey(rotation: RotateKeyInput, caller: Principal): Promise<RotateKeyOutput>;
}

interface KeyContext {
  keys: KeyStore;
  grants: Pick<GrantStore, 'list'>;
  members: Pick<TeamStore['members'], 'list'>;
  usage: Pick<UsageStore, 'ofKeys'>;
  mails: Pick<MailStore, 'noticed'>;
  cache: Pick<KeyCache, 'forget'>;
  uses: Pick<KeyUses, 'pending'>;
  orgId: string;
  now: () => number;
  log: Pick<Logger, 'info'> | undefined;
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

/** The note of a change of a key in the audit log. */
const keySubject = ({ id, tags }: Pick<KeyRecord, 'id' | 'tags'>, details: AuditDetails): AuditSubject => ({
  target: { kind: 'key', id },
  details,
  ...(tags === null ? {} : { tags }),
});
/** The member whose key is made; null: the organisation gets it. */
const ownerOf = ({ kind }: KeyRequest, maker: Principal | null): string | null => {
  const memberId = maker?.member?.id ?? null;
  if (kind === 'personal' && memberId === null)
    throw badRequest(
      'Invalid request: kind: a key of the organisation makes no personal keys. Sign in as a member, or leave the field out.',
    );
  if (kind !== 'service') return memberId;
  if (maker !== null && maker.role === 'member')
    throw forbidden('Only owners and admins make service keys. Leave kind out to make a personal key.');
  return null;
};

/** A key that a member makes for the organisation outlives the member, and so the key or the session that made it. */
const makerOf = (maker: Principal | null, ownerId: string | null): Principal | null =>
  maker?.member?.id === undefined || ownerId !== null
    ? maker
    : { ...maker, keyId: OWNER_ID, expiresAt: null, rateLimit: null };

const storeNewKey = async (
  { keys, orgId, now, log }: KeyContext,
  request: KeyRequest,
  { name, maker }: { name: string; maker: Principal | null },
): Promise<MadeKey> => {
  const asked = makeKey({ orgId, now: now(), request, name });
  const ownerId = ownerOf(request, maker);
  const { record, note } = asMadeBy(makerOf(maker, ownerId), { ...asked.record, ownerId });
  const { id, permission, tags } = record;
  await keys.create(record, auditNote(maker, keySubject(record, { permission })));
  log?.info({ keyId: id, by: maker?.keyId, permission, scoped: tags !== null }, 'A key was created.');
  return { record, key: asked.key, note };
};

const counted = (count: number, one: string): string[] =>
  count === 0 ? [] : [`${count} ${count === 1 ? one : `${one}s`}`];

/** Everything that ends with this key: the keys that it made, directly or not, and the grants that it or they gave. */
const endedWith = async ({ keys, grants }: KeyContext, id: string): Promise<string | null> => {
  const made = withMakers(await keys.list()).filter(({ makers }) => makers.some((maker) => maker.id === id));
  const all = new Set([id, ...made.map((key) => key.id)]);
  const given = (await grants.list()).filter(({ keyId }) => all.has(keyId));
  const parts = [...counted(made.length, 'key'), ...counted(given.length, 'grant')];
  return parts.length === 0 ? null : `What it made ended with it: ${parts.join(' and ')}.`;
};

const STILL_ENDED =
  'Calls with it still get 401, because the key that made it is disabled or has expired. Enable that one too.';
const OWNER_GONE = 'Calls with it still get 401, because its member was removed. Create a new key instead.';

/** A sentence about the consequences; null: there are none. */
const setEnabled = async (
  context: KeyContext,
  key: KeyWithMakers,
  { enabled, caller }: { enabled: boolean; caller: Principal | null },
): Promise<string | null> => {
  const { keys, cache, now, log } = context;
  const found = await keys.setEnabled(key.id, enabled, auditNote(caller, keySubject(key, { enabled })));
  cache.forget(key.id);
  if (!found) throw noSuchKey();
  log?.info({ keyId: key.id, enabled }, enabled ? 'A key was enabled.' : 'A key was disabled.');
  if (!enabled) return endedWith(context, key.id);
  if (!ownerStands(key)) return OWNER_GONE;
  return makersStand(key, now()) ? null : STILL_ENDED;
};

/** A member sees no keys but their own, and an admin changes none of an owner. */
const keyById = async (
  { keys }: KeyContext,
  id: string,
  caller: Principal | null,
): Promise<KeyWithMakers> => {
  const record = await keys.byId(id);
  if (record === null) throw noSuchKey();
  if (caller === null || (caller.member?.id !== undefined && record.ownerId === caller.member?.id))
    return record;
  if (caller.role === 'member') throw noSuchKey();
  if (isAbove(roleBehind(record, record.owner), caller.role))
    throw forbidden('This key has the rights of an owner, and only an owner may change it. Ask an owner.');
  return record;
};

const targetOf = async (context: KeyContext, id: string, caller: Principal): Promise<KeyTarget> => {
  const key = await keyById(context, id, caller);
  const callerKey = caller.keyId === OWNER_ID ? null : await context.keys.byId(caller.keyId);
  return { ...{ caller, callerKey, key }, now: context.now() };
};

const updateKey = async (
  context: KeyContext,
  change: UpdateKeyInput,
  caller: Principal,
): Promise<UpdateKeyOutput> => {
  const { keys, cache, log } = context;
  const target = await targetOf(context, change.id, caller);
  const made = (await keys.list()).filter(({ madeBy }) => madeBy === change.id);
  const { record, note: said } = changedKey(target, change, made.length);
  const { id: _, ...changed } = change;
  const quotas = defined(change.quotas ?? {});
  const details = { fields: Object.keys(defined(changed)), ...quotaNames(quotas) };
  const note = auditNote(caller, keySubject(record, details));
  const found = await keys.change(record.id, { ...record, quotas }, note);
  cache.forget(record.id);
  if (!found) throw noSuchKey();
  log?.info({ keyId: record.id, by: caller.keyId }, 'A key was changed.');
  return keyChanged(record, said);
};

const rotateKey = async (
  context: KeyContext,
  rotation: RotateKeyInput,
  caller: Principal,
): Promise<RotateKeyOutput> => {
  const { keys, cache, log, orgId } = context;
  const {
    replacement,
    text,
    note: said,
  } = rotatedKey(await targetOf(context, rotation.id, caller), rotation, orgId);
  const { former, key } = replacement;
  const note = auditNote(caller, keySubject(key, { replaces: former }));
  const replaced = await keys.replace(replacement, note);
  cache.forget(former);
  if (!replaced) throw conflict('This key was disabled meanwhile. Enable it first, or create a new key.');
  log?.info({ keyId: key.id, replaces: former, by: caller.keyId }, 'A key was rotated.');
  return keyRotated(replacement, text, said);
};

export const createKeyManagement = (context: KeyContext): KeyManagement => ({
  async createScopedKey(request, maker = null) {
    const tags = request.tags ?? [];
    if (tags.length === 0) {
      throw badRequest(
        'Invalid request: containerTag: name at least one container tag that the key is bound to',
      );
    }
    return scopedKeyCreated(
      await storeNewKey(context, request, { name: request.name ?? scopedName(tags), maker }),
    );
  },
  async createAgentKey(request, maker = null) {
    return agentKeyCreated(await storeNewKey(context, request, { name: request.name ?? 'agent', maker }));
  },
  async listKeys(caller = null) {
    const { keys, usage, uses, members, mails, orgId, now } = context;
    const [records, spent, people, noticed] = await Promise.all([
      ...([keys.list(), usage.ofKeys()] as const),
      ...([members.list(), mails.noticed()] as const),
    ]);
    const shown = withMakers(records, people).filter(
      ({ ownerId }) => caller === null || caller.role !== 'member' || ownerId === caller.member?.id,
    );
    const at = now();
    const item = (key: KeyWithMakers) =>
      keyItem(key, {
        ...{ orgId, now: at, usage: spent.get(key.id) },
        lastUsedAt: uses.pending(key.id) ?? key.lastUsedAt,
        notifiedAt: noticed.get(key.id) ?? null,
      });
    const counts =
      caller?.role === 'member' ? shown.flatMap(({ id }) => spent.get(id) ?? []) : [...spent.values()];
    return { keys: shown.map(item), usage: sumOf(counts) };
  },
  async disableKey(id, caller = null) {
    const note = await setEnabled(context, await keyById(context, id, caller), { enabled: false, caller });
    return { success: true, id, ...noteField(note) };
  },
  async toggleKey(id, caller = null) {
    const record = await keyById(context, id, caller);
    const note = await setEnabled(context, record, { enabled: !record.enabled, caller });
    return { id, enabled: !record.enabled, ...noteField(note) };
  },
  checkMayChange: async (id, caller) => checkChangesOther(await targetOf(context, id, caller)),
  updateKey: (change, caller) => updateKey(context, change, caller),
  rotateKey: (rotation, caller) => rotateKey(context, rotation, caller),
});

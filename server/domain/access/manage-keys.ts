// The operations on keys: creating, listing, disabling.
import type {
  AgentKeyOutput,
  DisableKeyOutput,
  ListKeysOutput,
  ScopedKeyOutput,
  ToggleKeyOutput,
} from '../../../tools/keys/schemas/keys.ts';
import type { KeyRecord, KeyStore } from '../../adapters/store/ports/keys.ts';
import type { TokenCount, UsageStore } from '../../adapters/store/ports/usage.ts';
import { badRequest, notFound } from '../../core/errors.ts';
import type { Logger } from '../../core/log.ts';
import type { KeyCache } from './key-cache.ts';
import type { KeyUses } from './key-uses.ts';
import { type KeyRequest, makeKey, type NewKey } from './make-key.ts';
import { agentKeyCreated, keyItem, NO_USAGE, scopedKeyCreated } from './present.ts';

export interface KeyManagement {
  createScopedKey(request: KeyRequest): Promise<ScopedKeyOutput>;
  createAgentKey(request: KeyRequest): Promise<AgentKeyOutput>;
  listKeys(): Promise<ListKeysOutput>;
  disableKey(id: string): Promise<DisableKeyOutput>;
  toggleKey(id: string): Promise<ToggleKeyOutput>;
}

interface KeyContext {
  keys: KeyStore;
  usage: Pick<UsageStore, 'ofKeys'>;
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

const storeNewKey = async (
  { keys, orgId, now, log }: KeyContext,
  request: KeyRequest,
  name: string,
): Promise<NewKey> => {
  const made = makeKey({ orgId, now: now(), request, name });
  await keys.create(made.record);
  const { id, permission, tags } = made.record;
  log?.info({ keyId: id, permission, scoped: tags !== null }, 'A key was created.');
  return made;
};

const setEnabled = async (
  { keys, cache, log }: KeyContext,
  record: KeyRecord,
  enabled: boolean,
): Promise<void> => {
  const found = await keys.setEnabled(record.id, enabled);
  cache.forget(record.id);
  if (!found) throw noSuchKey();
  log?.info({ keyId: record.id, enabled }, enabled ? 'A key was enabled.' : 'A key was disabled.');
};

const keyById = async ({ keys }: KeyContext, id: string): Promise<KeyRecord> => {
  const record = await keys.byId(id);
  if (record === null) throw noSuchKey();
  return record;
};

export const createKeyManagement = (context: KeyContext): KeyManagement => ({
  async createScopedKey(request) {
    const tags = request.tags ?? [];
    if (tags.length === 0) {
      throw badRequest(
        'Invalid request: containerTag: name at least one container tag that the key is bound to',
      );
    }
    const { record, key } = await storeNewKey(context, request, request.name ?? scopedName(tags));
    return scopedKeyCreated(record, key);
  },
  async createAgentKey(request) {
    const { record, key } = await storeNewKey(context, request, request.name ?? 'agent');
    return agentKeyCreated(record, key);
  },
  async listKeys() {
    const { keys, usage, uses, orgId } = context;
    const [records, spent] = await Promise.all([keys.list(), usage.ofKeys()]);
    const item = (key: KeyRecord) =>
      keyItem(key, orgId, uses.pending(key.id) ?? key.lastUsedAt, spent.get(key.id));
    return { keys: records.map(item), usage: sumOf([...spent.values()]) };
  },
  async disableKey(id) {
    await setEnabled(context, await keyById(context, id), false);
    return { success: true, id };
  },
  async toggleKey(id) {
    const record = await keyById(context, id);
    await setEnabled(context, record, !record.enabled);
    return { id, enabled: !record.enabled };
  },
});

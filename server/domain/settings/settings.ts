// The organisation's settings: read with their secrets masked, changed within their limits, reset as a whole.
import type {
  ResetOutput,
  SettingsInput,
  SettingsOutput,
  SettingsUpdated,
  SuggestedBuckets,
} from '../../../tools/shared/settings.ts';
import type { SettingsStore } from '../../adapters/store/settings-port.ts';
import type { ProfileBucket, TagStore } from '../../adapters/store/tag-port.ts';
import { badRequest, MemoirError } from '../../errors.ts';
import type { Caller } from '../access/caller.ts';
import { BUILTIN_BUCKETS, OF_THE_FILTER, SECRETS, type SecretName, type StoredSettings } from './fields.ts';
import { categoriesIn, type OrganisationGuidance, readGuidance } from './guidance.ts';
import { isMask, mask, seal, unseal } from './seal.ts';
import { suggestBuckets } from './suggest.ts';

export interface Settings {
  get(): Promise<SettingsOutput>;
  update(input: SettingsInput): Promise<SettingsUpdated>;
  reset(confirmation: string): Promise<ResetOutput>;
  suggestBuckets(): Promise<SuggestedBuckets>;
  /** Without wishes unless the filter is on. */
  guidance(): Promise<OrganisationGuidance>;
  /** The organisation's, which win where keys collide, and what the tag adds. */
  buckets(caller: Caller, tag: string): Promise<ProfileBucket[]>;
  /** In clear, for the connector it belongs to; null: never set. */
  secret(name: SecretName): Promise<string | null>;
}

export interface SettingsDeps {
  store: SettingsStore;
  tags: Pick<TagStore, 'get'>;
  orgId: string;
  defaultTag: string;
  secretKey: () => Buffer;
}

const given = (value: unknown): boolean => value !== undefined && value !== null;

const requireFilter = (input: SettingsInput, stored: StoredSettings): void => {
  const on = input.shouldLLMFilter === undefined ? stored.shouldLLMFilter : input.shouldLLMFilter;
  const idle = OF_THE_FILTER.filter((name) => given(input[name]));
  if (on === true || idle.length === 0) return;
  throw badRequest(
    `${idle.join(', ')} would do nothing while shouldLLMFilter is not true. Send shouldLLMFilter: true along.`,
  );
};

const union = (first: readonly ProfileBucket[], then: readonly ProfileBucket[]): ProfileBucket[] => {
  const keys = new Set(first.map(({ key }) => key));
  return [...first, ...then.filter(({ key }) => !keys.has(key))];
};

export const createSettings = ({ store, tags, orgId, defaultTag, secretKey }: SettingsDeps): Settings => {
  const read = async (): Promise<StoredSettings> => store.read();

  const masked = (name: SecretName, sealed: unknown): string | null => {
    if (typeof sealed !== 'string') return null;
    try {
      return mask(unseal(secretKey(), name, sealed));
    } catch (error) {
      // That there is one can be told without the key.
      if (error instanceof MemoirError) return mask('');
      throw error;
    }
  };

  const shown = (stored: StoredSettings): SettingsOutput => ({
    ...stored,
    categories: categoriesIn(stored),
    profileBuckets: stored.profileBuckets ?? [],
    ...Object.fromEntries(SECRETS.map((name) => [name, masked(name, stored[name])])),
  });

  const sealed = (input: SettingsInput): Record<string, unknown> => {
    const changes: Record<string, unknown> = { ...input };
    for (const name of SECRETS) {
      const secret = input[name];
      if (typeof secret !== 'string') continue;
      if (isMask(secret)) delete changes[name];
      else changes[name] = seal(secretKey(), name, secret);
    }
    return changes;
  };

  return {
    get: async () => shown(await read()),

    async update(input) {
      requireFilter(input, await read());
      return { orgId, orgSlug: orgId, updated: shown(await store.write(sealed(input))) };
    },

    async reset(confirmation) {
      if (confirmation !== orgId)
        throw badRequest(
          'confirmation must be the id of the organisation, as GET /v3/session shows it. Nothing was deleted.',
        );
      const counts = await store.reset(defaultTag);
      return {
        success: true,
        deletedConnections: 0,
        deletedDocumentBatches: counts.batches,
        deletedDocumentsApprox: counts.documents,
        deletedMemoryRows: counts.memories,
        deletedExtraSpaces: counts.tags,
        clearedDefaultSpaceContext: counts.clearedDefault,
        clearedBrainMemoryRegistry: false,
        settingsReset: true,
      };
    },

    async suggestBuckets() {
      const { filterPrompt, profileBuckets = [] } = await read();
      if (filterPrompt === undefined)
        throw badRequest(
          'There is no filterPrompt to draw buckets from. Set one with PATCH /v3/settings, and shouldLLMFilter: true.',
        );
      return { suggestions: suggestBuckets(filterPrompt, union(profileBuckets, BUILTIN_BUCKETS)) };
    },

    guidance: () => readGuidance(store),

    async buckets(caller, tag) {
      const [{ profileBuckets = [] }, record] = await Promise.all([read(), tags.get(caller.scope, tag)]);
      return union(union(profileBuckets, BUILTIN_BUCKETS), record?.profileBuckets ?? []);
    },

    async secret(name) {
      const stored = (await read())[name];
      return typeof stored === 'string' ? unseal(secretKey(), name, stored) : null;
    },
  };
};

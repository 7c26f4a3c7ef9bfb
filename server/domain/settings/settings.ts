// The organisation's settings: read with their secrets masked, changed within their limits, reset as a whole.
import type {
  ResetOutput,
  SettingsInput,
  SettingsOutput,
  SettingsUpdated,
  SuggestedBuckets,
} from '../../../tools/settings/schemas/settings.ts';
import type { SettingsStore } from '../../adapters/store/ports/settings.ts';
import type { ProfileBucket, TagStore } from '../../adapters/store/ports/tags.ts';
import { auditNote } from '../../core/audit-note.ts';
import { badRequest, unavailable } from '../../core/errors.ts';
import type { Caller } from '../../core/principal.ts';
import { defined } from '../../lib/defined.ts';
import { type SealKeys, seal, unseal } from '../../lib/secrets/seal.ts';
import { categoriesIn, type OrganisationGuidance, readGuidance } from './guidance.ts';
import { isMask, maskSecret } from './secrets.ts';
import {
  BUILTIN_BUCKETS,
  OF_THE_FILTER,
  SECRETS,
  type SecretName,
  type StoredSettings,
} from './stored-settings.ts';
import { suggestBuckets } from './suggestions.ts';

export interface OrganisationSettings {
  /** Without any secret for a caller that may not change the settings. */
  get(caller: Pick<Caller, 'isPlugin' | 'grantId' | 'tags'>): Promise<SettingsOutput>;
  update(input: SettingsInput, caller?: Caller | null): Promise<SettingsUpdated>;
  reset(confirmation: string, caller?: Caller | null): Promise<ResetOutput>;
  suggestBuckets(): Promise<SuggestedBuckets>;
  /** Without the filter's instructions unless the filter is on. */
  guidance(): Promise<OrganisationGuidance>;
  /** The organisation's buckets and those of the tag; on equal keys the organisation's win. */
  buckets(caller: Caller, tag: string): Promise<ProfileBucket[]>;
  /** The plain secret, for its connector; null: never set. */
  secret(name: SecretName): Promise<string | null>;
}

export interface SettingsDeps {
  store: SettingsStore;
  tags: Pick<TagStore, 'get'>;
  orgId: string;
  defaultTag: string;
  sealKeys: () => SealKeys;
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

const requireFilter = (input: SettingsInput, stored: StoredSettings): void => {
  const on = input.shouldLLMFilter === undefined ? stored.shouldLLMFilter : input.shouldLLMFilter;
  const idle = OF_THE_FILTER.filter((name) => isGiven(input[name]));
  if (on === true || idle.length === 0) return;
  throw badRequest(
    `${idle.join(', ')} would do nothing while shouldLLMFilter is not true. Send shouldLLMFilter: true along.`,
  );
};

const uniteBuckets = (first: readonly ProfileBucket[], then: readonly ProfileBucket[]): ProfileBucket[] => {
  const keys = new Set(first.map(({ key }) => key));
  return [...first, ...then.filter(({ key }) => !keys.has(key))];
};

const readStored = async ({ store }: SettingsDeps): Promise<StoredSettings> => store.read();

/** The existence of a secret can be reported without the key. */
const masked = ({ sealKeys }: SettingsDeps, name: SecretName, sealed: unknown): string | null =>
  typeof sealed === 'string' ? maskSecret(unseal(sealKeys(), name, sealed) ?? '') : null;

const openSecret = ({ sealKeys }: SettingsDeps, name: SecretName, sealed: string): string => {
  const secret = unseal(sealKeys(), name, sealed);
  if (secret !== null) return secret;
  throw unavailable(`The secret ${name} cannot be opened, because its key was lost. Set ${name} again.`);
};

const withoutStoredSecrets = (stored: StoredSettings): StoredSettings => ({
  ...stored,
  ...Object.fromEntries(SECRETS.map((name) => [name, undefined])),
});

const presentSettings = (deps: SettingsDeps, stored: StoredSettings): SettingsOutput => ({
  ...stored,
  categories: categoriesIn(stored),
  profileBuckets: stored.profileBuckets ?? [],
  ...Object.fromEntries(SECRETS.map((name) => [name, masked(deps, name, stored[name])])),
});

const sealSecrets = ({ sealKeys }: SettingsDeps, input: SettingsInput): Record<string, unknown> => {
  const changes: Record<string, unknown> = { ...input };
  for (const name of SECRETS) {
    const secret = input[name];
    if (typeof secret !== 'string') continue;
    if (isMask(secret)) delete changes[name];
    else changes[name] = seal(sealKeys(), name, secret);
  }
  return changes;
};

const resetOrganisation = async (
  { store, orgId, defaultTag }: SettingsDeps,
  confirmation: string,
  caller: Caller | null,
): Promise<ResetOutput> => {
  if (confirmation !== orgId)
    throw badRequest(
      'confirmation must be the id of the organisation, as GET /v3/session shows it. Nothing was deleted.',
    );
  const counts = await store.reset(defaultTag, auditNote(caller));
  return {
    success: true,
    deletedConnections: counts.connections,
    deletedDocumentBatches: counts.batches,
    deletedDocumentsApprox: counts.documents,
    deletedMemoryRows: counts.memories,
    deletedExtraSpaces: counts.tags,
    clearedDefaultSpaceContext: counts.clearedDefault,
    clearedBrainMemoryRegistry: false,
    settingsReset: true,
  };
};

const suggestNewBuckets = ({ filterPrompt, profileBuckets = [] }: StoredSettings): SuggestedBuckets => {
  if (filterPrompt === undefined)
    throw badRequest(
      'There is no filterPrompt to draw buckets from. Set one with PATCH /v3/settings, and shouldLLMFilter: true.',
    );
  return { suggestions: suggestBuckets(filterPrompt, uniteBuckets(profileBuckets, BUILTIN_BUCKETS)) };
};

export const createSettings = (deps: SettingsDeps): OrganisationSettings => {
  const { store, tags, orgId } = deps;
  return {
    async get({ isPlugin, grantId, tags }) {
      const stored = await readStored(deps);
      const mayChange = isPlugin !== true && grantId === undefined && tags === null;
      return presentSettings(deps, mayChange ? stored : withoutStoredSecrets(stored));
    },

    async update(input, caller = null) {
      requireFilter(input, await readStored(deps));
      const changes = sealSecrets(deps, input);
      const note = auditNote(caller, { details: { fields: Object.keys(defined(changes)) } });
      const stored = await store.write(changes, note);
      return { orgId, orgSlug: orgId, updated: presentSettings(deps, stored) };
    },

    reset: (confirmation, caller = null) => resetOrganisation(deps, confirmation, caller),

    suggestBuckets: async () => suggestNewBuckets(await readStored(deps)),

    guidance: () => readGuidance(store),

    async buckets(caller, tag) {
      const [{ profileBuckets = [] }, record] = await Promise.all([
        readStored(deps),
        tags.get(caller.scope, tag),
      ]);
      return uniteBuckets(uniteBuckets(profileBuckets, BUILTIN_BUCKETS), record?.profileBuckets ?? []);
    },

    async secret(name) {
      const stored = (await readStored(deps))[name];
      return typeof stored === 'string' ? openSecret(deps, name, stored) : null;
    },
  };
};

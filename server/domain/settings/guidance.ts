// What the organisation says about what is to be remembered: in force only while the filter is on.
import type { SettingsStore } from '../../adapters/store/settings-port.ts';
import type { Items, StoredSettings } from './fields.ts';

export interface OrganisationGuidance {
  filterPrompt: string | null;
  includeItems: string[];
  excludeItems: string[];
}

/** Lists of a connector's folders and patterns say nothing about statements. */
const texts = (items: Items | undefined): string[] => (Array.isArray(items) ? items : []);

export const readGuidance = async (store: Pick<SettingsStore, 'read'>): Promise<OrganisationGuidance> => {
  const stored: StoredSettings = await store.read();
  if (stored.shouldLLMFilter !== true) return { filterPrompt: null, includeItems: [], excludeItems: [] };
  return {
    filterPrompt: stored.filterPrompt ?? null,
    includeItems: texts(stored.includeItems),
    excludeItems: texts(stored.excludeItems),
  };
};

// What the organisation says about what is to be remembered: what the workspace is about, and its wishes, which are in
// force only while the filter is on.
import type { SettingsStore } from '../../adapters/store/settings-port.ts';
import type { Items, StoredSettings } from './fields.ts';
import { suggestCategories } from './suggest.ts';

export interface OrganisationGuidance {
  workspacePrompt: string | null;
  filterPrompt: string | null;
  includeItems: string[];
  excludeItems: string[];
  categories: string[];
}

/** Lists of a connector's folders and patterns say nothing about statements. */
const texts = (items: Items | undefined): string[] => (Array.isArray(items) ? items : []);

/** Those that were named; where none were, what the prompt names. Null: the filter is off, or says nothing. */
export const categoriesIn = (stored: StoredSettings): string[] | null => {
  if (stored.categories !== undefined) return stored.categories;
  const { shouldLLMFilter, filterPrompt } = stored;
  return shouldLLMFilter === true && filterPrompt !== undefined ? suggestCategories(filterPrompt) : null;
};

const SILENT: Omit<OrganisationGuidance, 'workspacePrompt'> = {
  filterPrompt: null,
  includeItems: [],
  excludeItems: [],
  categories: [],
};

export const readGuidance = async (store: Pick<SettingsStore, 'read'>): Promise<OrganisationGuidance> => {
  const stored: StoredSettings = await store.read();
  const workspacePrompt = stored.workspacePrompt ?? null;
  if (stored.shouldLLMFilter !== true) return { ...SILENT, workspacePrompt };
  return {
    workspacePrompt,
    filterPrompt: stored.filterPrompt ?? null,
    includeItems: texts(stored.includeItems),
    excludeItems: texts(stored.excludeItems),
    categories: categoriesIn(stored) ?? [],
  };
};

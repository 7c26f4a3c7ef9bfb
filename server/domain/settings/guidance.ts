// The organisation's guidance for remembering: the topic of the workspace, and the filter's instructions, which are in
// force only while the filter is on.
import type { SettingsStore } from '../../adapters/store/ports/settings.ts';
import type { Items, StoredSettings } from './stored-settings.ts';
import { suggestCategories } from './suggestions.ts';

export interface OrganisationGuidance {
  workspacePrompt: string | null;
  filterPrompt: string | null;
  includeItems: string[];
  excludeItems: string[];
  categories: string[];
}

/** Lists of a connector's folders and patterns are not about statements. */
const texts = (items: Items | undefined): string[] => (Array.isArray(items) ? items : []);

/** The configured ones, else those that the prompt names. Null: the filter is off or empty. */
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

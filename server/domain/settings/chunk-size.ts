// The passage length that the organisation has set.
import type { SettingsStore } from '../../adapters/store/ports/settings.ts';
import type { StoredSettings } from './stored-settings.ts';

/** In characters; null: not set. */
export const readChunkSize = async (store: Pick<SettingsStore, 'read'>): Promise<number | null> => {
  const { chunkSize }: StoredSettings = await store.read();
  return chunkSize ?? null;
};

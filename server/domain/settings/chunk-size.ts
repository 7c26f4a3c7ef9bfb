// How long the organisation wants passages to be.
import type { SettingsStore } from '../../adapters/store/settings-port.ts';
import type { StoredSettings } from './fields.ts';

/** In characters; null: it did not say. */
export const readChunkSize = async (store: Pick<SettingsStore, 'read'>): Promise<number | null> => {
  const { chunkSize }: StoredSettings = await store.read();
  return chunkSize ?? null;
};

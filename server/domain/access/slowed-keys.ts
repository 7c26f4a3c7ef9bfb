// Marks the keys whose files are read behind those of others in the list of keys.
import type { KeyManagement } from './manage-keys.ts';

export const markSlowedKeys = (
  { listKeys }: Pick<KeyManagement, 'listKeys'>,
  slowedKeys: () => Promise<readonly string[]>,
): Pick<KeyManagement, 'listKeys'> => ({
  async listKeys(caller) {
    const [listed, slowed] = await Promise.all([listKeys(caller), slowedKeys()]);
    return {
      ...listed,
      keys: listed.keys.map((key) => (slowed.includes(key.id) ? { ...key, slowed: true } : key)),
    };
  },
});

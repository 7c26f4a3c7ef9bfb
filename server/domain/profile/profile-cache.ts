// The cache of profiles. An entry is valid until its tag is written to or one of its memories expires.
import { LRUCache } from 'lru-cache';

export interface CachedProfile<Value> {
  value: Value;
  /** In characters. */
  size: number;
  /** The time at which the entry expires. */
  until: number;
}

export interface ProfileCache<Value> {
  /** `version` is the tag's version from before anything was read for the value. */
  get(key: string, version: string, make: () => Promise<CachedProfile<Value>>): Promise<Value>;
  /** Replaces the profile of the same version; does nothing if the tag has another version by now. */
  replace(key: string, version: string, better: CachedProfile<Value>): void;
}

/** About 16 MB: a profile has some ten thousand characters. */
const MOST_CHARACTERS = 8_000_000;

export interface ProfileCacheOptions {
  now: () => number;
  mostCharacters?: number;
}

/** The least recently used profiles are dropped first. */
export const createProfileCache = <Value>({
  now,
  mostCharacters = MOST_CHARACTERS,
}: ProfileCacheOptions): ProfileCache<Value> => {
  const cache = new LRUCache<string, CachedProfile<Value> & { version: string }>({ maxSize: mostCharacters });

  const keep = (key: string, version: string, made: CachedProfile<Value>): void => {
    // The cache refuses an entry without a size.
    cache.set(key, { ...made, version }, { size: Math.max(1, made.size) });
  };

  return {
    async get(key, version, make) {
      const known = cache.peek(key);
      if (known && known.version === version && known.until > now()) {
        // Marks the profile as used.
        cache.get(key);
        return known.value;
      }
      const made = await make();
      keep(key, version, made);
      return made.value;
    },

    replace(key, version, better) {
      if (cache.peek(key)?.version === version) keep(key, version, better);
    },
  };
};

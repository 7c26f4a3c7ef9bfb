// Profiles that were made before, each as long as nothing was written to its tag and nothing in it came to its end.

/** What is kept, and until when it holds by itself. */
export interface Kept<Value> {
  value: Value;
  /** How much room it takes, in characters. */
  size: number;
  until: number;
}

export interface Cache<Value> {
  /** `version`: of the tag, as it was before anything was read for the value. */
  get(key: string, version: string, make: () => Promise<Kept<Value>>): Promise<Value>;
  /** In the place of what was made before for the same version; for another one it comes too late. */
  improve(key: string, version: string, better: Kept<Value>): void;
}

/** About 16 MB: a profile has some ten thousand characters. */
const MOST_CHARACTERS = 8_000_000;

export interface CacheOptions {
  now: () => number;
  mostCharacters?: number;
}

/** The least recently used go first. */
export function createCache<Value>({ now, mostCharacters = MOST_CHARACTERS }: CacheOptions): Cache<Value> {
  const kept = new Map<string, Kept<Value> & { version: string }>();
  let characters = 0;

  const forget = (key: string): void => {
    characters -= kept.get(key)?.size ?? 0;
    kept.delete(key);
  };

  const keep = (key: string, version: string, made: Kept<Value>): void => {
    forget(key);
    kept.set(key, { ...made, version });
    characters += made.size;
    for (const oldest of kept.keys()) {
      if (characters <= mostCharacters) break;
      forget(oldest);
    }
  };

  return {
    async get(key, version, make) {
      const known = kept.get(key);
      if (known && known.version === version && known.until > now()) {
        kept.delete(key);
        kept.set(key, known);
        return known.value;
      }
      const made = await make();
      keep(key, version, made);
      return made.value;
    },

    improve(key, version, better) {
      if (kept.get(key)?.version === version) keep(key, version, better);
    },
  };
}

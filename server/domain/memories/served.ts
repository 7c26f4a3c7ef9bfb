// The texts that Memoir returned lately, by tag, so that a conversation that repeats them adds no memories.

/** The texts of one answer. */
export interface ServedAnswer {
  readonly tags: readonly string[];
  readonly texts: readonly string[];
}

export interface Served {
  note(tags: readonly string[], texts: readonly string[]): void;
  /** The same list object as before if nothing was added since. */
  under(tags: readonly string[]): readonly string[];
}

export interface ServedLimits {
  /** For each tag. */
  texts: number;
  characters: number;
  /** For all tags together. */
  allCharacters: number;
}

const LIMITS: ServedLimits = { texts: 200, characters: 60_000, allCharacters: 16_000_000 };
/** The overhead of an entry, so that many tags with little text are bounded too. */
const ENTRY = 200;

interface Kept {
  texts: Set<string>;
  characters: number;
  /** The texts as a list; null: not built since the last change. */
  listed: readonly string[] | null;
}

const NONE: readonly string[] = [];

/** The newest texts are kept; the tag that was used longest ago is dropped first. */
export const createServed = (limits: ServedLimits = LIMITS): Served => {
  const byTag = new Map<string, Kept>();
  let characters = 0;

  const take = (kept: Kept, text: string): void => {
    if (!kept.texts.delete(text)) kept.characters += text.length;
    kept.texts.add(text);
  };

  const dropOldest = (kept: Kept): void => {
    for (const oldest of kept.texts) {
      if (kept.texts.size <= limits.texts && kept.characters <= limits.characters) return;
      kept.texts.delete(oldest);
      kept.characters -= oldest.length;
    }
  };

  const noteOne = (tag: string, texts: readonly string[]): void => {
    const kept = byTag.get(tag) ?? { texts: new Set(), characters: 0, listed: null };
    if (byTag.delete(tag)) characters -= kept.characters + ENTRY;
    byTag.set(tag, kept);
    // The first texts of an answer are its best, so they are added last.
    for (const text of texts.toReversed()) take(kept, text);
    dropOldest(kept);
    kept.listed = null;
    characters += kept.characters + ENTRY;
  };

  const dropTags = (): void => {
    for (const [tag, kept] of byTag) {
      if (characters <= limits.allCharacters) return;
      byTag.delete(tag);
      characters -= kept.characters + ENTRY;
    }
  };

  const listOf = (tag: string): readonly string[] => {
    const kept = byTag.get(tag);
    if (!kept) return NONE;
    kept.listed ??= [...kept.texts];
    return kept.listed;
  };

  return {
    note(tags, texts) {
      if (texts.length === 0) return;
      for (const tag of tags) noteOne(tag, texts);
      dropTags();
    },
    under([only, ...others]) {
      if (only === undefined) return NONE;
      return others.length === 0 ? listOf(only) : [only, ...others].flatMap(listOf);
    },
  };
};

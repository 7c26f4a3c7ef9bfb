// What Memoir handed out lately, by tag: a conversation that repeats it has learned nothing new.

export interface Served {
  note(tags: readonly string[], texts: readonly string[]): void;
  under(tags: readonly string[]): readonly string[];
}

const TEXTS_KEPT = 200;
const TAGS_KEPT = 5000;

/** The newest stay; a tag that was not served for long makes room for others. */
export const createServed = (): Served => {
  const byTag = new Map<string, Set<string>>();

  const noteOne = (tag: string, texts: readonly string[]): void => {
    const kept = byTag.get(tag) ?? new Set();
    byTag.delete(tag);
    byTag.set(tag, kept);
    for (const text of texts) {
      kept.delete(text);
      kept.add(text);
    }
    for (const oldest of kept) {
      if (kept.size <= TEXTS_KEPT) break;
      kept.delete(oldest);
    }
    if (byTag.size > TAGS_KEPT) byTag.delete(byTag.keys().next().value ?? '');
  };

  return {
    note(tags, texts) {
      if (texts.length > 0) for (const tag of tags) noteOne(tag, texts);
    },
    under: (tags) => tags.flatMap((tag) => [...(byTag.get(tag) ?? [])]),
  };
};

// A queue in which owners take turns: the next item belongs to the owner who has waited longest since the last turn.

export interface Turns<Item> {
  /** Adds at the end of the owner's items. The result takes the item out again. */
  add(owner: string, item: Item): () => void;
  /** The first item of the next owner that may have a turn; null: there is none. */
  take(mayHave: (owner: string) => boolean): { owner: string; item: Item } | null;
  /** Takes everything out. */
  clear(): Item[];
}

export const createTurns = <Item>(): Turns<Item> => {
  // In the order of the turns; no owner without items.
  const waiting = new Map<string, Set<{ item: Item }>>();

  const remove = (owner: string, entry: { item: Item }): void => {
    const own = waiting.get(owner);
    own?.delete(entry);
    if (own?.size === 0) waiting.delete(owner);
  };

  return {
    add(owner, item) {
      const entry = { item };
      const own = waiting.get(owner);
      if (own) own.add(entry);
      else waiting.set(owner, new Set([entry]));
      return () => remove(owner, entry);
    },
    take(mayHave) {
      for (const [owner, own] of waiting) {
        const [first] = own;
        if (first === undefined || !mayHave(owner)) continue;
        waiting.delete(owner);
        own.delete(first);
        if (own.size > 0) waiting.set(owner, own);
        return { owner, item: first.item };
      }
      return null;
    },
    clear() {
      const all = [...waiting.values()].flatMap((own) => [...own].map(({ item }) => item));
      waiting.clear();
      return all;
    },
  };
};

// Hands over what comes within a moment as one list: to wake another thread costs more than most of what it is told.
export interface Together<Item> {
  add(item: Item): void;
  /** Hands over what waits now. */
  flush(): void;
}

export interface TogetherLimits {
  readonly waitMs: number;
  readonly mostItems: number;
}

export const createTogether = <Item>(
  handOver: (items: readonly Item[]) => void,
  { waitMs, mostItems }: TogetherLimits,
): Together<Item> => {
  let waiting: Item[] = [];
  let timer: NodeJS.Timeout | null = null;
  const flush = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (waiting.length === 0) return;
    const items = waiting;
    waiting = [];
    handOver(items);
  };
  return {
    add(item) {
      waiting.push(item);
      if (waiting.length >= mostItems) flush();
      else timer ??= setTimeout(flush, waitMs).unref();
    },
    flush,
  };
};

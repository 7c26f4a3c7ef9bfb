// What language models took: counted for each document, and summed by key, by container tag and by day.

export interface TokenCount {
  inputTokens: number;
  outputTokens: number;
}

/** For what: the tags that it counts for, and the key that asked for it; null: nobody noted which. */
export interface Spent {
  key: string | null;
  tags: readonly string[];
}

/** Never handed to an operation. */
export interface UsageStore {
  /** Of all days, by the id of the key; under "" what nobody noted the key of. */
  ofKeys(): Promise<Map<string, TokenCount>>;
  add(what: Spent, tokens: TokenCount): Promise<void>;
}

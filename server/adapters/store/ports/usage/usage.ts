// Tokens that language models used: counted for each document, and summed by key, by container tag and by day.

export interface TokenCount {
  inputTokens: number;
  outputTokens: number;
}

/** The tags that tokens count for, and the key that asked for them; null: the key was not noted. */
export interface Spent {
  key: string | null;
  tags: readonly string[];
}

/** Never handed to an operation. */
export interface UsageStore {
  /** The sum of all days, by the id of the key; "" for tokens without a recorded key. */
  ofKeys(): Promise<Map<string, TokenCount>>;
  add(what: Spent, tokens: TokenCount): Promise<void>;
}

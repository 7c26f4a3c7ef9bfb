// The port for reranking: scores each text together with the query, slower and more precisely than the search.

export interface RerankLimits {
  /** The maximum of texts in one call. */
  readonly texts: number;
  /** The maximum of characters in each text; the rest is cut off. */
  readonly characters: number;
}

export interface Reranker {
  /** The name in logs and explanations, as in "endpoint:rerank-v3.5". */
  readonly name: string;
  readonly limits: RerankLimits;
  /**
   * The scores of the texts in their order, some at a time: higher is better, on a scale of the reranker's own.
   * Stops when the signal is aborted. All other errors have a message for the caller; one that passes by itself within a
   * moment is a `MemoirError` with status 503.
   */
  score(query: string, texts: readonly string[], signal: AbortSignal): AsyncIterable<readonly number[]>;
}

/** The reranker that the settings or a person chose. */
export interface ChosenReranker {
  /** Null: none was chosen. */
  current(): Reranker | null;
  close(): Promise<void>;
}

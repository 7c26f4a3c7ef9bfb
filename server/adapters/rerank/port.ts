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
   * One score for each text, in the order of the texts: higher is better, on a scale of the reranker's own.
   * Stops when the signal is aborted. All other errors have a message for the caller.
   */
  score(query: string, texts: readonly string[], signal: AbortSignal): Promise<number[]>;
  close(): Promise<void>;
}

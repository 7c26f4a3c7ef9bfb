// Judging texts against a query, each by itself: more careful than finding them, and dearer. One file per judge beside this one.

export interface RerankLimits {
  /** More texts are not asked about. */
  readonly texts: number;
  /** Of each text; the rest is cut off. */
  readonly characters: number;
}

export interface Reranker {
  /** "endpoint:rerank-v3.5": as it is named in logs and explanations. */
  readonly name: string;
  readonly limits: RerankLimits;
  /**
   * How well each text answers the query, in the order of the texts: more is better, on a scale of the judge's own.
   * It gives up when the signal is aborted. Whatever else it fails with has a message that a caller may read.
   */
  score(query: string, texts: readonly string[], signal: AbortSignal): Promise<number[]>;
  close(): Promise<void>;
}

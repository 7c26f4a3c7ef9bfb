// The port for language models in a search: they reword the query and combine results.

/** A search result, as the model reads it. */
export interface FoundText {
  readonly text: string;
  /** The time when the text was said or written, in milliseconds. */
  readonly date: number | null;
}

/** A statement that several findings support together. */
export interface CombinedStatement {
  readonly statement: string;
  /** The indexes of those findings. */
  readonly from: readonly number[];
}

/** Both methods stop when the signal is aborted. All their other errors have a message for the caller. */
export interface SearchModel {
  /** The name in logs and explanations, as in "openai:gpt-5-mini". */
  readonly name: string;
  /** Other searches for the same question, without the query itself; an empty list if the query needs none. */
  rewrite(query: string, request: { most: number; today: number }, signal: AbortSignal): Promise<string[]>;
  /** Statements that combine several findings; an empty list if there is nothing to combine. */
  combine(
    query: string,
    findings: readonly FoundText[],
    request: { most: number },
    signal: AbortSignal,
  ): Promise<CombinedStatement[]>;
}

// What a language model does for a search: other wordings of the query, and statements put together from what was found.

/** Something that was found. */
export interface Finding {
  readonly text: string;
  /** When it was said or written, in milliseconds. */
  readonly date: number | null;
}

/** A statement that several findings support together. */
export interface Combined {
  readonly statement: string;
  /** The places of those findings. */
  readonly from: readonly number[];
}

/** Both give up when the signal is aborted. Whatever else they fail with has a message that a caller may read. */
export interface SearchModel {
  /** "openai:gpt-5-mini", as it is named in logs and explanations. */
  readonly name: string;
  /** Searches that together find what the query asks for, itself left out; none where it needs none. */
  rewrite(query: string, request: { most: number; today: number }, signal: AbortSignal): Promise<string[]>;
  /** What the findings say together of the query; nothing where each says what it says alone. */
  combine(
    query: string,
    findings: readonly Finding[],
    request: { most: number },
    signal: AbortSignal,
  ): Promise<Combined[]>;
}

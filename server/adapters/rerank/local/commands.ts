// The data and the commands of the thread that runs a reranker.

export interface RerankThreadData {
  /** The folder of models. */
  readonly folder: string;
  readonly name: string;
  /** The cores that one call may use. */
  readonly threads: number;
  /** The tokens of one step: they bound its memory and its time. */
  readonly batchTokens: number;
}

/** No interface, because only a type alias fits an index signature. */
export type RerankCommands = {
  /** One score for each text, in their order. */
  score(query: string, texts: readonly string[]): Promise<number[]>;
};

// The data and the commands of the thread that runs a model.

export interface ModelThreadData {
  /** The folder of models. */
  readonly folder: string;
  readonly name: string;
  /** The cores that one call may use. */
  readonly threads: number;
  /** The tokens of one step: they bound its memory and its time, and a query waits for one step at most. */
  readonly batchTokens: number;
}

/** No interface, because only a type alias fits an index signature. */
export type ModelCommands = {
  /** One vector after the other. */
  embed(texts: readonly string[]): Promise<Float32Array>;
};

/** Vectors of texts as tokens; the texts of one call have similar lengths. */
export type EncodeTokens = (texts: readonly (readonly number[])[]) => Promise<Float32Array[]>;

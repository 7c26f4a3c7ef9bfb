// Metadata of documents and memories, as it is stored.

export type Scalar = string | number | boolean;

export type Metadata = Readonly<Record<string, Scalar>>;

/** Selects the memories that may serve as context: each key has one of these values. */
export type ContextFilter = Readonly<Record<string, Scalar | readonly string[]>>;

// The organisation that the store belongs to, and how much the store holds.

export interface Organisation {
  id: string;
  createdAt: number;
}

/** The copy of a store in another database takes its place. */
export interface StoreMove {
  /** This database is filled, is left, or was left. */
  readonly state: 'arriving' | 'leaving' | 'left';
  /** The other database, for people. */
  readonly other: string;
  readonly at: number;
}

export interface SigningKeyStore {
  read(): Promise<string | null>;
  /** Takes the place of what was read, unless that was replaced meanwhile; answers with what is stored. */
  replace(read: string | null, sealed: string): Promise<string>;
}

/** The models that a person chose, where several processes share them. */
export interface ModelChoiceStore {
  /** Null: nobody chose one since processes share them. */
  read(): Promise<string | null>;
  keep(choices: string): Promise<void>;
}

export interface StoreCounts {
  documents: number;
  chunks: number;
  queued: number;
  failed: number;
  /** Documents that wait or failed by the fault of the embedder. */
  held: number;
  /** The sentence of one of them; null: there is none. */
  heldBecause: string | null;
  /** Vectors that the index has not taken yet, by space. */
  outbox: readonly { space: number; vectors: number }[];
}

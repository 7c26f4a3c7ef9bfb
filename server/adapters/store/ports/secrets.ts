// Sealed secrets in the store: they are listed and replaced when the key changes.

export interface SealedSecret {
  readonly of: 'setting' | 'connection';
  /** The name of the setting, or the id of the connection. */
  readonly id: string;
  readonly sealed: string;
}

/** Never handed to an operation. */
export interface SecretStore {
  /** Those of connections, by their ids from `after` on. */
  ofConnections(after: string, limit: number): Promise<SealedSecret[]>;
  /** False: it was changed meanwhile, and stays as it is. */
  replace(secret: SealedSecret, sealed: string): Promise<boolean>;
}

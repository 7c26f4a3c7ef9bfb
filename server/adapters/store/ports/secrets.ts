// Sealed secrets in the store: they are listed and replaced when the key changes.

export interface SealedSecret {
  readonly of: 'setting' | 'connection' | 'hook' | 'farewell';
  /** The name of the setting, the id of the connection, or the hash of the token of the hook. */
  readonly id: string;
  readonly sealed: string;
}

export type ConnectionSecret = Exclude<SealedSecret['of'], 'setting'>;

/** Never handed to an operation. */
export interface SecretStore {
  /** By their ids from `after` on. `farewell`: of connections that were removed. */
  ofConnections(of: ConnectionSecret, after: string, limit: number): Promise<SealedSecret[]>;
  /** False: it was changed meanwhile, and stays as it is. */
  replace(secret: SealedSecret, sealed: string): Promise<boolean>;
}

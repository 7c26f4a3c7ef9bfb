// Sealed secrets in the store: they are listed and replaced when the key changes.

export interface SealedSecret {
  /** `signing keys`: of the connect page, where several processes share them. */
  readonly of: 'setting' | 'connection' | 'hook' | 'farewell' | 'signing keys';
  /** The name of the setting, the id of the connection, or the hash of the token of the hook. */
  readonly id: string;
  readonly sealed: string;
}

export type ConnectionSecret = Exclude<SealedSecret['of'], 'setting' | 'signing keys'>;

/** The signing keys have a store of their own. */
export interface ListedSecret extends SealedSecret {
  readonly of: ConnectionSecret | 'setting';
}

/** Never handed to an operation. */
export interface SecretStore {
  /** By their ids from `after` on. `farewell`: of connections that were removed. */
  ofConnections(of: ConnectionSecret, after: string, limit: number): Promise<ListedSecret[]>;
  /** False: it was changed meanwhile, and stays as it is. */
  replace(secret: ListedSecret, sealed: string): Promise<boolean>;
}

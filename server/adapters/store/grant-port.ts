// What programs were granted by people, and the tokens and sign-ins that stand on it.

/** A program may use the memory: as a key would, for a while. */
export interface GrantRecord {
  id: string;
  /** The key that granted it. */
  keyId: string;
  clientId: string;
  clientName: string;
  /** Where the answer was sent, and so who really got it. */
  redirectHost: string;
  permission: 'read' | 'write';
  /** Null: all that the key may use. */
  tags: string[] | null;
  createdAt: number;
  expiresAt: number;
  lastUsedAt: number | null;
}

/** Something the authorization server remembers. Found by the hash of a secret, which is stored nowhere. */
export interface TokenRecord {
  kind: string;
  hash: string;
  grantId: string | null;
  uid: string | null;
  payload: Record<string, unknown>;
  consumedAt: number | null;
  /** Null: it stays. */
  expiresAt: number | null;
}

export interface TokenStore {
  find(kind: string, hash: string): Promise<TokenRecord | null>;
  findByUid(kind: string, uid: string): Promise<TokenRecord | null>;
  /** Replaces what has the same kind and hash. */
  keep(token: Omit<TokenRecord, 'consumedAt'>): Promise<void>;
  /** False: somebody else was first. */
  consume(kind: string, hash: string): Promise<boolean>;
  drop(kind: string, hash: string): Promise<void>;
  dropOfGrant(kind: string, grantId: string): Promise<void>;
}

/** Never handed to an operation. */
export interface GrantStore {
  list(): Promise<GrantRecord[]>;
  byId(id: string): Promise<GrantRecord | null>;
  create(grant: GrantRecord): Promise<void>;
  /** Takes its tokens along; false: there was none. */
  revoke(id: string): Promise<boolean>;
  touch(uses: readonly { id: string; at: number }[]): Promise<void>;
  tokens: TokenStore;
}

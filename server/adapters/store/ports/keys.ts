// API keys in the store.

export interface KeyRecord {
  id: string;
  hash: string;
  /** The first characters, to recognise it by. */
  start: string;
  name: string;
  permission: 'read' | 'write';
  /** Null: all tags. */
  tags: string[] | null;
  enabled: boolean;
  expiresAt: number | null;
  rateLimitMax: number | null;
  rateLimitWindowMs: number | null;
  pluginId: string | null;
  createdAt: number;
  lastUsedAt: number | null;
}

export interface KeyStore {
  byHash(hash: string): Promise<KeyRecord | null>;
  byId(id: string): Promise<KeyRecord | null>;
  list(): Promise<KeyRecord[]>;
  create(key: KeyRecord): Promise<void>;
  setEnabled(id: string, enabled: boolean): Promise<boolean>;
  touch(uses: readonly { id: string; at: number }[]): Promise<void>;
}

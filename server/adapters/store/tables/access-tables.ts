// The tables of access rights, and of the use of language models.

export interface KeysTable {
  id: string;
  hash: string;
  start: string;
  name: string;
  permission: 'read' | 'write';
  tags: string | null;
  enabled: number;
  expires_at: number | null;
  rate_max: number | null;
  rate_window_ms: number | null;
  plugin: string | null;
  /** The key that made this one; null: no key did, or it was made before this was recorded. */
  made_by: string | null;
  /** The member whose key it is. */
  owner: string | null;
  role: 'admin' | null;
  replaced_by: string | null;
  created_at: number;
  last_used_at: number | null;
}

export interface GrantsTable {
  id: string;
  key: string;
  client: string;
  client_name: string;
  redirect_host: string;
  permission: 'read' | 'write';
  tags: string | null;
  created_at: number;
  expires_at: number;
  last_used_at: number | null;
}

export interface OauthTokensTable {
  kind: string;
  hash: string;
  grant_id: string | null;
  uid: string | null;
  payload: string;
  consumed_at: number | null;
  expires_at: number | null;
}

/** Tokens that language models used for the documents that a key sent, by day. */
export interface KeyTokensTable {
  /** Empty if the key was not recorded. */
  key: string;
  /** Its first moment, UTC. */
  day: number;
  input_tokens: number;
  output_tokens: number;
}

/** The same by container tag; a document with several tags counts for each of them. */
export interface TagTokensTable {
  tag: number;
  day: number;
  input_tokens: number;
  output_tokens: number;
}

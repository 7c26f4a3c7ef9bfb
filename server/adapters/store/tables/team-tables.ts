// The tables of members, invitations, sessions and mails.

export interface MembersTable {
  id: string;
  email: string;
  email_verified: number;
  name: string;
  role: 'owner' | 'admin' | 'member';
  /** JSON: container tags with a permission each; null: all. */
  tags: string | null;
  created_at: number;
  last_seen_at: number | null;
}

export interface InvitesTable {
  id: string;
  email: string;
  role: 'owner' | 'admin' | 'member';
  tags: string | null;
  token_hash: string;
  inviter: string | null;
  inviter_name: string;
  invited_at: number;
  expires_at: number;
  status: 'pending' | 'accepted' | 'rejected' | 'canceled';
  accepted_at: number | null;
  mailed: number;
}

export interface SessionsTable {
  id: string;
  hash: string;
  member: string | null;
  key: string | null;
  created_at: number;
  last_seen_at: number;
  expires_at: number;
  user_agent: string;
}

export interface MailsTable {
  id: string;
  kind: 'invitation' | 'signIn' | 'expiry' | 'newSignIn' | 'test';
  recipient: string;
  state: 'queued' | 'sent' | 'failed' | 'dropped';
  attempts: number;
  next_at: number;
  created_at: number;
  ended_at: number | null;
  error: string | null;
  lease: string | null;
  lease_until: number;
}

/** Apart from the mails, because it holds links that sign in: requests do not read it. */
export interface MailContentsTable {
  mail: string;
  content: string;
}

export interface KeyNoticesTable {
  key: string;
  threshold_days: number;
  expires_at: number;
  told_at: number;
}

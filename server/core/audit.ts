// The audit log's terms: the actions, who did them, and what a change tells about itself. Names, ids and numbers; never the
// values of settings, texts or secrets.
import type { Way } from './events.ts';

export const AUDIT_ACTIONS = [
  'session.begin',
  'session.end',
  'session.refused',
  'key.create',
  'key.change',
  'key.toggle',
  'key.disable',
  'key.rotate',
  'grant.allow',
  'grant.revoke',
  'member.invite',
  'member.join',
  'member.role',
  'member.access',
  'member.remove',
  'settings.change',
  'settings.reset',
  'secrets.rotate',
  'quota.change',
  'tag.change',
  'tag.delete',
  'tag.merge',
  'document.delete',
  'memory.forget',
  'space.reindex',
  'model.add',
  'model.use',
  'model.remove',
  'storage.compact',
  'connection.add',
  'connection.change',
  'connection.remove',
  'requestlog.mode',
  'audit.prune',
] as const;

export type AuditAction = (typeof AUDIT_ACTIONS)[number];

export interface AuditActor {
  kind: 'key' | 'member' | 'program' | 'cli' | 'server';
  id: string;
  /** The name at that time. */
  name: string;
}

/** The actor, the action and the way of a change, all known before the change is made. */
export interface AuditIntent {
  readonly action: AuditAction;
  readonly actor: AuditActor;
  readonly way: Way | 'server';
  readonly requestId: string | null;
  /** Stored for a while beside the chain; null: there is none. */
  readonly address: string | null;
}

export type AuditDetails = Readonly<Record<string, string | number | boolean | null | string[]>>;

/** The object of a change. */
export interface AuditSubject {
  readonly target?: { readonly kind: string; readonly id: string };
  readonly tags?: readonly string[];
  readonly details?: AuditDetails;
}

/** The note of a change for the store, which writes it in the transaction of the change. */
export interface AuditNote extends AuditIntent, AuditSubject {}

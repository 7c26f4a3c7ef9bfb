// Notes for the audit log: who makes a change, and what it tells about itself.

import type { AuditAction, AuditActor, AuditDetails, AuditIntent, AuditNote, AuditSubject } from './audit.ts';
import { OWNER_ID, type Principal } from './principal.ts';

const actorOf = ({ keyId, keyName, grantId, member }: Principal): AuditActor => {
  if (grantId !== undefined) return { kind: 'program', id: grantId, name: keyName };
  if (member !== undefined) return { kind: 'member', ...member };
  return { kind: keyId === OWNER_ID ? 'cli' : 'key', id: keyId, name: keyName };
};

export const intentOf = (
  principal: Principal,
  action: AuditAction,
  { way, requestId, address }: Pick<AuditIntent, 'way' | 'requestId' | 'address'>,
): AuditIntent => ({ action, actor: actorOf(principal), way, requestId, address });

/** Null: nobody calls, or the call names no action; its changes are not noted. */
export const auditNote = (
  caller: Pick<Principal, 'audit'> | null,
  subject: AuditSubject = {},
): AuditNote | null => (caller?.audit === undefined ? null : { ...caller.audit, ...subject });

/** The quotas that a change sets or removes, without their limits. */
export const quotaNames = (quotas: object): AuditDetails => {
  const names = Object.keys(quotas);
  return names.length === 0 ? {} : { quotas: names };
};

/** For what the server changes by itself. */
export const serverNote = (action: AuditAction, subject: AuditSubject = {}): AuditNote => ({
  action,
  actor: { kind: 'server', id: 'server', name: 'Memoir' },
  way: 'server',
  requestId: null,
  address: null,
  ...subject,
});

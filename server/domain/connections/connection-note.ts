// Notes for the audit log about changes of connections.
import type { ConnectionRecord } from '../../adapters/store/ports/connections/connections.ts';
import type { AuditDetails, AuditNote } from '../../core/audit.ts';
import { auditNote, serverNote } from '../../core/audit-note.ts';
import type { Caller } from '../../core/principal.ts';

type Noted = Pick<ConnectionRecord, 'id' | 'provider' | 'tags'>;

const connectionSubject = ({ id, provider, tags }: Noted, details: AuditDetails) => ({
  target: { kind: 'connection', id },
  tags,
  details: { provider, ...details },
});

export const connectionNote = (
  caller: Caller,
  connection: Noted,
  details: AuditDetails = {},
): AuditNote | null => auditNote(caller, connectionSubject(connection, details));

/** The sign-in at the source needs no key of this server, so the server is the actor. */
export const signedInNote = (connection: Noted): AuditNote =>
  serverNote('connection.change', connectionSubject(connection, { change: 'signIn' }));

/** One row for all that look now. */
export const importNote = (
  caller: Caller,
  provider: string,
  connections: readonly Noted[],
): AuditNote | null =>
  auditNote(caller, {
    target: { kind: 'source', id: provider },
    tags: [...new Set(connections.flatMap(({ tags }) => tags))],
    details: { change: 'import', connections: connections.length },
  });

// Faults of the connection to PostgreSQL, and of its server as a whole, told from faults of one statement.
import { DatabaseAwayError, DatabaseBusyError } from '../../../core/errors.ts';
import { isCertificateFault } from '../../../lib/faults/certificate-fault.ts';
import { codesOf } from '../../../lib/faults/storage-fault.ts';

/**
 * The server stops, starts, has no room for a connection, refuses the user or has no such database at the moment, is a standby that
 * is not yet the primary, or the connection is at fault.
 */
const AWAY = /^(?:57P0[1-5]|53300|28...|3D000|25006|08...)$/;
/** Refused by a standby besides writes: tables that are not replicated, and a read that holds up what it is sent. */
const REFUSED_BY_STANDBY = /^(?:0A000|40001|55000)$/;
const STANDBY = /\brecovery\b/;

const NETWORK: ReadonlySet<string> = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'],
  ...['ENOTFOUND', 'EAI_AGAIN'],
]);

/** The driver gives these errors no code. */
const MESSAGES =
  /connection terminated|query read timeout|client has encountered a connection error|connection error and is not queryable/i;

/** The pool says so of a call for which none of its connections became free; one that cannot be opened has another message. */
const NO_FREE_CONNECTION = 'timeout exceeded when trying to connect';
/** A lock was not free in time. */
const NO_LOCK = '55P03';

/** The code of PostgreSQL or of the system; empty: the error has none. */
export const databaseCode = (error: unknown): string => {
  const { code } = codesOf(error);
  return typeof code === 'string' ? code : '';
};

/** A Unix socket is not there while its server is stopped; a user without rights on its folder may not look. */
const NO_SOCKET = /^(?:ENOENT|EACCES)$/;

export const isSocketFault = (error: unknown): boolean =>
  error instanceof Error &&
  NO_SOCKET.test(databaseCode(error)) &&
  'syscall' in error &&
  error.syscall === 'connect';

/** True: the database does not answer, whatever was asked of it. */
export const isDatabaseAway = (error: unknown): boolean => {
  const code = databaseCode(error);
  const message = error instanceof Error ? error.message : '';
  if (code === '') return MESSAGES.test(message);
  return (
    AWAY.test(code) ||
    NETWORK.has(code) ||
    isSocketFault(error) ||
    isCertificateFault(error) ||
    (REFUSED_BY_STANDBY.test(code) && STANDBY.test(message))
  );
};

/** True: the database answers, and other calls kept it from this one for too long. */
export const isDatabaseBusy = (error: unknown): boolean =>
  databaseCode(error) === NO_LOCK || (error instanceof Error && error.message === NO_FREE_CONNECTION);

/** The error for the caller, who may send the same again; any other fault stays as it is. */
export const explainedFault = (error: unknown): unknown => {
  if (isDatabaseBusy(error)) return new DatabaseBusyError(error);
  return isDatabaseAway(error) ? new DatabaseAwayError(error) : error;
};

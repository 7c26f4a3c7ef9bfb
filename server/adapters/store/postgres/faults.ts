// Faults of the connection to PostgreSQL, and of its server as a whole, told from faults of one statement.
import { isCertificateFault } from '../../../lib/certificate-fault.ts';
import { codesOf } from '../../../lib/storage-fault.ts';

/** The server stops, starts, has no room for a connection, is a standby that is not yet the primary, or the connection is at fault. */
const AWAY = /^(?:57P0[123]|53300|25006|08...)$/;
/** Refused by a standby besides writes: tables that are not replicated, and a read that holds up what it is sent. */
const REFUSED_BY_STANDBY = /^(?:0A000|40001|55000)$/;
const STANDBY = /\brecovery\b/;

const NETWORK: ReadonlySet<string> = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'],
  ...['ENOTFOUND', 'EAI_AGAIN'],
]);

/** The driver gives these errors no code. */
const MESSAGES =
  /connection terminated|timeout exceeded when trying to connect|query read timeout|client has encountered a connection error|connection error and is not queryable/i;

/** The code of PostgreSQL or of the system; empty: the error has none. */
export const databaseCode = (error: unknown): string => {
  const { code } = codesOf(error);
  return typeof code === 'string' ? code : '';
};

/** True: the database does not answer, whatever was asked of it. */
export const isDatabaseAway = (error: unknown): boolean => {
  const code = databaseCode(error);
  const message = error instanceof Error ? error.message : '';
  if (code === '') return MESSAGES.test(message);
  return (
    AWAY.test(code) ||
    NETWORK.has(code) ||
    isCertificateFault(error) ||
    (REFUSED_BY_STANDBY.test(code) && STANDBY.test(message))
  );
};

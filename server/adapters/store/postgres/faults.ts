// Faults of the connection to PostgreSQL, and of its server as a whole, told from faults of one statement.
import { codesOf } from '../../../lib/storage-fault.ts';

/** The server stops, starts, has no room for a connection, or the connection itself is at fault. */
const AWAY = /^(?:57P0[123]|53300|08...)$/;

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
  if (code !== '') return AWAY.test(code) || NETWORK.has(code);
  return error instanceof Error && MESSAGES.test(error.message);
};

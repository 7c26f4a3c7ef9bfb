// The reason why a PostgreSQL cannot be used, as a sentence with the setting and the remedy.
import { MemoirError, unavailable } from '../../../../core/errors.ts';
import { messageOf } from '../../../../lib/failures.ts';
import { isCertificateFault } from '../../../../lib/faults/certificate-fault.ts';
import { databaseCode, isDatabaseAway, isSocketFault } from '../faults.ts';

const OLDEST = 15;
const OLDEST_NUMBER = OLDEST * 10_000;

interface Place {
  readonly host: string;
  readonly user: string;
  readonly database: string;
}

const placeOf = (url: string): Place => {
  const { host: written, username, pathname } = new URL(url);
  const [host, user] = [written, username].map(decodeURIComponent) as [string, string];
  const database = decodeURIComponent(pathname.slice(1));
  return { host, user, database: database === '' ? user : database };
};

/** Without the password. */
export const databasePlace = (url: string): string => {
  const { host, database } = placeOf(url);
  return `the database ${database} of the PostgreSQL at ${host}`;
};

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

type Explain = (place: Place, message: string) => string;

const refusedUser: Explain = ({ host, user }, message) =>
  `The PostgreSQL at ${host} refused the user ${quoted(user)} (${message}). Correct the user in MEMOIR_DATABASE_URL, or the password in MEMOIR_DATABASE_PASSWORD or in the file that MEMOIR_DATABASE_PASSWORD_FILE names.`;

const onlyTls: Explain = ({ host, user }, message) =>
  `The PostgreSQL at ${host} takes the user ${quoted(user)} only with TLS, if at all (${message}). Write ?sslmode=verify-full behind the database in MEMOIR_DATABASE_URL, with &sslrootcert= and the file of its authority where that is not a public one; or allow the user in its pg_hba.conf.`;

const noRight: Explain = ({ host, user, database }, message) =>
  `The user ${quoted(user)} may not create what Memoir needs in ${quoted(database)} of the PostgreSQL at ${host} (${message}). Nothing was changed. As an administrator run there: create role memoir_requests nologin; grant memoir_requests to ${quoted(user)}; grant create on database ${quoted(database)} to ${quoted(user)}; grant usage, create on schema public to ${quoted(user)}; or name another user in MEMOIR_DATABASE_URL.`;

const noFile: Explain = ({ host }, message) =>
  `A file that MEMOIR_DATABASE_URL names for the TLS to the PostgreSQL at ${host} cannot be read (${message}). Correct its sslrootcert, sslcert or sslkey, or let the user of this process read the file.`;

const notTrusted: Explain = ({ host }, message) =>
  `The certificate of the PostgreSQL at ${host} is not trusted (${message}). Name the file with the certificate of its authority in MEMOIR_DATABASE_URL, as in ?sslmode=verify-full&sslrootcert=/etc/memoir/database-ca.pem, and the host as the certificate names it.`;

const noTls: Explain = ({ host }) =>
  `The PostgreSQL at ${host} speaks no TLS, and sslmode in MEMOIR_DATABASE_URL asks for it. Set ssl = on with a certificate in its configuration, or leave sslmode out where the network is trusted.`;

const BY_CODE: Readonly<Record<string, Explain>> = {
  '28P01': refusedUser,
  '28000': refusedUser,
  '3D000': ({ host, database }) =>
    `The PostgreSQL at ${host} has no database ${quoted(database)}. Create it there with: create database ${quoted(database)} template template0 encoding 'UTF8' lc_collate 'C' lc_ctype 'C'; or name another one in MEMOIR_DATABASE_URL.`,
  ENOENT: noFile,
  EACCES: noFile,
  '42501': noRight,
  // Without the right to use it, the schema is not there.
  '3F000': noRight,
  '25006': ({ host }) =>
    `The PostgreSQL at ${host} is a standby, or set to be read-only, and Memoir writes. Name the primary in MEMOIR_DATABASE_URL, or promote this one.`,
  '53300': ({ host }) =>
    `The PostgreSQL at ${host} has no connection left. Lower MEMOIR_DATABASE_CONNECTIONS of the processes that use it, or raise its max_connections or the limit of this user or database.`,
};

/** PostgreSQL says so of a connection without TLS that no line of its pg_hba.conf allows. */
const NO_ENCRYPTION = /no pg_hba\.conf entry.*no encryption/;

/** The driver fails without a code when a server demands a password and none is given. */
const NO_PASSWORD = /password must be a string|no password supplied/i;

const NO_TLS = /does not support SSL/i;

const sentence = (error: unknown, place: Place): string => {
  const message = messageOf(error).replace(/\.$/, '');
  if (NO_ENCRYPTION.test(message)) return onlyTls(place, message);
  const known = isSocketFault(error) ? undefined : BY_CODE[databaseCode(error)];
  if (known !== undefined) return known(place, message);
  if (NO_PASSWORD.test(message)) return refusedUser(place, 'it asks for a password, and none is set');
  if (isCertificateFault(error)) return notTrusted(place, message);
  if (NO_TLS.test(message)) return noTls(place, message);
  if (isDatabaseAway(error))
    return `The PostgreSQL at ${place.host} does not answer (${message || databaseCode(error)}). Start it, or correct the address in MEMOIR_DATABASE_URL.`;
  return `The database ${quoted(place.database)} of the PostgreSQL at ${place.host} cannot be used: ${message}. Check MEMOIR_DATABASE_URL.`;
};

export const explainedDatabase = (error: unknown, url: string): MemoirError =>
  error instanceof MemoirError ? error : unavailable(sentence(error, placeOf(url)), { cause: error });

/** `version` as in `server_version_num`: 150004. */
export const requireVersion = (version: number, url: string): void => {
  if (version >= OLDEST_NUMBER) return;
  throw unavailable(
    `The PostgreSQL at ${placeOf(url).host} is version ${Math.floor(version / 10_000)}, and Memoir needs ${OLDEST} or newer. Upgrade it, or name another server in MEMOIR_DATABASE_URL.`,
  );
};

export const requireEncoding = (encoding: string, url: string): void => {
  if (encoding === 'UTF8') return;
  const { host, database } = placeOf(url);
  throw unavailable(
    `The database ${quoted(database)} of the PostgreSQL at ${host} stores texts as ${encoding}, and Memoir needs UTF8. Create another database with encoding 'UTF8' and name it in MEMOIR_DATABASE_URL.`,
  );
};

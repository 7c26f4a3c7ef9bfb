// The reason why a PostgreSQL cannot be used, as a sentence with the setting and the remedy.
import { MemoirError, unavailable } from '../../../../core/errors.ts';
import { messageOf } from '../../../../lib/failures.ts';
import { databaseCode, isDatabaseAway } from '../faults.ts';

const OLDEST = 15;
const OLDEST_NUMBER = OLDEST * 10_000;

interface Place {
  readonly host: string;
  readonly user: string;
  readonly database: string;
}

const placeOf = (url: string): Place => {
  const { host, username, pathname } = new URL(url);
  const user = decodeURIComponent(username);
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

const noRight: Explain = ({ host, user, database }, message) =>
  `The user ${quoted(user)} may not create what Memoir needs in ${quoted(database)} of the PostgreSQL at ${host} (${message}). Nothing was changed. As an administrator run there: create role memoir_requests nologin; grant memoir_requests to ${quoted(user)}; grant create on database ${quoted(database)} to ${quoted(user)}; grant usage, create on schema public to ${quoted(user)}; or name another user in MEMOIR_DATABASE_URL.`;

const BY_CODE: Readonly<Record<string, Explain>> = {
  '28P01': refusedUser,
  '28000': refusedUser,
  '3D000': ({ host, database }) =>
    `The PostgreSQL at ${host} has no database ${quoted(database)}. Create it there with: create database ${quoted(database)} template template0 encoding 'UTF8' lc_collate 'C' lc_ctype 'C'; or name another one in MEMOIR_DATABASE_URL.`,
  '42501': noRight,
  // Without the right to use it, the schema is not there.
  '3F000': noRight,
  '53300': ({ host }) =>
    `The PostgreSQL at ${host} has no connection left. Lower MEMOIR_DATABASE_CONNECTIONS of the processes that use it, or raise its max_connections.`,
};

/** The driver fails without a code when a server demands a password and none is given. */
const NO_PASSWORD = /password must be a string|no password supplied/i;

const sentence = (error: unknown, place: Place): string => {
  const message = messageOf(error).replace(/\.$/, '');
  const known = BY_CODE[databaseCode(error)];
  if (known !== undefined) return known(place, message);
  if (NO_PASSWORD.test(message)) return refusedUser(place, 'it asks for a password, and none is set');
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

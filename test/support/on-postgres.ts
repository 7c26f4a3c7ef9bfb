// The settings of a whole Memoir on PostgreSQL.
import { startExternalChroma } from '../service/support/external-chroma.ts';
import { startPostgres } from './postgres.ts';

/** Nothing answers there: searches compare exactly. */
export const NO_CHROMA = 'http://127.0.0.1:9';

export const onPostgres = (url: string): Record<string, string> => ({
  MEMOIR_DATABASE_URL: url,
  MEMOIR_SECRET_KEY: 'a secret key for tests, long enough',
  CHROMA_URL: NO_CHROMA,
});

/** Where MEMOIR_TEST_ON=postgres says so, every Memoir of a test works on a database of its own. */
export const isOnPostgres = process.env.MEMOIR_TEST_ON === 'postgres';

/** In a test of the data folder alone: ends it elsewhere, and shows the reason. */
export const onlyInDataFolder = (skip: (reason: string) => never, reason: string): void => {
  if (isOnPostgres) skip(reason);
};

let started: ReturnType<typeof startPostgres> | undefined;

/** The server ends with the process of the tests. */
export const takeDatabase = async (): Promise<string> => {
  started ??= startPostgres(null);
  const postgres = await started;
  if ('missing' in postgres) throw new Error(`No PostgreSQL could be started: ${postgres.missing}`);
  return postgres.take();
};

export interface OwnChroma {
  /** The settings of a Memoir that uses it. */
  readonly env: Record<string, string>;
  close(): Promise<void>;
}

/**
 * A Chroma for a file whose tests reindex: a new embedding space is switched to once Chroma holds it, or after a minute. On
 * SQLite each Memoir has one already.
 */
export const takeChroma = async (): Promise<OwnChroma> => {
  const chroma = isOnPostgres ? await startExternalChroma() : null;
  return {
    env: chroma === null ? {} : { CHROMA_URL: chroma.url() },
    close: async () => chroma?.close(),
  };
};

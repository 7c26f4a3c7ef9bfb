// Checks a PostgreSQL before it is used, and migrates its database.
import { openPool } from '../connection.ts';
import { endWithLink, watchLink } from '../link.ts';
import { migratePostgres } from '../migrate.ts';
import { explainedDatabase, requireEncoding, requireVersion } from './explain.ts';

/** `url` leads to the database itself: a pooler may not allow changes of tables. Answers with the version of the server. */
export const prepareDatabase = async (url: string): Promise<string> => {
  const link = watchLink({ url });
  const pool = openPool({ url, most: 1, prepared: false, link, lost: () => undefined });
  try {
    const { rows } = await pool.query<{ number: string; version: string; encoding: string }>(
      `select current_setting('server_version_num') as number, current_setting('server_version') as version,
        current_setting('server_encoding') as encoding`,
    );
    const [{ number, version, encoding } = { number: '0', version: '', encoding: '' }] = rows;
    requireVersion(Number(number), url);
    requireEncoding(encoding, url);
    await migratePostgres(pool);
    return version.split(' ')[0] ?? version;
  } catch (error) {
    throw explainedDatabase(error, url);
  } finally {
    await endWithLink(pool, link);
  }
};

// Named forward migrations. A database is refused if it is newer than this program, or if its migrations are others.
import type { Pool, PoolClient } from 'pg';
import { unavailable } from '../../../core/errors.ts';
import { messageOf } from '../../../lib/failures.ts';
import { executeLarge } from './connection.ts';
import { postgresTables } from './migrations/001-tables.ts';
import { postgresTriggers } from './migrations/002-triggers.ts';
import { postgresRequests } from './migrations/003-requests.ts';
import { postgresProcesses } from './migrations/004-processes.ts';
import { postgresConnections } from './migrations/005-connections.ts';
import { postgresAudit } from './migrations/006-audit.ts';
import { postgresBoots } from './migrations/007-boots.ts';
import { postgresConnectionDocuments } from './migrations/008-connection-documents.ts';
import { postgresTeam } from './migrations/009-team.ts';
import { postgresSharedState } from './migrations/010-shared-state.ts';
import { postgresUsage } from './migrations/011-usage.ts';
import { postgresQuotas } from './migrations/012-quotas.ts';
import { postgresHooks } from './migrations/013-hooks.ts';
import { postgresUnitNumbers } from './migrations/014-unit-numbers.ts';
import { postgresVectorChanges } from './migrations/015-vector-changes.ts';
import { postgresRequestLog } from './migrations/016-request-log.ts';
import { postgresHiddenDocuments } from './migrations/017-hidden-documents.ts';
import { postgresUnitVersions } from './migrations/018-unit-versions.ts';
import { postgresRowVersions } from './migrations/019-row-versions.ts';
import { postgresIndexedContainers } from './migrations/020-indexed-containers.ts';
import { postgresWriteReceipts } from './migrations/021-write-receipts.ts';
import { LEASE_SECONDS } from './processes/boot.ts';
import { LIVING_PROCESSES } from './processes/processes.ts';

/** Statements by the name that is stored when they were applied, in order. */
type Migrations = Readonly<Record<string, string>>;

const all: Migrations = {
  tables: postgresTables,
  triggers: postgresTriggers,
  requests: postgresRequests,
  processes: postgresProcesses,
  connections: postgresConnections,
  audit: postgresAudit,
  boots: postgresBoots,
  connectionDocuments: postgresConnectionDocuments,
  team: postgresTeam,
  sharedState: postgresSharedState,
  usage: postgresUsage,
  quotas: postgresQuotas,
  hooks: postgresHooks,
  unitNumbers: postgresUnitNumbers,
  vectorChanges: postgresVectorChanges,
  requestLog: postgresRequestLog,
  hiddenDocuments: postgresHiddenDocuments,
  unitVersions: postgresUnitVersions,
  rowVersions: postgresRowVersions,
  indexedContainers: postgresIndexedContainers,
  writeReceipts: postgresWriteReceipts,
};

/** Of the transaction that migrates: of several processes that start at once one migrates, and the others find it done. */
const MIGRATION_LOCK = 7_203_418;
/** A change of a table must not make every other statement wait behind one that takes long. */
const LOCK_TIMEOUT = '5s';

const REMEDY =
  'Start the version that wrote the database, or give the address of another one in MEMOIR_DATABASE_URL.';

const storedNames = async (client: PoolClient): Promise<string[]> => {
  await client.query(
    'create table if not exists migrations (n integer primary key, name text not null unique)',
  );
  const { rows } = await client.query<{ name: string }>('select name from migrations order by n');
  return rows.map(({ name }) => name);
};

const requireSameNames = (applied: readonly string[], known: readonly string[]): void => {
  if (applied.length > known.length)
    throw new Error(
      `The database was written by a newer Memoir (schema ${applied.length}, this one knows ${known.length}). ${REMEDY}`,
    );
  const at = applied.findIndex((name, index) => name !== known[index]);
  if (at >= 0)
    throw new Error(
      `The database was written by a version of Memoir with other migrations: migration ${at + 1} of the database is "${applied[at]}", and this version has "${known[at]}" there. Nothing was changed. ${REMEDY}`,
    );
};

/** The knowledge of a process about the tables would be wrong after a migration. */
const requireNobodyElse = async (client: PoolClient, applied: readonly string[]): Promise<void> => {
  if (!applied.includes('processes')) return;
  const { rows } = await client.query<{ place: string }>(LIVING_PROCESSES);
  if (rows.length === 0) return;
  throw unavailable(
    `This version has to migrate the database, and another Memoir works on it (${rows.map(({ place }) => place).join(', ')}). Nothing was changed. Stop all processes of the former version before you start this one; one that was killed counts as stopped after ${LEASE_SECONDS} seconds.`,
  );
};

const applyMissing = async (client: PoolClient, migrations: Migrations): Promise<void> => {
  await client.query(`select pg_advisory_xact_lock(${MIGRATION_LOCK})`);
  await client.query(`set local lock_timeout = '${LOCK_TIMEOUT}'`);
  const applied = await storedNames(client);
  requireSameNames(applied, Object.keys(migrations));
  if (applied.length < Object.keys(migrations).length) await requireNobodyElse(client, applied);
  for (const [index, [name, statements]] of Object.entries(migrations).entries()) {
    if (index < applied.length) continue;
    try {
      await executeLarge(client, statements);
    } catch (cause) {
      throw new Error(
        `Migration ${index + 1} of the database ("${name}") failed and changed nothing: ${messageOf(cause)}. ${REMEDY}`,
        { cause },
      );
    }
    await client.query('insert into migrations (n, name) values ($1, $2)', [index + 1, name]);
  }
};

/** All in one transaction, so that a database is never between two versions. */
export const migratePostgres = async (pool: Pool, migrations: Migrations = all): Promise<void> => {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await applyMissing(client, migrations);
    await client.query('commit');
  } catch (error) {
    // A lost connection has undone the transaction already.
    await client.query('rollback').catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
};

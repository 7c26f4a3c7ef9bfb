// A PostgreSQL with a standby that follows it: what the primary acknowledges is on both.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { freePort, type PostgresServer, postgresIn } from './postgres.ts';
import { until } from './until.ts';

export interface ReplicatedPostgres {
  readonly primary: PostgresServer;
  /** The address of the standby, which is read-only until it is promoted. */
  readonly standbyUrl: string;
  promote(): Promise<void>;
  stop(): Promise<void>;
}

const ask = async (url: string, statement: string): Promise<Record<string, unknown>[]> => {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
};

export const startReplicated = async (): Promise<ReplicatedPostgres> => {
  const folder = mkdtempSync(join(tmpdir(), 'memoir-primary-'));
  const copy = `${folder}-standby`;
  const [port, standbyPort] = [await freePort(), await freePort()];
  const primary = await postgresIn(folder, port, {
    keeping: true,
    settings: ['synchronous_standby_names=*'],
  });
  await primary.initialise();
  // With its owner. The primary has not begun, so that the copy is whole.
  execFileSync('cp', ['-Rp', folder, copy]);
  writeFileSync(join(copy, 'standby.signal'), '');
  const { username, password } = new URL(primary.url);
  const source = `host=127.0.0.1 port=${port} user=${username} password=${password} application_name=standby`;
  const standby = await postgresIn(copy, standbyPort, {
    ...{ keeping: true, settings: [`primary_conninfo=${source}`] },
  });
  await primary.start();
  // It counts as started once it is promoted.
  const promoted = standby.start();
  promoted.catch(() => undefined);
  await until('a standby that follows', async () => {
    const rows = await ask(primary.url, 'select sync_state from pg_stat_replication');
    return rows[0]?.sync_state === 'sync';
  });
  return {
    primary,
    standbyUrl: standby.url,
    async promote() {
      await ask(standby.url, 'select pg_promote(false)');
      await promoted;
    },
    async stop() {
      await Promise.all([primary.stop(), standby.stop()]);
      for (const each of [folder, copy]) rmSync(each, { recursive: true, force: true });
    },
  };
};

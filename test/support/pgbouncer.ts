// PgBouncer in transaction mode before a PostgreSQL, where the program is installed.
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './postgres.ts';
import { until } from './until.ts';

export const hasPgBouncer = spawnSync('pgbouncer', ['--version']).status === 0;

export interface Pooler {
  /** The address of the same database through the pooler. */
  readonly url: string;
  stop(): Promise<void>;
}

const SERVER_CONNECTIONS = 4;

const settings = ({ hostname, port, pathname }: URL, listenPort: number, users: string): string => `
[databases]
${pathname.slice(1)} = host=${hostname} port=${port} dbname=${pathname.slice(1)}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listenPort}
unix_socket_dir =
auth_type = plain
auth_file = ${users}
pool_mode = transaction
default_pool_size = ${SERVER_CONNECTIONS}
max_client_conn = 200
`;

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.end());
  });

export const startPgBouncer = async (database: string): Promise<Pooler> => {
  const folder = mkdtempSync(join(tmpdir(), 'memoir-pgbouncer-'));
  const port = await freePort();
  const address = new URL(database);
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    chmodSync(join(folder, name), 0o644);
    return join(folder, name);
  };
  // It refuses to run as root.
  chmodSync(folder, 0o755);
  const users = file('users.txt', `"${address.username}" "${address.password}"\n`);
  const config = file('pgbouncer.ini', settings(address, port, users));
  const asUser = process.getuid?.() === 0 ? ['-u', 'postgres'] : [];
  const child = spawn('pgbouncer', [...asUser, '-q', config], { stdio: 'ignore' });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  await until('an answer of the pooler', () => answers(port));
  const pooled = new URL(database);
  pooled.port = String(port);
  return {
    url: pooled.href,
    async stop() {
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

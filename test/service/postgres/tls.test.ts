// Tests of TLS to PostgreSQL by the usual parameters of its address: what is not trusted is refused with a sentence.
import { chownSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { describe, expect, test } from 'vitest';
import { TEST_CERTIFICATE, TEST_CERTIFICATE_KEY } from '../../fakes/support/certificate.ts';
import { startMemoir } from '../../support/memoir.ts';
import { onPostgres } from '../../support/on-postgres.ts';
import { freePort, type PostgresServer, postgresIn } from '../../support/postgres.ts';
import { databaseRows } from '../../support/stored-rows.ts';
import { thrownBy } from '../../support/thrown.ts';
import { until } from '../../support/until.ts';

const folder = mkdtempSync(join(tmpdir(), 'memoir-tls-'));
const [authority, stranger] = [join(folder, 'authority.pem'), join(folder, 'stranger.pem')];
writeFileSync(authority, TEST_CERTIFICATE);
writeFileSync(stranger, rootCertificates[0] ?? '');

/** PostgreSQL wants its key to belong to its own user. */
const giveCertificate = (data: string): void => {
  const { uid, gid } = statSync(data);
  for (const [name, text] of [
    ['server.crt', TEST_CERTIFICATE],
    ['server.key', TEST_CERTIFICATE_KEY],
  ] as const) {
    writeFileSync(join(data, name), text, { mode: 0o600 });
    chownSync(join(data, name), uid, gid);
  }
};

const folders = [folder];

const startServer = async (settings: readonly string[]): Promise<PostgresServer> => {
  const data = mkdtempSync(join(tmpdir(), 'memoir-tls-postgres-'));
  folders.push(data);
  const server = await postgresIn(data, await freePort(), { settings });
  await server.initialise();
  if (settings.length > 0) giveCertificate(data);
  await server.start();
  return server;
};

const started = await (async () => {
  try {
    return { server: await startServer(['ssl=on', 'listen_addresses=*']) };
  } catch (error) {
    if (process.env.MEMOIR_TEST_REQUIRE_POSTGRES === '1') throw error;
    return { missing: String(error) };
  }
})();

const encrypted = (url: string, file: string, host = '127.0.0.1'): string => {
  const address = new URL(url);
  address.hostname = host;
  address.search = new URLSearchParams({ sslmode: 'verify-full', sslrootcert: file }).toString();
  return address.href;
};

const refusal = async (url: string): Promise<string> =>
  (await thrownBy(() => startMemoir(onPostgres(url)))).message;

/** The numbers of encrypted and of plain connections of others. */
const connections = async (url: string): Promise<Record<string, unknown> | undefined> => {
  const rows = await databaseRows(
    url,
    `select count(*) filter (where ssl)::int as encrypted, count(*) filter (where not ssl)::int as plain
      from pg_stat_ssl inner join pg_stat_activity using (pid)
      where backend_type = 'client backend' and pid <> pg_backend_pid()`,
  );
  return rows[0];
};

describe.skipIf('missing' in started)(`TLS to PostgreSQL (${started.missing ?? 'embedded'})`, () => {
  const url = started.server?.url ?? '';

  test('every connection is encrypted, and the certificate is that of the authority in sslrootcert', async () => {
    const memoir = await startMemoir(onPostgres(encrypted(url, authority)));
    await memoir.add({ content: 'Ada keeps bees behind the mill.', containerTag: 'farm' });
    const found = await memoir.ask<{ results: unknown[] }>('POST', '/v3/search', {
      ...{ q: 'who keeps bees', containerTags: ['farm'] },
    });
    expect(found.body.results).toHaveLength(1);
    const open = await connections(url);
    expect(open?.plain).toBe(0);
    // The pools of requests and of ingestion, the links of both, and the one for signals.
    expect(open?.encrypted).toBeGreaterThanOrEqual(5);
    await memoir.close();
  });

  test('a certificate of another authority is refused with the parameter that names the right one', async () => {
    const message = await refusal(encrypted(url, stranger));
    expect(message).toMatch(/^The certificate of the PostgreSQL at 127\.0\.0\.1:\d+ is not trusted/);
    expect(message).toContain('sslrootcert=');
    expect(message).not.toContain(`:${new URL(url).password}@`);
  });

  test.skipIf(process.platform !== 'linux')('a certificate of another host is refused', async () => {
    const message = await refusal(encrypted(url, authority, '127.0.0.2'));
    expect(message).toMatch(/^The certificate of the PostgreSQL at 127\.0\.0\.2:\d+ is not trusted/);
    expect(message).toContain('the host as the certificate names it');
  });

  test('a file that is not there is refused with its name', async () => {
    const message = await refusal(encrypted(url, join(folder, 'absent.pem')));
    expect(message).toContain('absent.pem');
    expect(message).toContain('Correct its sslrootcert');
  });

  test('a server that takes TLS alone refuses an address without it, with the parameter that asks for it', async () => {
    const rules = join(folders[1] ?? '', 'pg_hba.conf');
    const before = readFileSync(rules, 'utf8');
    writeFileSync(rules, 'hostssl all all all password\n');
    await databaseRows(url, 'select pg_reload_conf()');
    const isRefused = () =>
      databaseRows(url, 'select 1').then(
        () => false,
        () => true,
      );
    await until('a refusal', isRefused);
    const message = await refusal(url);
    expect(message).toContain('takes the user "postgres" only with TLS');
    expect(message).toContain('?sslmode=verify-full');
    writeFileSync(rules, before);
    await databaseRows(encrypted(url, authority), 'select pg_reload_conf()');
  });

  test('a server without TLS is refused where the address asks for it', async () => {
    const plain = await startServer([]);
    expect(await refusal(encrypted(plain.url, authority))).toContain('speaks no TLS');
    await plain.stop();
    await started.server?.stop();
    for (const each of folders) rmSync(each, { recursive: true, force: true });
  });
});

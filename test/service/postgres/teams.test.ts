// Tests of members, mails, usage and quotas of real processes on one PostgreSQL.
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { migratedPostgres } from '../../adapters/store/open-postgres.ts';
import { describeOnPostgres } from '../../adapters/store/postgres/with-postgres.ts';
import { type Server, start } from '../../crash/server.ts';
import { newDataFolder } from '../../support/data-folder.ts';
import { onPostgres } from '../../support/on-postgres.ts';
import type { TestPostgres } from '../../support/postgres.ts';
import { startSmtp } from '../../support/smtp.ts';
import { databaseRows } from '../../support/stored-rows.ts';
import { until } from '../../support/until.ts';

const KEY = `sm_${'q7Zp4'.repeat(3)}x9Kd2Vb8`;
const LIMIT_MS = 180_000;
/** A change that was not heard of is noticed after this. */
const FRESH_MS = 5_000;

interface Answer<T> {
  status: number;
  headers: Headers;
  body: T;
}

type Body = Record<string, unknown>;

const ask = async <T = Body>(
  { url }: Pick<Server, 'url'>,
  method: string,
  path: string,
  {
    body,
    headers = { authorization: `Bearer ${KEY}` },
  }: { body?: object; headers?: Record<string, string> } = {},
): Promise<Answer<T>> => {
  const answer = await fetch(url + path, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, body: (text === '' ? {} : JSON.parse(text)) as T };
};

const by = (key: string) => ({ headers: { authorization: `Bearer ${key}` } });

interface Fleet {
  url: string;
  processes: Server[];
  end(): Promise<void>;
}

const startProcesses = async (
  postgres: TestPostgres,
  envs: readonly Record<string, string>[],
): Promise<Fleet> => {
  const url = await postgres.take();
  const dir = newDataFolder('teams');
  const starts: ReturnType<typeof start>[] = [];
  const processes: Server[] = [];
  for (const [at, env] of envs.entries()) {
    const place = join(dir, String(at));
    mkdirSync(place);
    const folder = { dir: place, key: KEY, logFile: join(dir, `log-${at}`) };
    const starting = start({ ...folder, env: { ...onPostgres(url), MEMOIR_ROLE: 'api', ...env } });
    starts.push(starting);
    processes.push(await starting.ready);
  }
  return {
    url,
    processes,
    async end() {
      await Promise.all(starts.map(({ kill }) => kill(true)));
      rmSync(dir, { recursive: true, force: true });
      await postgres.giveBack(url);
    },
  };
};

/** A pooler that forwards no notifications. */
const DEAF = { MEMOIR_DATABASE_POOLED: '1' };

const addedMember = async (at: Server, email: string) =>
  (await ask<{ id: string; key: string }>(at, 'POST', '/v3/auth/team/members', { body: { email } })).body;

const cookieOf = async (at: Server, key: string): Promise<string> => {
  const own = { 'sec-fetch-site': 'same-origin' };
  const { headers } = await ask(at, 'POST', '/console/session', { body: { key }, headers: own });
  return /=([\w-]+);/.exec(headers.get('set-cookie') ?? '')?.[1] ?? '';
};

/** The name of the cookie holds the port of the process. */
const inBrowser = ({ url }: Server, cookie: string) => ({
  headers: { cookie: `memoir_session_${new URL(url).port}=${cookie}`, 'sec-fetch-site': 'same-origin' },
});

const endsEverywhere = (postgres: TestPostgres): void =>
  test(
    'a disabled key, an ended session and a removed member are refused at once where that was done, and by the others',
    async () => {
      const fleet = await startProcesses(postgres, [{}, {}, DEAF]);
      const [first, second, deaf] = fleet.processes as [Server, Server, Server];
      const everyone = [first, second, deaf];
      const ada = await addedMember(first, 'ada@example.org');
      const bob = await addedMember(first, 'bob@example.org');
      const key = (
        await ask<{ id: string; key: string }>(first, 'POST', '/v3/auth/agent-key', {
          body: { name: 'ends', permission: 'write' },
        })
      ).body;
      const cookie = await cookieOf(first, ada.key);
      const personal = (
        await ask<{ key: string }>(first, 'POST', '/v3/auth/agent-key', {
          body: { name: 'made', permission: 'read' },
          ...by(bob.key),
        })
      ).body;
      const session = (at: Server, as: object) =>
        ask(at, 'GET', '/v3/session', as).then(({ status }) => status);
      const listed = await ask<{ sessions: { id: string }[] }>(first, 'GET', '/v3/auth/sessions', {
        ...by(ada.key),
      });
      const ends: [string, (at: Server) => object, () => Promise<Answer<Body>>][] = [
        ['the key', () => by(key.key), () => ask(first, 'DELETE', `/v3/auth/scoped-key/${key.id}`)],
        [
          'the session',
          (at) => inBrowser(at, cookie),
          () => ask(first, 'DELETE', `/v3/auth/sessions/${listed.body.sessions[0]?.id}`, by(ada.key)),
        ],
        ['the member', () => by(bob.key), () => ask(first, 'DELETE', `/v3/auth/team/members/${bob.id}`)],
      ];
      for (const [what, as, end] of ends) {
        for (const at of everyone) expect([what, await session(at, as(at))]).toEqual([what, 200]);
        if (what === 'the member')
          for (const at of everyone) expect(await session(at, by(personal.key))).toBe(200);
        expect([what, (await end()).status]).toEqual([what, 200]);
        expect([what, await session(first, as(first))], 'at once').toEqual([what, 401]);
        const refused = async (at: Server) => (await session(at, as(at))) === 401;
        const heard = await until(`${what} to be refused elsewhere`, () => refused(second), FRESH_MS - 1_000);
        const unheard = await until(`${what} to be refused unheard`, () => refused(deaf));
        if (process.env.MEMOIR_TEST_TIMES)
          process.stderr.write(`${what}: ${heard} ms, unheard ${unheard} ms\n`);
      }
      expect(await session(first, by(personal.key)), 'a key of the member').toBe(401);
      for (const at of [second, deaf])
        await until(
          'the key of the member to be refused',
          async () => (await session(at, by(personal.key))) === 401,
        );
      await fleet.end();
    },
    LIMIT_MS,
  );

const addsUp = (postgres: TestPostgres): void =>
  test(
    'usage adds up to the call, and a quota holds over both within 1 %',
    async () => {
      const fleet = await startProcesses(postgres, [{}, {}]);
      const key = (
        await ask<{ id: string; key: string }>(fleet.processes[0] as Server, 'POST', '/v3/auth/agent-key', {
          body: { name: 'counted', permission: 'write' },
        })
      ).body;
      const QUOTA = 200;
      const quotas = { documentsPerDay: QUOTA };
      await ask(fleet.processes[0] as Server, 'PATCH', `/v3/auth/keys/${key.id}`, { body: { quotas } });
      let taken = 0;
      /** One caller of each process, until it is refused. */
      const addUntilRefused = async (at: Server): Promise<void> => {
        for (let n = 0; n < 2 * QUOTA; n++) {
          const body = { content: `Line ${n} of ${at.url}.`, containerTag: 'counted' };
          const { status } = await ask(at, 'POST', '/v3/documents', { body, ...by(key.key) });
          if (status === 429) return;
          expect(status).toBe(200);
          taken += 1;
        }
      };
      await Promise.all(fleet.processes.map(addUntilRefused));
      expect(Math.abs(taken - QUOTA), `${taken} were taken`).toBeLessThanOrEqual(QUOTA / 100);
      for (const at of fleet.processes) {
        const { body } = await ask<{ quotas: { used: number }[] }>(at, 'GET', '/v3/quotas');
        expect(body.quotas[0]?.used).toBeGreaterThanOrEqual(taken - QUOTA / 10);
      }
      // Each writes what it has counted before it answers.
      const usage = async (at: Server) => {
        const { body } = await ask<{ byKey: { keyId: string; count: number; documents: number }[] }>(
          ...([at, 'GET', '/v3/analytics/usage?limit=100'] as const),
        );
        return body.byKey.find(({ keyId }) => keyId === key.id);
      };
      for (const at of fleet.processes) await usage(at);
      for (const at of fleet.processes)
        expect(await usage(at)).toMatchObject({ count: taken + 2, documents: taken });
      await fleet.end();
    },
    LIMIT_MS,
  );

const mailsOnce = (postgres: TestPostgres): void =>
  test(
    'no mail is sent twice: invitations, and notices of keys that end',
    async () => {
      const smtp = await startSmtp();
      const mail = {
        ...{ MEMOIR_SMTP_URL: smtp.url, MEMOIR_MAIL_FROM: 'm@example.org', MEMOIR_TIMEZONE: 'UTC' },
        ...{ MEMOIR_BASE_URL: 'http://memoir.example', MEMOIR_MAIL_TO: 'operator@example.org' },
      };
      const before = await startProcesses(postgres, [mail, mail]);
      const [first, second] = before.processes as [Server, Server];
      const invited = Array.from({ length: 30 }, (_, at) => `guest-${at}@example.org`);
      await Promise.all(
        invited.map((email, at) =>
          ask(at % 2 === 0 ? first : second, 'POST', '/v3/auth/team/invite', { body: { email } }),
        ),
      );
      await until('all invitations', () => smtp.received.length >= invited.length);
      const keyBody = { body: { name: 'ends', permission: 'read', expiresInDays: 3 } };
      for (let n = 0; n < 5; n++) await ask(first, 'POST', '/v3/auth/agent-key', keyBody);
      // They were made for a month, and end within the day.
      const month = 30 * 86_400_000;
      await databaseRows(
        before.url,
        `update keys set created_at = created_at - ${month}, expires_at = created_at + 43200000 where name = 'ends'`,
      );
      await Promise.all(before.processes.map((each) => each.stop()));
      // Both look when they start.
      const dir = newDataFolder('mails');
      const again = [0, 1, 2].map((at) => {
        mkdirSync(join(dir, String(at)));
        const folder = { dir: join(dir, String(at)), key: KEY, logFile: join(dir, `log-${at}`) };
        return start({ ...folder, env: { ...onPostgres(before.url), MEMOIR_ROLE: 'api', ...mail } });
      });
      const running = await Promise.all(again.map(({ ready }) => ready));
      await smtp.mailTo('operator@example.org');
      await Promise.all(running.map((each) => each.stop()));
      const told = smtp.received.map(({ to }) => to.join()).sort();
      expect(told).toEqual([...invited, 'operator@example.org'].sort());
      // In the text and in the HTML.
      expect(smtp.received.at(-1)?.text.match(/ends on/g)).toHaveLength(10);
      rmSync(dir, { recursive: true, force: true });
      await smtp.close();
      await before.end();
    },
    LIMIT_MS,
  );

await describeOnPostgres('several processes of a team on one PostgreSQL', migratedPostgres, (postgres) => {
  endsEverywhere(postgres);
  addsUp(postgres);
  mailsOnce(postgres);
});

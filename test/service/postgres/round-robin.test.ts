// Tests of clients whose every request goes to another process: nothing of a conversation stays in one of them.
import Supermemory from 'supermemory';
import { expect, test } from 'vitest';
import { migratedPostgres } from '../../adapters/store/open-postgres.ts';
import { describeOnPostgres } from '../../adapters/store/postgres/with-postgres.ts';
import { openAgent } from '../../mcp/support/agents.ts';
import { startMemoir } from '../../support/memoir.ts';
import { choice, connect, jsonOf, postForm, refresh, register } from '../../support/oauth.ts';
import { onPostgres } from '../../support/on-postgres.ts';
import { hasPgBouncer, startPgBouncer } from '../../support/pgbouncer.ts';
import type { TestPostgres } from '../../support/postgres.ts';
import { startRoundRobin } from '../../support/round-robin.ts';
import { found, until } from '../../support/until.ts';

const ROLES = ['api', 'api', 'worker'] as const;

/** Two processes that answer behind a proxy, and a worker. */
const startBehindProxy = async (env: Record<string, string>) => {
  const proxy = await startRoundRobin();
  const shared = { ...env, MEMOIR_BASE_URL: proxy.url };
  const processes = await Promise.all(ROLES.map((role) => startMemoir({ ...shared, MEMOIR_ROLE: role })));
  proxy.serve(processes.filter((_, at) => ROLES[at] === 'api').map(({ url }) => url));
  return {
    url: proxy.url,
    key: processes.map(({ key }) => key).find((key) => key !== '') ?? '',
    async close() {
      for (const each of processes) await each.close();
      await proxy.close();
    },
  };
};

type Behind = Awaited<ReturnType<typeof startBehindProxy>>;

const publishedClient = async ({ url, key }: Behind): Promise<void> => {
  const client = new Supermemory({ baseURL: url, apiKey: key });
  const { id } = await client.add({ content: 'Ada keeps bees behind the mill.', containerTag: 'farm' });
  await found('the document', async () => ((await client.documents.get(id)).status === 'done' ? true : null));
  const { results } = await client.search.documents({ q: 'who keeps bees', containerTags: ['farm'] });
  expect(results.map(({ documentId }) => documentId)).toEqual([id]);
};

const agents = async ({ url, key }: Behind): Promise<void> => {
  for (const generation of ['2025', '2026'] as const) {
    const agent = await openAgent(generation, { url, key });
    const tools = await agent.tools();
    expect(tools.length).toBeGreaterThan(2);
    const answer = await agent.call('search', { query: 'who keeps bees', containerTag: 'farm' });
    expect(answer.text).toContain('bees');
    await agent.close();
  }
};

const connectPage = async (behind: Behind): Promise<void> => {
  const { client_id: clientId = '' } = await jsonOf(await register(behind));
  const program = await connect(behind, clientId);
  const back = await program.allow(behind.key, choice('read', ['farm']));
  const code = back.searchParams.get('code') ?? '';
  const first = await program.exchange(code);
  expect(first.status).toBe(200);
  const tokens = await jsonOf(first);
  const session = (token: string) =>
    fetch(`${behind.url}/v3/session`, { headers: { authorization: `Bearer ${token}` } });
  for (let n = 0; n < ROLES.length; n++) expect((await session(tokens.access_token ?? '')).status).toBe(200);
  const renewed = await refresh(behind, clientId, tokens.refresh_token ?? '');
  expect(renewed.status).toBe(200);
  // A code is used once, whichever process gets it.
  expect((await program.exchange(code)).status).toBe(400);
  const again = await connect(behind, clientId);
  const { access_token: access, refresh_token: token } = await again.tokens(
    behind.key,
    choice('read', ['farm']),
  );
  for (let n = 0; n < ROLES.length; n++) expect((await session(access)).status).toBe(200);
  const revoked = await postForm(`${behind.url}/oauth/revoke`, { token, client_id: clientId });
  expect(revoked.status).toBe(200);
  const isRefused = async () => (await session(access)).status === 401;
  await until('a refusal by each process', async () => (await isRefused()) && (await isRefused()), 4000);
};

const serves = async (env: Record<string, string>): Promise<void> => {
  const behind = await startBehindProxy(env);
  await publishedClient(behind);
  await agents(behind);
  await connectPage(behind);
  await behind.close();
};

await describeOnPostgres(
  'clients whose requests go to two processes in turn',
  migratedPostgres,
  (postgres: TestPostgres) => {
    test('the published client, agents and the connect page work', async () => {
      const url = await postgres.take();
      await serves(onPostgres(url));
      await postgres.giveBack(url);
    });

    test.skipIf(!hasPgBouncer)(
      `they work through PgBouncer in transaction mode with 4 connections (${hasPgBouncer ? 'installed' : 'not installed: apt-get install pgbouncer'})`,
      async () => {
        const url = await postgres.take();
        const pooler = await startPgBouncer(url);
        await serves({
          ...onPostgres(pooler.url),
          MEMOIR_DATABASE_POOLED: '1',
          MEMOIR_DATABASE_DIRECT_URL: url,
        });
        await pooler.stop();
        await postgres.giveBack(url);
      },
    );
  },
);

// Tests of two processes that do the same at the same moment: what one writer made safe stays so with several.
import pg from 'pg';
import { expect, test } from 'vitest';
import { migratedPostgres } from '../../adapters/store/open-postgres.ts';
import { describeOnPostgres } from '../../adapters/store/postgres/with-postgres.ts';
import { type OwnMemoir, startMemoir } from '../../support/memoir.ts';
import { choice, connect, jsonOf, register } from '../../support/oauth.ts';
import { onPostgres } from '../../support/on-postgres.ts';
import { until } from '../../support/until.ts';

const WRITERS = 40;

interface Pair {
  readonly url: string;
  readonly key: string;
  /** Takes turns between the two. */
  at(n: number): OwnMemoir;
  rows(statement: string): Promise<Record<string, unknown>[]>;
  settled(): Promise<void>;
}

const each = <T>(work: (n: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: WRITERS }, (_, n) => work(n)));

const add = ({ at, key }: Pair, n: number, body: object): Promise<number> =>
  at(n)
    .ask('POST', '/v3/documents', body, { key })
    .then(({ status }) => status);

const oneDocument = async (pair: Pair): Promise<void> => {
  const statuses = await each((n) =>
    add(pair, n, { content: `Revision ${n} of the plan.`, customId: 'plan', containerTag: 'race-id' }),
  );
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(
    await pair.rows(`select count(*)::int as n from documents where custom_id = 'plan' and deleted = 0`),
  ).toEqual([{ n: 1 }]);
  await pair.settled();
};

const oneTag = async (pair: Pair): Promise<void> => {
  await each((n) => add(pair, n, { content: `Note ${n} about bees.`, containerTag: 'race-tag' }));
  await pair.settled();
  const tags = `select count(*)::int as n from tags where tag = 'race-tag'`;
  expect(await pair.rows(tags)).toEqual([{ n: 1 }]);
  const counted = `select containers.documents::int as counted,
      (select count(*) from documents where container = containers.n and deleted = 0)::int as stored,
      containers.chunks::int - (select count(*) from chunks where n / 268435456 = containers.n)::int as missing
    from containers, container_tags, tags
    where container_tags.container = containers.n and tags.n = container_tags.tag and tags.tag = 'race-tag'`;
  expect(await pair.rows(counted)).toEqual([{ counted: WRITERS, stored: WRITERS, missing: 0 }]);
};

const oneMerge = async (pair: Pair): Promise<void> => {
  await each((n) => add(pair, n, { content: `Letter ${n} of Ada.`, containerTag: `race-source-${n % 2}` }));
  await pair.settled();
  const merge = {
    containerTags: ['race-source-0', 'race-source-1', 'race-target'],
    targetContainerTag: 'race-target',
  };
  const target = { content: 'Ada has a new desk.', containerTag: 'race-target' };
  expect(await add(pair, 0, target)).toBe(200);
  const asked = await Promise.all(
    [0, 1].map((n) => pair.at(n).ask('POST', '/v3/container-tags/merge', merge, { key: pair.key })),
  );
  expect(asked.some(({ status }) => status === 202)).toBe(true);
  const under = (tag: string) =>
    pair.rows(`select count(*)::int as n from documents where deleted = 0 and tags::json ->> 0 = '${tag}'`);
  await until(
    'all documents under the target',
    async () => (await under('race-target'))[0]?.n === WRITERS + 1,
  );
  expect(await under('race-source-0')).toEqual([{ n: 0 }]);
};

const oneUseOfACode = async (pair: Pair): Promise<void> => {
  const behind = { url: pair.at(0).url };
  const { client_id: clientId = '' } = await jsonOf(await register(behind));
  const program = await connect(behind, clientId);
  const code = (await program.allow(pair.key, choice('read', ['race-tag']))).searchParams.get('code') ?? '';
  const answers = await Promise.all([program.exchange(code), program.exchange(code), program.exchange(code)]);
  expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
  expect(
    await pair.rows(
      `select count(*)::int as n from oauth_tokens where kind = 'AuthorizationCode' and consumed_at is null`,
    ),
  ).toEqual([{ n: 0 }]);
};

const oneSetting = async (pair: Pair): Promise<void> => {
  const answers = await each((n) =>
    pair
      .at(n)
      .ask('PATCH', '/v3/settings', { filterPrompt: `Keep ${n}.`, shouldLLMFilter: true }, { key: pair.key }),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(await pair.rows(`select count(*)::int as n from settings where key = 'filterPrompt'`)).toEqual([
    { n: 1 },
  ]);
};

await describeOnPostgres('two processes at the same moment', migratedPostgres, (postgres) => {
  test(`${WRITERS} writers to one customId, one new tag, one merge, one code and one setting`, async () => {
    const url = await postgres.take();
    const both = await Promise.all([startMemoir(onPostgres(url)), startMemoir(onPostgres(url))]);
    const [first, second] = both;
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => undefined);
    await client.connect();
    const rows: Pair['rows'] = async (statement) => (await client.query(statement)).rows;
    const pair: Pair = {
      url,
      key: first.key === '' ? second.key : first.key,
      at: (n) => (n % 2 === 0 ? first : second),
      rows,
      async settled() {
        await until('an empty queue', async () => {
          const waiting = await rows(
            `select 1 from documents where deleted = 0 and step not in ('done', 'failed')`,
          );
          return waiting.length === 0;
        });
      },
    };
    await oneDocument(pair);
    await oneTag(pair);
    await oneMerge(pair);
    await oneUseOfACode(pair);
    await oneSetting(pair);
    const failed = await rows(`select id from documents where step = 'failed'`);
    expect(failed).toEqual([]);
    await client.end();
    for (const one of both) await one.close();
    await postgres.giveBack(url);
  });
});

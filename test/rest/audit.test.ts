// The audit log over REST: one row for each change, none for a refusal, and nothing in it that was said.
import { describe, expect, test } from 'vitest';
import { AUDIT_ACTIONS } from '../../server/core/audit.ts';
import { namespaceRows } from '../../server/http/namespaces/rows.ts';
import { operations } from '../../tools/registry.generated.ts';
import { verifies } from '../spec/verifies.ts';
import { storedRows } from '../support/stored-rows.ts';
import { until } from '../support/until.ts';
import { agentKey, scopedKey } from './support/keys.ts';
import { type Refusal, useOwnMemoir } from './support/use-memoir.ts';

const api = useOwnMemoir();

interface Entry {
  n: number;
  at: string;
  actor: { kind: string; id: string; name: string };
  way: string;
  requestId: string | null;
  action: string;
  target: { kind: string; id: string } | null;
  containerTags: string[];
  details: Record<string, unknown>;
  address: string | null;
  hash: string;
}

interface Listed extends Refusal {
  entries: Entry[];
  pagination: { currentPage: number; totalItems: number; totalPages: number; limit: number };
}

const list = async (query = ''): Promise<Listed> => (await api.ask<Listed>('GET', `/v3/audit${query}`)).body;

/** The rows that a call leaves. */
const leaves = async (
  method: string,
  path: string,
  body?: unknown,
  as: { key?: string } = {},
): Promise<{ status: number; rows: Entry[]; body: Record<string, unknown> }> => {
  const last = (await list('?limit=1')).entries[0]?.n ?? 0;
  const answer = await api.ask<Record<string, unknown>>(method, path, body, as);
  return { status: answer.status, rows: (await list(`?after=${last}`)).entries, body: answer.body };
};

const operationsOfAll = [...operations, ...namespaceRows];
const writesOf = operationsOfAll.filter(({ permission }) => permission === 'write');

/** They open a page, show a token or send a mail, and change nothing. */
const CHANGE_NOTHING = [
  ...['connections.hostedPicker', 'connections.choicePage', 'connections.readHook'],
  'settings.testMail',
];

test('every operation that changes something and reaches the organisation names its action', () => {
  const silent = writesOf.filter(({ reaches, audits }) => reaches === 'organisation' && audits === undefined);
  expect(silent.map(({ name }) => name).sort()).toEqual(CHANGE_NOTHING.toSorted());
});

type Change = [action: string, method: string, path: string, body?: unknown];

/** What each action needs, made before it. */
const changes = async (): Promise<Change[]> => {
  const [disabled, toggled, changed, rotated] = await Promise.all(
    ['disabled', 'toggled', 'changed', 'rotated'].map((name) => agentKey(api, { name })),
  );
  const [gone, source, target] = ['gone', 'source', 'target'];
  const [one, two, three] = await Promise.all(
    ['The first.', 'The second.', 'The third.'].map((content) => api.add({ content, containerTag: gone })),
  );
  await Promise.all([
    api.add({ content: 'From here.', containerTag: source }),
    api.add({ content: 'To there.', containerTag: target }),
  ]);
  const memories = ['Ada likes tea.', 'Ada plays the oboe.'].map((content) => ({ content }));
  const made = await api.ask<{ memories: { id: string }[] }>('POST', '/v4/memories', {
    containerTag: target,
    memories,
  });
  const session = await api.ask<{ org: { id: string } }>('GET', '/v3/session');
  return [
    ['key.create', 'POST', '/v3/auth/agent-key', { name: 'new', permission: 'read' }],
    ['key.create', 'POST', '/v3/auth/scoped-key', { containerTag: target }],
    ['key.create', 'GET', '/v3/auth/key?client=cursor'],
    ['key.disable', 'DELETE', `/v3/auth/scoped-key/${disabled?.id}`],
    ['key.toggle', 'PUT', `/v3/auth/keys/${toggled?.id}/toggle`],
    ['key.change', 'PATCH', `/v3/auth/keys/${changed?.id}`, { name: 'other' }],
    ['key.rotate', 'POST', `/v3/auth/keys/${rotated?.id}/rotate`],
    ['settings.change', 'PATCH', '/v3/settings', { chunkSize: 900 }],
    ['settings.change', 'PATCH', '/organization', { organizationalContext: 'A bakery.' }],
    ['tag.change', 'PATCH', `/v3/container-tags/${target}`, { name: 'Target' }],
    ['document.delete', 'DELETE', `/v3/documents/${one?.id}`],
    ['document.delete', 'DELETE', '/v3/documents/bulk', { ids: [two?.id, three?.id] }],
    ['memory.forget', 'DELETE', '/v4/memories', { containerTag: target, id: made.body.memories[0]?.id }],
    [
      'memory.forget',
      'POST',
      '/v4/memories/forget-matching',
      { containerTag: target, ids: [made.body.memories[1]?.id] },
    ],
    [
      'tag.merge',
      'POST',
      '/v3/container-tags/merge',
      { containerTags: [source], targetContainerTag: target },
    ],
    ['tag.delete', 'DELETE', `/v3/container-tags/${gone}`],
    ['space.reindex', 'POST', '/v3/spaces/reindex'],
    ['storage.compact', 'POST', '/v3/storage/compact'],
    ['model.use', 'POST', '/v3/models/builtin/use'],
    ['settings.reset', 'POST', '/v3/settings/reset', { confirmation: session.body.org.id }],
  ];
};

describe('the audit log', () => {
  verifies('audit:change:row', 'has one row for each change, by the right key', async () => {
    const auditor = await agentKey(api, { name: 'The auditor' });
    for (const [action, method, path, body] of await changes()) {
      const { status, rows, body: answer } = await leaves(method, path, body, auditor);
      expect([path, status < 300, answer.error], path).toEqual([path, true, undefined]);
      expect(rows, `${method} ${path}`).toHaveLength(1);
      expect(rows[0], path).toMatchObject({
        ...{
          action,
          way: 'rest',
          requestId: expect.any(String),
          address: expect.stringContaining('127.0.0.1'),
        },
        actor: { kind: 'key', id: auditor.id, name: 'The auditor' },
      });
    }
  });

  verifies('audit:change:row', 'has none for a change that is refused or finds nothing', async () => {
    const key = await scopedKey(api, { containerTag: 'mine' });
    const refused: [number, string, string, unknown?, { key: string }?][] = [
      [403, 'POST', '/v3/auth/agent-key', { name: 'more', permission: 'write' }, key],
      [400, 'PATCH', '/v3/settings', { chunkSize: 'large' }],
      [404, 'DELETE', '/v3/auth/scoped-key/1BQ8vWzUqTfGZ4kS9xNc7d'],
      [404, 'DELETE', '/v3/documents/nobody'],
      [404, 'DELETE', '/v3/container-tags/nobody'],
      [404, 'POST', '/v3/models/nothing-like-it'],
      [200, 'DELETE', '/v3/documents/bulk', { containerTags: ['nobody'] }],
    ];
    for (const [expected, method, path, body, as] of refused) {
      const { status, rows } = await leaves(method, path, body, as);
      expect([path, status, rows]).toEqual([path, expected, []]);
    }
  });

  verifies(
    'audit:row:no-content',
    'holds the names of changed fields, and none of what was said',
    async () => {
      const word = 'quokkaberry';
      const { rows } = await leaves('PATCH', '/v3/settings', {
        shouldLLMFilter: true,
        ...{ filterPrompt: `Keep ${word}.`, workspacePrompt: word, notionClientSecret: `secret-${word}` },
      });
      expect(rows[0]?.details).toEqual({
        fields: ['shouldLLMFilter', 'filterPrompt', 'notionClientSecret', 'workspacePrompt'],
      });
      const { id } = await api.add({ content: `About the ${word}.`, containerTag: 'words', title: word });
      await api.remove(id);
      await api.ask('PATCH', '/v3/container-tags/words', { entityContext: word });
      const stored = JSON.stringify(await storedRows(api.memoir, 'select * from audit'));
      expect(stored).toContain(id);
      expect(stored).not.toContain(word);
    },
  );

  verifies('audit:change:row', 'sums refused sign-ins, and notes another kind of request log', async () => {
    const signIn = (key: string) =>
      api.memoir.ask(
        'POST',
        '/console/session',
        { key },
        { key: null, headers: { 'sec-fetch-site': 'same-origin' } },
      );
    for (const key of ['sm_nobody', 'sm_nobody_either', 'no key'])
      expect((await signIn(key)).status).toBe(401);
    const last = (await list('?limit=1')).entries[0]?.n ?? 0;
    await api.memoir.restart({ MEMOIR_REQUEST_LOG: 'off' });
    // The row follows the start.
    const rows = async (count: number) => {
      await until(`${count} rows`, async () => (await list(`?after=${last}`)).entries.length >= count);
      return (await list(`?after=${last}`)).entries;
    };
    expect(await rows(2)).toMatchObject([
      {
        ...{ action: 'session.refused', actor: { kind: 'server' }, details: { count: 3 } },
        address: expect.stringContaining('127.0.0.1'),
      },
      { action: 'requestlog.mode', actor: { kind: 'server' }, details: { mode: 'off' }, way: 'server' },
    ]);
    await api.memoir.restart();
    expect((await rows(3)).at(-1)).toMatchObject({ action: 'requestlog.mode', details: { mode: 'meta' } });
  });

  test('knows no action that nothing writes', () => {
    const named = new Set(operationsOfAll.flatMap(({ audits }) => audits ?? []));
    const byTheServer = ['session.begin', 'session.refused', 'grant.allow', 'requestlog.mode', 'audit.prune'];
    expect(AUDIT_ACTIONS.filter((action) => !named.has(action)).sort()).toEqual(byTheServer.sort());
  });

  verifies('audit:list:query', 'is listed in pages and narrowed, for full keys alone', async () => {
    const made = await agentKey(api, { name: 'found again' });
    await api.ask('PUT', `/v3/auth/keys/${made.id}/toggle`);
    const actions = async (query: string) => (await list(query)).entries.map(({ action }) => action);
    expect(await actions(`?target=${made.id}`)).toEqual(['key.toggle', 'key.create']);
    expect(await actions(`?target=${made.id}&after=0`)).toEqual(['key.create', 'key.toggle']);
    expect(await actions(`?target=${made.id}&action=key.create`)).toEqual(['key.create']);
    expect(await actions(`?target=${made.id}&to=2026-01-01`)).toEqual([]);
    const page = await list(`?target=${made.id}&limit=1&page=2`);
    expect(page.entries.map(({ action }) => action)).toEqual(['key.create']);
    expect(page.pagination).toEqual({ currentPage: 2, limit: 1, totalItems: 2, totalPages: 2 });
    const scoped = await scopedKey(api, { containerTag: 'mine' });
    expect((await api.ask('GET', '/v3/audit', undefined, scoped)).status).toBe(403);
    expect((await api.ask('GET', '/v3/audit?limit=101')).status).toBe(400);
  });

  verifies('audit:verify:names-row', 'is whole until somebody changes a row, and then names it', async () => {
    const check = async () => (await api.ask<Record<string, unknown>>('GET', '/v3/audit/verify')).body;
    const whole = await check();
    const { n: last, hash } = (await list('?limit=1')).entries[0] as Entry;
    expect(whole).toEqual({ whole: true, rows: last, last: { n: last, hash }, broken: null });
    const [{ tags, n: found }] = (await storedRows(
      api.memoir,
      `select n, tags from audit where tags is not null order by n limit 1`,
    )) as [{ tags: string; n: number }];
    const n = Number(found);
    await unlock();
    await storedRows(api.memoir, 'update audit set tags = ? where n = ?', '["other"]', n);
    expect(await check()).toMatchObject({
      whole: false,
      last: { n: n - 1 },
      broken: { n, why: 'changed', message: `Row ${n} of the audit log was changed.` },
    });
    await storedRows(api.memoir, 'update audit set tags = ? where n = ?', tags, n);
    expect(await check()).toEqual(whole);
    if (api.memoir.database !== null)
      await storedRows(api.memoir, 'alter table audit enable trigger audit_rows_stay');
  });
});

/** Takes away what refuses changes, as an intruder would. */
const unlock = () =>
  storedRows(
    api.memoir,
    api.memoir.database === null
      ? 'drop trigger audit_not_changed'
      : 'alter table audit disable trigger audit_rows_stay',
  );

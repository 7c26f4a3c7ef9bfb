// The audit log over REST: one row for each change, none for a refusal, and nothing in it that was said.
import { afterAll, describe, expect, test } from 'vitest';
import { AUDIT_ACTIONS } from '../../server/core/audit.ts';
import { namespaceRows } from '../../server/http/namespaces/rows.ts';
import type { Operation } from '../../tools/operation.ts';
import { operations } from '../../tools/registry.generated.ts';
import { doors } from '../isolation/ways.ts';
import { verifies } from '../spec/verifies.ts';
import { storedRows } from '../support/stored-rows.ts';
import { until } from '../support/until.ts';
import { auditedChanges, openOutside } from './support/audited-changes.ts';
import { agentKey, scopedKey } from './support/keys.ts';
import { addMember } from './support/team.ts';
import { type Refusal, useOwnMemoir } from './support/use-memoir.ts';

const outside = await openOutside();
afterAll(() => outside.close());

const api = useOwnMemoir(() => outside.env, { standIns: outside.standIns });
const door = doors.rest(() => api.memoir.url);

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

const lastRow = async (): Promise<number> => (await list('?limit=1')).entries[0]?.n ?? 0;

/** The rows that a call leaves. */
const leaves = async (
  method: string,
  path: string,
  body?: unknown,
  as: { key?: string } = {},
): Promise<{ status: number; rows: Entry[]; body: Record<string, unknown> }> => {
  const last = await lastRow();
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

/** The connectors of an earlier API are refused, whoever asks. */
const REFUSED = ['create', 'update', 'delete', 'sync'].map((name) => `namespaces.connectors.${name}`);

interface Actor {
  key: string;
  actor: Entry['actor'];
}

describe('the audit log', () => {
  verifies(
    'audit:change:row',
    'has one row for each change of every kind, by the right key or member',
    async () => {
      const key = await agentKey(api, { name: 'The auditor' });
      const owner = await addMember(api, { email: 'olga@example.org', name: 'Olga', role: 'owner' });
      const actors: Actor[] = [
        { key: key.key, actor: { kind: 'key', id: key.id, name: 'The auditor' } },
        { key: owner.key, actor: { kind: 'member', id: owner.id, name: 'Olga' } },
      ];
      const prepared = auditedChanges(api, outside);
      const audited = operationsOfAll.filter(({ audits }) => audits !== undefined);
      expect(Object.keys(prepared).concat(REFUSED).sort()).toEqual(audited.map(({ name }) => name).sort());
      for (const [at, [name, prepare]] of Object.entries(prepared).entries()) {
        const operation = audited.find((each) => each.name === name) as Operation;
        const { key: caller, actor } = actors[at % actors.length] as Actor;
        const input = await prepare(caller);
        const last = await lastRow();
        const heard = await door(operation, input, caller, at * 14 + 1);
        expect([name, heard.status], heard.body).toEqual([name, operation.rest.status]);
        const rows = (await list(`?after=${last}`)).entries;
        expect(rows, name).toMatchObject([
          {
            ...{ action: operation.audits, way: 'rest', requestId: expect.any(String), actor },
            address: expect.stringContaining('127.0.0.1'),
          },
        ]);
      }
    },
    { timeoutMs: 240_000 },
  );

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
    const last = await lastRow();
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

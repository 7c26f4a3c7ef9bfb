// The organisation's settings over REST: within their limits, secrets sealed, reset by the organisation's id.
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Ended, run } from '../cli/memoir-process.ts';
import { verifies } from '../spec/verifies.ts';
import { onlyInDataFolder } from '../support/on-postgres.ts';
import { beside } from './support/beside.ts';
import { agentKey } from './support/keys.ts';
import { type Refusal, useOwnMemoir } from './support/use-memoir.ts';

const api = useOwnMemoir();

type Fields = Record<string, unknown>;
interface Updated extends Refusal {
  orgId: string;
  orgSlug: string;
  updated: Fields;
}

interface Rotated extends Refusal {
  keyChanged: boolean;
  sealed: number;
  unchanged: number;
  unreadable: string[];
}

const get = async (): Promise<Fields> => (await api.ask('GET', '/v3/settings')).body;
const patch = (body: Fields) => api.ask<Updated>('PATCH', '/v3/settings', body);
const orgId = async () => (await api.ask<{ org: { id: string } }>('GET', '/v3/session')).body.org.id;

/** The sealed secret as it lies in the database. */
const stored = async () =>
  String((await beside(api.memoir, "select value from settings where key = 'githubClientSecret'"))[0]);

const FILTER = {
  shouldLLMFilter: true,
  filterPrompt: 'Keep decisions, deadlines and birds. Ignore the weather.',
};

describe('settings', () => {
  verifies(
    ['settings:fields:kept', 'settings:fields:null'],
    'settings are kept, given back and taken away',
    async () => {
      const empty = await get();
      expect(empty).toMatchObject({ shouldLLMFilter: null, filterPrompt: null, profileBuckets: [] });
      expect(empty).toHaveProperty('githubClientSecret', null);
      const changed = {
        ...FILTER,
        includeItems: ['birds'],
        excludeItems: ['weather'],
        categories: ['work'],
        chunkSize: -1,
        workspacePrompt: 'A bird station.',
        notionCustomKeyEnabled: true,
        notionClientId: 'n-1',
        profileBuckets: [{ key: 'birds', description: 'Sightings.' }],
      };
      const answer = await patch(changed);
      expect(answer.status).toBe(200);
      expect(answer.body.orgId).toBe(await orgId());
      expect(answer.body.orgSlug).toBe(answer.body.orgId);
      expect(answer.body.updated).toMatchObject(changed);
      expect(await get()).toEqual(answer.body.updated);
      await patch({ workspacePrompt: null, chunkSize: null });
      expect(await get()).toMatchObject({ workspacePrompt: null, chunkSize: null, notionClientId: 'n-1' });
    },
  );

  test('settings outside their limits are refused with their name, and nothing changes', async () => {
    const before = await get();
    const filter = { shouldLLMFilter: true };
    const wrong: [Fields, string][] = [
      [{ ...filter, filterPrompt: '' }, 'filterPrompt'],
      [{ ...filter, filterPrompt: 'x'.repeat(751) }, 'filterPrompt'],
      [{ ...filter, includeItems: ['x'.repeat(21)] }, 'includeItems'],
      [{ ...filter, excludeItems: [''] }, 'excludeItems'],
      [{ ...filter, categories: ['x'.repeat(51)] }, 'categories'],
      [{ workspacePrompt: 'x'.repeat(1501) }, 'workspacePrompt'],
      [{ chunkSize: 1.5 }, 'chunkSize'],
      [{ profileBuckets: [{ key: 'dynamic' }] }, 'profileBuckets'],
      [{ profileBuckets: [{ key: 'a' }, { key: 'a' }] }, 'profileBuckets'],
      [{ profileBuckets: Array.from({ length: 51 }, (_, n) => ({ key: `k${n}` })) }, 'profileBuckets'],
      [{ shouldLLMFilter: 'yes' }, 'shouldLLMFilter'],
    ];
    for (const [body, field] of wrong) {
      const { status, body: refusal } = await patch(body);
      expect([status, refusal.error.includes(field)], field).toEqual([400, true]);
    }
    expect(await get()).toEqual(before);
    expect((await patch({ ...filter, filterPrompt: 'x'.repeat(750) })).status).toBe(200);
  });

  verifies('settings:filter:needs-switch', 'settings of the filter are refused while it is off', async () => {
    await patch({ shouldLLMFilter: null, filterPrompt: null, includeItems: null, excludeItems: null });
    for (const [field, value] of Object.entries({
      filterPrompt: 'Birds.',
      includeItems: ['a'],
      categories: ['b'],
    })) {
      const answer = await patch({ [field]: value });
      expect([answer.status, answer.body.error.includes(field)]).toEqual([400, true]);
      expect((await patch({ [field]: value, shouldLLMFilter: false })).status).toBe(400);
    }
    expect((await patch(FILTER)).status).toBe(200);
    expect((await patch({ filterPrompt: 'Only birds.' })).status).toBe(200);
  });

  verifies(
    'keys:scoped:settings',
    'changes of settings are refused to bound keys, whole or in part',
    async () => {
      const { key } = await agentKey(api, { containerTags: ['mine'] });
      for (const [method, path] of [
        ['PATCH', '/v3/settings'],
        ['POST', '/v3/settings/reset'],
        ['POST', '/v3/settings/suggest-buckets'],
      ] as const) {
        expect((await api.ask(method, path, { confirmation: 'x' }, { key })).status, path).toBe(403);
      }
      const reader = await agentKey(api, { permission: 'read' });
      expect((await api.ask('GET', '/v3/settings', undefined, reader)).status).toBe(200);
      expect((await api.ask('PATCH', '/v3/settings', {}, reader)).status).toBe(403);
    },
  );
});

const KEY_OF_SETTINGS = 'With a PostgreSQL the key comes from MEMOIR_SECRET_KEY.';

describe('secrets', () => {
  const SECRET = 'gho_very-secret-0123456789-wxyz';
  /** On the folder of the server, while that is stopped. */
  const command = (args: readonly string[], env: Record<string, string> = {}): Promise<Ended> =>
    run(args, { cwd: api.memoir.dir, env: { MEMOIR_DATA_DIR: api.memoir.dir, PORT: '0', ...env } });

  verifies(
    ['settings:secrets:sealed', 'settings:secrets:masked'],
    'secrets are sealed where they lie and masked where they are read',
    async () => {
      const { body } = await patch({ githubClientSecret: SECRET, githubClientId: 'g-1' });
      expect(body.updated.githubClientSecret).toBe('••••wxyz');
      expect((await get()).githubClientSecret).toBe('••••wxyz');
      expect(await stored()).not.toContain('secret-0123456789');
      expect(await api.memoir.memoir.service.settings.secret('githubClientSecret')).toBe(SECRET);
      const before = await stored();
      await patch({ githubClientSecret: '••••wxyz', githubClientId: 'g-2' });
      expect(await stored()).toBe(before);
      await patch({ notionClientSecret: 'short' });
      expect((await get()).notionClientSecret).toBe('••••');
    },
  );

  verifies(
    'secrets:key:other-refused',
    'secrets outlive a restart, and a start with another key is refused until they are given up',
    async ({ skip }) => {
      onlyInDataFolder(skip, KEY_OF_SETTINGS);
      await patch({ githubClientSecret: SECRET, notionClientSecret: null });
      await api.memoir.restart();
      expect((await get()).githubClientSecret).toBe('••••wxyz');
      const other = { MEMOIR_SECRET_KEY: 'k'.repeat(32) };
      await api.memoir.restart(other, async () => {
        const refused = await command(['serve'], other);
        expect(refused.code).toBe(1);
        expect(refused.stderr).toContain(
          'sealed with another key than that of MEMOIR_SECRET_KEY: setting githubClientSecret. Nothing was changed.',
        );
        const given = await command(['secrets', 'forget', '--json'], other);
        expect(JSON.parse(given.stdout)).toEqual({ forgotten: ['setting githubClientSecret'] });
        const again = await command(['secrets', 'forget', '--json'], other);
        expect(JSON.parse(again.stdout)).toEqual({ forgotten: [] });
      });
      expect((await get()).githubClientSecret).toBe('••••');
      await expect(api.memoir.memoir.service.settings.secret('githubClientSecret')).rejects.toThrow(
        'githubClientSecret cannot be opened, because its key was lost',
      );
      expect((await api.ask<Rotated>('POST', '/v3/secrets/rotate')).body.unreadable).toEqual([]);
      await patch({ githubClientSecret: SECRET });
      expect((await get()).githubClientSecret).toBe('••••wxyz');
      await patch({ githubClientSecret: null });
      expect((await get()).githubClientSecret).toBeNull();
      await api.memoir.restart();
    },
  );

  test('secrets are sealed with a key that its owner alone may read, and cannot be used without its file', async ({
    skip,
  }) => {
    onlyInDataFolder(skip, KEY_OF_SETTINGS);
    const file = join(api.memoir.dir, 'secret.key');
    await patch({ githubClientSecret: SECRET });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const kept = readFileSync(file);
    await api.memoir.restart({}, async () => {
      rmSync(file);
      const { code, stderr } = await command(['serve']);
      expect([code, stderr]).toEqual([1, expect.stringContaining(`another key than that of ${file}`)]);
      expect(existsSync(file)).toBe(false);
      writeFileSync(file, kept);
    });
    expect((await get()).githubClientSecret).toBe('••••wxyz');
    await patch({ githubClientSecret: null });
  });
});

describe('a rotation of the key', () => {
  const SECRET = 'gho_rotated-secret-0123456789-wxyz';
  const secret = () => api.memoir.memoir.service.settings.secret('githubClientSecret');
  const rotate = async () => (await api.ask<Rotated>('POST', '/v3/secrets/rotate')).body;

  verifies(
    'secrets:rotation:readable',
    'the key in the data folder changes, and secrets stay readable while it does',
    async ({ skip }) => {
      onlyInDataFolder(skip, KEY_OF_SETTINGS);
      await patch({ githubClientSecret: SECRET, notionClientSecret: null });
      const before = await stored();
      const [rotated, ...reads] = await Promise.all([rotate(), ...Array.from({ length: 20 }, secret)]);
      expect(rotated).toMatchObject({ keyChanged: true, sealed: 1, unreadable: [] });
      expect(new Set(reads)).toEqual(new Set([SECRET]));
      expect((await stored()).split('.')[1]).not.toBe(before.split('.')[1]);
      await rotate();
      await api.memoir.restart({}, () => rmSync(join(api.memoir.dir, 'secret.key.previous')));
      expect(await secret()).toBe(SECRET);
    },
  );

  test('a key of the settings is changed there: the former one reads until everything is sealed anew', async ({
    skip,
  }) => {
    onlyInDataFolder(skip, 'With a PostgreSQL test/service/postgres/serve.test.ts changes the key.');
    await patch({ githubClientSecret: null, notionClientSecret: null });
    const [former, present] = ['f'.repeat(32), 'p'.repeat(32)];
    await api.memoir.restart({ MEMOIR_SECRET_KEY: former });
    await patch({ githubClientSecret: SECRET });
    await api.memoir.restart({ MEMOIR_SECRET_KEY: present, MEMOIR_SECRET_KEY_PREVIOUS: former });
    expect(await secret()).toBe(SECRET);
    expect(await rotate()).toEqual({ keyChanged: false, sealed: 1, unchanged: 0, unreadable: [] });
    await api.memoir.restart({ MEMOIR_SECRET_KEY: present });
    expect(await secret()).toBe(SECRET);
    expect(await rotate()).toEqual({ keyChanged: false, sealed: 0, unchanged: 1, unreadable: [] });
  });
});

describe('suggested buckets', () => {
  const suggest = () =>
    api.ask<{ suggestions: { key: string; description: string }[] } & Refusal>(
      'POST',
      '/v3/settings/suggest-buckets',
    );

  verifies(
    'settings:buckets:suggested',
    'suggested buckets come from what the prompt names to keep',
    async () => {
      await patch({ ...FILTER, profileBuckets: [] });
      const { status, body } = await suggest();
      expect(status).toBe(200);
      expect(body.suggestions.map(({ key }) => key)).toEqual(['decisions', 'deadlines', 'birds']);
      expect((await get()).profileBuckets).toEqual([]);
      await patch({ filterPrompt: '予定だけ。' });
      const other = (await suggest()).body.suggestions;
      expect(other.length).toBeGreaterThanOrEqual(3);
      expect(other.length).toBeLessThanOrEqual(6);
    },
  );

  test('suggested buckets without a prompt are refused', async () => {
    await patch({ filterPrompt: null });
    expect((await suggest()).status).toBe(400);
  });
});

describe('categories', () => {
  const categories = async () => (await get()).categories;

  verifies(
    'settings:categories:generated',
    'categories are taken from the prompt while nobody names any',
    async () => {
      await patch({ shouldLLMFilter: null, filterPrompt: null, categories: null });
      expect(await categories()).toBeNull();
      const { body } = await patch(FILTER);
      expect(body.updated.categories).toEqual(['decisions', 'deadlines', 'birds']);
      await patch({ filterPrompt: 'Herons, grebes, coots, terns, gulls, ducks, swans.' });
      expect(await categories()).toEqual(['herons', 'grebes', 'coots', 'terns', 'gulls']);
      await patch({ filterPrompt: 'Herons.' });
      expect(await categories()).toEqual(['herons', 'background', 'goals']);
      await patch({ categories: ['nests'] });
      expect(await categories()).toEqual(['nests']);
      await patch({ categories: [] });
      expect(await categories()).toEqual([]);
      await patch({ categories: null });
      expect(await categories()).toHaveLength(3);
      await patch({ shouldLLMFilter: false });
      expect(await categories()).toBeNull();
      await patch(FILTER);
    },
  );
});

describe('what others ask of the settings', () => {
  verifies(
    'documents:add:entity-context-combines',
    'guidance goes with the entityContext of the tag',
    async () => {
      const { settings } = api.memoir.memoir.service;
      await patch({ ...FILTER, excludeItems: ['kettles'], includeItems: null });
      expect(await settings.guidance()).toEqual({
        workspacePrompt: null,
        filterPrompt: FILTER.filterPrompt,
        includeItems: [],
        excludeItems: ['kettles'],
        categories: ['decisions', 'deadlines', 'birds'],
      });
      const tag = api.newTag();
      await api.ask('PATCH', `/v3/container-tags/${tag}`, { entityContext: 'Ignore figs.' });
      const said = 'I live in Porto. My favourite kettles are from Braga. My favourite figs are from Faro.';
      const { id } = await api.add({ content: `user: ${said}`, containerTag: tag });
      const drawn = async () =>
        (
          await api.ask<{ memoryEntries: { memory: string }[] }>('POST', '/v4/memories/list', {
            containerTags: [tag],
          })
        ).body.memoryEntries.map(({ memory }) => memory);
      await expect.poll(drawn, { timeout: 10_000 }).not.toEqual([]);
      await expect
        .poll(async () => (await api.ask('GET', `/v3/documents/${id}`)).body.dreamingStatus)
        .toBe('done');
      const texts = (await drawn()).join('\n');
      expect(texts).toContain('Porto');
      expect(texts).not.toMatch(/kettles|figs/);
      await patch({ shouldLLMFilter: false });
      expect(await settings.guidance()).toEqual({
        workspacePrompt: null,
        ...{ filterPrompt: null, includeItems: [], excludeItems: [], categories: [] },
      });
    },
  );
});

describe('a reset', () => {
  const reset = (confirmation: unknown) =>
    api.ask<Fields & Refusal>('POST', '/v3/settings/reset', { confirmation });

  verifies(
    'settings:reset:confirmation',
    'a reset takes the id of the organisation, and empties everything but the keys',
    async () => {
      const tag = api.newTag();
      await api.add({ content: 'Herons.', containerTag: tag });
      await api.add({ content: 'Kettles.' });
      await patch(FILTER);
      for (const wrong of ['', 'yes', undefined, 7]) expect((await reset(wrong)).status).toBe(400);
      expect(await api.found('herons', tag)).toEqual(['Herons.']);
      const answer = await reset(await orgId());
      expect([answer.status, answer.body]).toEqual([
        200,
        {
          success: true,
          deletedConnections: 0,
          deletedDocumentBatches: 1,
          deletedDocumentsApprox: expect.any(Number),
          deletedMemoryRows: expect.any(Number),
          deletedExtraSpaces: expect.any(Number),
          clearedDefaultSpaceContext: false,
          clearedBrainMemoryRegistry: false,
          settingsReset: true,
        },
      ]);
      expect((await api.list()).pagination.totalItems).toBe(0);
      expect(await get()).toMatchObject({ filterPrompt: null, shouldLLMFilter: null });
      const tags = await api.ask<{ containerTag: string }[]>('GET', '/v3/container-tags/list');
      expect(tags.body.map(({ containerTag }) => containerTag)).toEqual(['sm_project_default']);
      await api.add({ content: 'Herons again.', containerTag: tag });
      expect(await api.found('herons', tag)).toEqual(['Herons again.']);
    },
  );
});

// The published command line, run as it ships, against members and invitations.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { agentKey } from '../rest/support/keys.ts';
import { addMember } from '../rest/support/team.ts';
import { useOwnMemoir } from '../rest/support/use-memoir.ts';
import { verifies } from '../spec/verifies.ts';

const api = useOwnMemoir();
const CLI = join(import.meta.dirname, '../../node_modules/supermemory/bin/cli');

let home = '';
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'memoir-cli-'));
});
afterAll(() => rmSync(home, { recursive: true }));

const cli = (key: string, ...args: string[]): Promise<{ code: number; text: string }> =>
  new Promise((done) => {
    const env = {
      ...{ PATH: process.env.PATH, HOME: home, SUPERMEMORY_API_KEY: key },
      ...{ SUPERMEMORY_API_URL: api.memoir.url, SUPERMEMORY_BASE_URL: api.memoir.url, NO_COLOR: '1' },
    };
    execFile(process.execPath, [CLI, ...args], { env }, (error, stdout, stderr) =>
      done({ code: error === null ? 0 : Number(error.code ?? 1), text: `${stdout}${stderr}` }),
    );
  });

verifies(
  'client:cli:team',
  'team list and team invite work with a full key and with a key of an owner, and not with the key of a plugin',
  async () => {
    const owner = await addMember(api, { email: 'olga@example.org', name: 'Olga', role: 'owner' });
    for (const [at, key] of [api.memoir.key, owner.key].entries()) {
      const listed = await cli(key, 'team', 'list');
      expect(listed.text).toContain('olga@example.org');
      const invited = await cli(key, 'team', 'invite', `guest${at}@example.org`, '--role', 'member');
      expect([invited.text, invited.code]).toEqual([expect.stringContaining(`guest${at}@example.org`), 0]);
      const waiting = await cli(key, 'team', 'invitations');
      expect(waiting.text).toContain(`guest${at}@example.org`);
    }
    const plugin = await agentKey(api, { pluginId: 'cursor' });
    const refused = await cli(plugin.key, 'team', 'invite', 'eve@example.org');
    expect(refused.code).not.toBe(0);
    expect(refused.text).toMatch(/403|plugin may not manage/);
  },
);

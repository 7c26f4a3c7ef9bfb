// Published programs that come as npm packages, run by their own code against Memoir.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect } from 'vitest';
import { useOwnMemoir } from '../rest/support/use-memoir.ts';
import { verifies } from '../spec/verifies.ts';
import { installPrograms } from './programs/install.ts';

const run = promisify(execFile);
const api = useOwnMemoir();

let packages = '';
beforeAll(async () => {
  packages = await installPrograms();
}, 120_000);

/** A search whose first result holds this word. */
const found = (word: string) =>
  expect.objectContaining({
    success: true,
    results: expect.toSatisfy(([first]: { content?: string }[]) => first?.content?.includes(word) === true),
  });

verifies(
  'client:programs:opencode',
  'the plugin for OpenCode adds, finds, recalls, keeps the summary of a session, lists and forgets',
  async ({ signal }) => {
    const folder = mkdtempSync(join(tmpdir(), 'memoir-opencode-'));
    const [home, project] = [join(folder, 'home'), join(folder, 'shop')];
    for (const path of [home, project]) mkdirSync(path);
    const { url, key } = api.memoir;
    const env = {
      PATH: process.env.PATH,
      ...{ HOME: home, USERPROFILE: home, USER: 'ada', PROJECT: project },
      ...{ SUPERMEMORY_API_URL: url, SUPERMEMORY_API_KEY: key },
      PLUGIN: join(packages, 'opencode-supermemory', 'dist', 'index.js'),
    };
    const program = join(import.meta.dirname, 'programs', 'opencode.ts');
    const { stdout } = await run(process.execPath, [program], { env, signal });
    rmSync(folder, { recursive: true });
    expect(JSON.parse(stdout)).toEqual({
      search: found('Drizzle'),
      personal: found('pnpm'),
      profile: {
        success: true,
        profile: expect.toSatisfy((profile) => /pnpm/.test(JSON.stringify(profile))),
      },
      context: expect.stringMatching(/^\[SUPERMEMORY\].*pnpm.*Drizzle/s),
      listed: expect.objectContaining({ success: true, count: 1 }),
      forgotten: expect.objectContaining({ success: true }),
      left: expect.objectContaining({ success: true, count: 0 }),
      kept: expect.arrayContaining([expect.stringContaining('Terraform'), 'The user prefers pnpm over npm.']),
      // It looks for a newer version of itself; nothing else leaves this machine.
      refused: ['registry.npmjs.org'],
    });
  },
);

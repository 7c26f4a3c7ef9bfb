// The published command line as it ships in its npm package, with nothing changed but its address.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect } from 'vitest';
import { addMember } from '../rest/support/team.ts';
import { useOwnMemoir } from '../rest/support/use-memoir.ts';
import { verifies } from '../spec/verifies.ts';

const run = promisify(execFile);
const api = useOwnMemoir();
const home = mkdtempSync(join(tmpdir(), 'memoir-cli-'));
afterAll(() => rmSync(home, { recursive: true }));

const program = join(dirname(createRequire(import.meta.url).resolve('supermemory')), 'bin', 'cli');

const cli = async <T>(key: string, ...args: string[]): Promise<T> => {
  const { url } = api.memoir;
  const env = { PATH: process.env.PATH, HOME: home, SUPERMEMORY_API_URL: url, SUPERMEMORY_API_KEY: key };
  const { stdout } = await run(process.execPath, [program, ...args, '--json'], { env });
  return JSON.parse(stdout) as T;
};

verifies(
  'analytics:cli:published',
  'status counts what is stored, and logs lists the calls, also for an owner',
  async () => {
    const tag = api.newTag();
    // No wait until it is done: the calls of that would fill the first page of the log.
    await api.ask('POST', '/v3/documents', { content: 'Ada lives in Lyon.', containerTag: tag });
    await api.ask('POST', '/v4/search', { q: 'Lyon', containerTag: tag });
    const status = await cli<Record<string, number>>(api.memoir.key, 'status');
    expect(status).toMatchObject({
      totalMemories: 1,
      searchQueries: 1,
      totalContainerTags: 1,
      searchGrowth: 0,
    });
    const { key } = await addMember(api, { email: 'olga@example.org', role: 'owner' });
    expect(await cli<Record<string, number>>(key, 'status')).toMatchObject({ totalMemories: 1 });
    interface Logs {
      logs: { id: string; type: string; statusCode: number }[];
      pagination: { totalItems: number };
    }
    const listed = await cli<Logs>(key, 'logs', 'list');
    expect(listed.logs.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['add', 'search_v4', 'request']),
    );
    const [first] = listed.logs;
    const one = await cli<unknown>(key, 'logs', 'get', first?.id ?? '');
    expect(one).toMatchObject({ id: first?.id, statusCode: 200 });
  },
);

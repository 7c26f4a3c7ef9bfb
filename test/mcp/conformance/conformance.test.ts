// Runs the official conformance suite against the server.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OwnMemoir, startMemoir } from '../../support/memoir.ts';
import { fixtures } from './fixtures.ts';
import { type KeyProxy, startKeyProxy } from './key-proxy.ts';

const SUITE = join(
  import.meta.dirname,
  ...['..', '..', '..', 'node_modules', '@modelcontextprotocol', 'conformance', 'dist', 'index.js'],
);
const LIMIT_MS = 180_000;

let memoir: OwnMemoir;
let proxy: KeyProxy;
beforeAll(async () => {
  memoir = await startMemoir({}, { mcpExtension: fixtures });
  proxy = await startKeyProxy(memoir.url, memoir.key);
});
afterAll(async () => {
  proxy.close();
  await memoir.close();
});

interface Outcome {
  /** 0: every scenario that the revision requires passed. */
  code: number;
  passed: string[];
  failed: string[];
  /** The end of the output of the suite. */
  said: string;
}

const named = (said: string, mark: string): string[] =>
  [...said.matchAll(new RegExp(`^${mark} ([\\w-]+): \\d+ passed`, 'gm'))].map(([, name]) => name ?? '');

const run = (revision: string): Promise<Outcome> =>
  new Promise((resolve) => {
    const args = [SUITE, 'server', '--url', `${proxy.url}/mcp`, '--requirements', revision];
    const options = { timeout: LIMIT_MS, cwd: memoir.dir, maxBuffer: 64 * 1024 * 1024 };
    execFile(process.execPath, args, options, (error, stdout, stderr) => {
      const code = error === null ? 0 : Number(error.code ?? 1);
      const said = `${stdout}\n${stderr}`;
      resolve({ code, passed: named(said, '✓'), failed: named(said, '✗'), said: said.slice(-8_000) });
    });
  });

const expectedToFail = (): string[] => {
  const baseline = readFileSync(join(import.meta.dirname, 'baseline-2025-11-25.yml'), 'utf8');
  return [...baseline.matchAll(/^ {2}- ([\w-]+)$/gm)].map(([, name]) => name ?? '');
};

test(
  'the server passes everything that revision 2025-11-25 requires, except four scenarios that need a session',
  async () => {
    const { passed, failed, said } = await run('2025-11-25');
    // Not its own reckoning with a baseline, which counts hints as well: that a server keeps no sessions.
    expect(failed.sort(), said).toEqual(expectedToFail().sort());
    expect(failed).toHaveLength(4);
    expect(passed.length, said).toBeGreaterThanOrEqual(26);
  },
  LIMIT_MS,
);

test(
  'the server passes everything that revision 2026-07-28 requires',
  async () => {
    const { code, passed, said } = await run('2026-07-28');
    expect(code, said).toBe(0);
    expect(passed.length, said).toBeGreaterThanOrEqual(37);
  },
  LIMIT_MS,
);

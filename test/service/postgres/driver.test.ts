// A server loads nothing that its settings do not ask for: no `pg` for the embedded database, no metrics, no traces.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { newDataFolder } from '../../support/data-folder.ts';
import { SOURCE_PROGRAM } from '../../support/program.ts';

const HOOK = `import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
registerHooks({ resolve(specifier, context, next) {
  appendFileSync(process.env.RESOLVED, specifier + '\\n');
  return next(specifier, context);
} });`;

test('a server with the embedded database loads no driver of PostgreSQL, and nothing for metrics or traces', async () => {
  const folder = newDataFolder('driver');
  const hook = join(folder, 'hook.mjs');
  const resolved = join(folder, 'resolved');
  writeFileSync(hook, HOOK);
  const server = spawn(
    process.execPath,
    [`--import=${pathToFileURL(hook)}`, SOURCE_PROGRAM, 'serve', '--json'],
    {
      env: {
        ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('OTEL_'))),
        ...{ PORT: '0', MEMOIR_DATA_DIR: join(folder, 'data'), RESOLVED: resolved },
        ...{ MEMOIR_LOCAL_SERVERS: 'none', CHROMA_URL: 'http://127.0.0.1:9' },
      },
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  );
  const ended = new Promise((resolve) => server.once('exit', resolve));
  await new Promise((resolve) => server.stdout.once('data', resolve));
  const output = text(server.stdout);
  server.kill('SIGTERM');
  await Promise.all([ended, output]);
  expect(existsSync(resolved)).toBe(true);
  const names = readFileSync(resolved, 'utf8').split('\n');
  expect(names).toContain('express');
  // The threads are watched too.
  expect(names.some((name) => name.includes('sqlite-ingest-side'))).toBe(true);
  const unasked = /^(?:pg|prom-client|@opentelemetry)(?:\/|$)/;
  expect(names.filter((name) => unasked.test(name))).toEqual([]);
  rmSync(folder, { recursive: true, force: true });
});

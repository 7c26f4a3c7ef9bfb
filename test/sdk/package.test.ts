// Tests of the packed client in an empty project: ES module, CommonJS, browser and types.
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { createContext, runInContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Script, startScript } from './support/scripted.ts';

const exec = promisify(execFile);
const root = join(import.meta.dirname, '..', '..');
const LARGEST_BYTES = 8 * 1024;

const env = {
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(npm_(?!config_)|MEMOIR_)/.test(name)),
  ),
  PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
};

let project: string;
let script: Script;
beforeAll(async () => {
  project = mkdtempSync(join(tmpdir(), 'memoir-sdk-project-'));
  script = await startScript({ body: { id: 'a', status: 'queued' } });
  await exec('npm', ['pack', '--loglevel=error', `--pack-destination=${project}`], {
    cwd: join(root, 'sdk'),
    env,
  });
  const archive = readdirSync(project).find((name) => name.endsWith('.tgz')) ?? '';
  writeFileSync(join(project, 'package.json'), '{ "private": true }');
  await exec('npm', ['install', '--offline', '--no-audit', '--no-fund', '--loglevel=error', archive], {
    cwd: project,
    env,
  });
}, 120_000);
afterAll(async () => {
  await script[Symbol.asyncDispose]();
  rmSync(project, { recursive: true });
});

const put = (file: string, text: string): string => {
  const path = join(project, file);
  writeFileSync(path, text);
  return path;
};

const run = async (file: string): Promise<string> =>
  (await exec(process.execPath, [join(project, file)], { cwd: project, env })).stdout.trim();

const useOf = (print: string) => `
  const client = new Memoir({ apiKey: 'sm_test', baseURL: '${script.url}' });
  client.add({ content: 'a' }).then(({ id }) => ${print}(id + ' ' + (new Memoir.NotFoundError(404, null, new Headers()) instanceof Error)));
`;

test('the package contains the build, its description and its pages, and has no dependencies', () => {
  const home = join(project, 'node_modules', 'memoir-sdk');
  const tops = readdirSync(home).sort();
  expect(tops).toEqual(['LICENSE', 'README.md', 'api.md', 'dist', 'openapi.json', 'package.json']);
  const manifest = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as Record<string, unknown>;
  expect(manifest.dependencies).toBeUndefined();
  expect(manifest.version).toBe(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version);
  expect(readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
    'memoir-sdk',
  ]);
});

test('the package can be imported as an ES module', async () => {
  put(
    'app.mjs',
    `import Default, { Memoir } from 'memoir-sdk'; if (Default !== Memoir) throw 1; ${useOf('console.log')}`,
  );
  expect(await run('app.mjs')).toBe('a true');
});

test('the errors of the package have the names of their classes', async () => {
  put(
    'names.mjs',
    `import { APIError } from 'memoir-sdk';
     console.log([402, 405, 404, 500].map((status) => APIError.of(status, null, new Headers()).name).join());`,
  );
  expect(await run('names.mjs')).toBe('APIError,APIError,NotFoundError,InternalServerError');
});

test('the package can be required as CommonJS', async () => {
  put('app.cjs', `const { Memoir } = require('memoir-sdk'); ${useOf('console.log')}`);
  expect(await run('app.cjs')).toBe('a true');
});

test('the package can be bundled for browsers, needs only web interfaces there, and stays small', async () => {
  const entry = put('app.js', `import { Memoir } from 'memoir-sdk'; ${useOf('globalThis.told')}`);
  const made = await build({
    ...{
      entryPoints: [entry],
      bundle: true,
      minify: true,
      platform: 'browser',
      format: 'iife',
      write: false,
    },
  });
  const text = made.outputFiles[0]?.text ?? '';
  const told = new Promise((resolve) => {
    const web = {
      fetch,
      Headers,
      Response,
      Blob,
      File,
      FormData,
      URL,
      URLSearchParams,
      AbortSignal,
      AbortController,
    };
    runInContext(text, createContext({ ...web, setTimeout, clearTimeout, told: resolve }));
  });
  expect(await told).toBe('a true');
  const size = gzipSync(text, { level: 9 }).length;
  expect(size, `${size} bytes compressed`).toBeLessThan(LARGEST_BYTES);
  const [, claimed = ''] =
    /(\d\.\d) kB compressed/.exec(readFileSync(join(root, 'sdk', 'README.md'), 'utf8')) ?? [];
  expect(Math.abs(Number(claimed) - size / 1000), `${size} bytes, the page says ${claimed} kB`).toBeLessThan(
    0.3,
  );
});

test.each(['app.mts', 'app.cts'])('the package contains types for %s', { timeout: 60_000 }, async (file) => {
  put(
    file,
    `import { Memoir, where, type Document } from 'memoir-sdk';
export const document = (client: Memoir): Promise<Document> =>
  client.documents.addAndWait({ content: 'a', metadata: { n: 1 } });
export const found = (client: Memoir) => client.search({ q: 'a', filters: where.and(where.eq('n', 1)) });
// @ts-expect-error content must be given
export const wrong = (client: Memoir) => client.add({});
`,
  );
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const options = [
    '--strict',
    '--noEmit',
    '--module',
    'nodenext',
    '--target',
    'es2022',
    '--types',
    '',
    '--lib',
    'es2022,dom,dom.iterable,dom.asynciterable',
  ];
  await exec(process.execPath, [compiler, ...options, join(project, file)], { cwd: project, env }).catch(
    (error: { stdout: string }) => expect(error.stdout).toBe(''),
  );
});

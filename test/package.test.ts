// `npm pack`, unpacked beside the packages that it depends on, is a whole Memoir.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { edgesOf } from '../scripts/source/edges.ts';
import { parse } from '../scripts/source/parse.ts';
import { checkStops } from './cli/npm-stops.ts';
import { type Installed, installPackage } from './package/installed.ts';

let installed: Installed;

beforeAll(async () => {
  installed = await installPackage();
}, 180_000);
afterAll(() => installed.remove());

const filesOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));

test('the package holds the build and its pages, and neither source nor tests', () => {
  const files = filesOf(installed.home);
  const tops = new Set(files.map((file) => file.split('/')[0]));
  const allowed = ['CHANGELOG.md', 'LICENSE', 'README.md', 'bin', 'dist', 'docs', 'package.json', 'vendor'];
  expect([...tops].filter((top) => !allowed.includes(top ?? ''))).toEqual([]);
  expect(files.filter((file) => /\.ts$|(^|\/)test\//.test(file))).toEqual([]);
  expect(files).toContain('dist/server/main.js');
  expect(files).not.toContain('dist/sources.json');
});

test('the checkout that it was made in runs the same build, as long as its source stays the same', () => {
  const module = pathToFileURL(join(import.meta.dirname, '../bin/node.js')).href;
  const program = `import { fileOf } from '${module}'; process.stdout.write(fileOf('server/main'));`;
  const file = execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
  });
  expect(file).toBe(join(import.meta.dirname, '../dist/server/main.js'));
  expect(readFileSync(file, 'utf8')).toBe(readFileSync(join(installed.home, 'dist/server/main.js'), 'utf8'));
});

test('a thread is few files, and a map tells the source of each of their lines', () => {
  const writer = readFileSync(join(installed.home, 'dist/server/app/writer-thread/writer.js'), 'utf8');
  const own = edgesOf(parse('writer.js', writer)).filter(({ ours }) => ours);
  expect(own.length).toBeLessThan(5);
  const map = /^\/\/# sourceMappingURL=(.*)$/m.exec(writer)?.[1] ?? '';
  const { sources } = JSON.parse(
    readFileSync(join(installed.home, 'dist/server/app/writer-thread', map), 'utf8'),
  ) as { sources: string[] };
  expect(sources.map((source) => source.replace(/^(\.\.\/)+/, ''))).toContain(
    'server/app/writer-thread/writer.ts',
  );
});

test('what the build imports stands in its own dependencies, or is an optional part that is installed by hand', () => {
  const dist = join(installed.home, 'dist');
  const { dependencies, optionalDependencies, peerDependencies, imports } = JSON.parse(
    readFileSync(join(installed.home, 'package.json'), 'utf8'),
  ) as Record<string, Record<string, string>> & { imports: Record<string, { default: string }> };
  const brought = Object.keys(imports).filter((name) =>
    existsSync(join(installed.home, imports[name]?.default ?? '')),
  );
  const listed = new Set([
    ...Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }),
    ...brought,
  ]);
  const missing = filesOf(dist)
    .filter((file) => file.endsWith('.js'))
    .flatMap((file) => edgesOf(parse(file, readFileSync(join(dist, file), 'utf8'))))
    .filter(({ ours, to }) => !ours && !to.startsWith('node:') && !listed.has(to));
  expect(missing.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
});

test('it runs without what only development needs', () => {
  const there = ['typescript', 'vitest', 'node'].filter((name) =>
    existsSync(join(installed.folder, 'node_modules', name)),
  );
  expect(there).toEqual([]);
});

test('memoir serves, adds and finds', { timeout: 60_000 }, async () => {
  const server = await installed.serve('--port', '0');
  const added = await installed.memoir('add', 'The harbour master is called Inês.', '--wait');
  expect(added.stdout).toMatch(/it can be searched now/);
  const found = await installed.memoir('search', 'Who is the harbour master?');
  expect(found.stdout).toContain('The harbour master is called Inês');
  expect(await server.stop()).toBe(0);
});

test('and without a server it opens the folder itself', { timeout: 60_000 }, async () => {
  const html =
    '<html><body><article><h1>Tides</h1><p>High water is at six in the evening.</p></article></body></html>';
  await installed.memoir('add', html, '--data-dir', 'other');
  const { stdout } = await installed.memoir('search', 'When is high water?', '--data-dir', 'other', '--json');
  expect(JSON.parse(stdout)).toMatchObject({ total: 1 });
  const doctor = await installed.memoir('doctor', '--data-dir', 'other');
  expect(doctor.stdout).toMatch(/✓ +chroma +ok\n/);
  expect(doctor.stdout).toContain('All checks passed.');
});

describe.skipIf(process.platform === 'win32')('npx memoir serve', () => {
  checkStops(() => ({ command: ['npx', 'memoir', 'serve'], cwd: installed.folder }));
});

// Builds `dist/`: the command, and each thread and process that it starts, in few files. Node needs 0.3 ms for each file that it
// loads, in every thread anew, and a server has more than a thousand.
import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { edgesOf } from './source/edges.ts';
import { root, sourceFiles } from './source/parse.ts';

const OUT = join(root, 'dist');
/** A server that runs while this builds finds whole files only. */
const INCOMING = join(root, `dist.${process.pid}`);
const DESCRIPTION = 'sources.json';

const COMMANDS = ['server/main.ts', 'server/adapters/vectors/chroma/server/prepare.ts'];

/** The commands, and what they start as threads and processes of their own. */
const entryPoints = (): string[] => {
  const started = sourceFiles('server', 'tools')
    .flatMap(edgesOf)
    .filter(({ kind }) => kind === 'entry')
    .map(({ to }) => to);
  return [...new Set([...COMMANDS, ...started])];
};

const builtName = (source: string): string => source.replace(/\.ts$/, '.js');

/** The address of the file that a module would be in `dist/` if each had one: data and threads are found from there. */
const ownAddress = (source: string): string =>
  `(import.meta.url.slice(0, import.meta.url.lastIndexOf('/dist/') + 6) + '${builtName(source)}')`;

const keepAddresses: Plugin = {
  name: 'keep addresses',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const source = path.slice(root.length + 1).replaceAll('\\', '/');
      const text = readFileSync(path, 'utf8');
      return { contents: text.replaceAll('import.meta.url', ownAddress(source)), loader: 'ts' };
    });
  },
};

/** Packages stay outside: they are installed beside, and an installation may hold a newer one that mends a fault. */
const OPTIONS = {
  absWorkingDir: root,
  outbase: root,
  outdir: INCOMING,
  bundle: true,
  packages: 'external',
  external: ['#kysely'],
  splitting: true,
  chunkNames: 'server/parts/[name]-[hash]',
  format: 'esm',
  platform: 'node',
  target: 'node24',
  sourcemap: 'linked',
  sourcesContent: false,
  plugins: [keepAddresses],
} satisfies BuildOptions;

/** One at a time: files that several entries share would be cut into more parts. */
const buildEntries = async (entries: readonly string[]): Promise<void> => {
  for (const entry of entries) await build({ ...OPTIONS, entryPoints: [entry] });
};

const filesIn = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));

/** Files that are no source are read by their path, so they keep it. */
const copyData = (sources: readonly string[]): void => {
  const data = sources.filter((path) => !path.endsWith('.ts'));
  for (const path of data) cpSync(join(root, path), join(INCOMING, path));
};

/** `isBuildCurrent` in bin/node.js compares them, so that a checkout never runs an old build. */
const describeSources = (sources: readonly string[]): string => {
  const states = [...sources, 'scripts/build.ts', 'package.json'].map((path) => {
    const { size, mtimeMs } = statSync(join(root, path));
    return [path, size, mtimeMs];
  });
  return JSON.stringify(states);
};

const buildAll = async (sources: readonly string[], description: string): Promise<void> => {
  await buildEntries(entryPoints());
  copyData(sources);
  writeFileSync(join(INCOMING, DESCRIPTION), description);
  rmSync(OUT, { recursive: true, force: true });
  renameSync(INCOMING, OUT);
};

const isBuilt = (description: string): boolean => {
  const file = join(OUT, DESCRIPTION);
  return existsSync(file) && readFileSync(file, 'utf8') === description;
};

const sources = [...filesIn('server'), ...filesIn('tools')];
// Before they are read: a file that changes meanwhile makes the build an old one.
const description = describeSources(sources);
try {
  if (!isBuilt(description)) await buildAll(sources, description);
} finally {
  rmSync(INCOMING, { recursive: true, force: true });
}

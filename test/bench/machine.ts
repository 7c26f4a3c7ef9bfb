// The machine on which the figures were measured, and the state that was measured.
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { availableParallelism, cpus, loadavg, release, totalmem, type } from 'node:os';
import { basename, isAbsolute } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { loadChromaBinding } from '../../server/adapters/vectors/chroma/server/native-binding.ts';

const sqliteVersion = (): string => {
  const database = new DatabaseSync(':memory:');
  const row = database.prepare('select sqlite_version() as version').get();
  database.close();
  return String(row?.version);
};

/** The name of a package with its version, or the name of the fetched file. */
const bindingVersion = (): string => {
  const { name } = loadChromaBinding();
  if (isAbsolute(name)) return basename(name, '.node');
  const ours = createRequire(import.meta.url);
  const { version } = createRequire(ours.resolve('chromadb'))(`${name}/package.json`) as { version: string };
  return `${name} ${version}`;
};

export const machine = (): string[] => [
  `${availableParallelism()} cores (${cpus()[0]?.model ?? 'unknown'}), ${Math.round(totalmem() / 2 ** 30)} GB, ${type()} ${release()}`,
  `Node ${process.versions.node}, SQLite ${sqliteVersion()}, Chroma binding ${bindingVersion()}`,
];

/** "27 November 2026, commit `3a730d15`": the day and the checkout. */
export const measuredToday = (): string => {
  const day = new Date().toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric' });
  const commit = execFileSync('git', ['rev-parse', '--short=8', 'HEAD'], { encoding: 'utf8' }).trim();
  return `${day}, commit \`${commit}\``;
};

/** The load of the machine beside the bench, from the load average. */
export const busyness = (): string => loadavg()[0]?.toFixed(1) ?? '?';

// On what the figures were measured.
import { createRequire } from 'node:module';
import { availableParallelism, cpus, loadavg, release, totalmem, type } from 'node:os';
import { DatabaseSync } from 'node:sqlite';
import { loadChromaBinding } from '../../server/adapters/vectors/chroma-binding.ts';

const sqliteVersion = (): string => {
  const database = new DatabaseSync(':memory:');
  const row = database.prepare('select sqlite_version() as version').get();
  database.close();
  return String(row?.version);
};

const bindingVersion = (): string => {
  const { name } = loadChromaBinding();
  const ours = createRequire(import.meta.url);
  const from = name.startsWith('chromadb') ? createRequire(ours.resolve('chromadb')) : ours;
  const { version } = from(`${name}/package.json`) as { version: string };
  return `${name} ${version}`;
};

export const machine = (): string[] => [
  `${availableParallelism()} cores (${cpus()[0]?.model ?? 'unknown'}), ${Math.round(totalmem() / 2 ** 30)} GB, ${type()} ${release()}`,
  `Node ${process.versions.node}, SQLite ${sqliteVersion()}, Chroma binding ${bindingVersion()}`,
];

/** How busy the machine was beside the bench, as far as the average tells. */
export const busyness = (): string => loadavg()[0]?.toFixed(1) ?? '?';

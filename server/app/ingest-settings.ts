// Derives the settings of the writer thread and of the ingest thread from the config.
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { extractionHints } from '../config/settings/content.ts';
import { embedSettings } from '../config/settings/models.ts';
import { VERSION } from '../core/version.ts';
import { defined } from '../lib/defined.ts';
import { publicHookBase } from './connections/hook-base.ts';
import { databaseFile } from './data-folder/data-folder.ts';
import type { ContentSettings, IngestSettings } from './ingest-thread/settings.ts';
import type { WriterSettings } from './writer-thread/commands.ts';

export const ingestContentSettings = (
  config: Config,
  standIns: Readonly<Record<string, string>> = {},
): ContentSettings => ({
  blobs: {
    folder: config.filesDir ?? join(config.dataDir, 'files'),
    scratch: join(config.dataDir, 'lent'),
    bucket: config.blobs,
  },
  scratch: join(config.dataDir, 'reading'),
  userAgent: `Memoir/${VERSION}`,
  ...extractionHints(config),
  models: config.local.folder,
  standIns,
});

const HALF = 2;
const QUARTER = 4;

/** The shares of the connections that a process may have. */
export const connectionShares = (connections: number) => ({
  reading: Math.floor(connections / HALF),
  writing: Math.floor(connections / QUARTER),
  ingesting: Math.floor(connections / QUARTER),
});

const ingestDatabase = ({ database }: Config, process: string | null): IngestSettings['postgres'] =>
  database === null || process === null
    ? null
    : {
        process,
        url: database.url,
        most: connectionShares(database.connections).ingesting,
        prepared: !database.pooled,
      };

export const ingestSettings = (
  config: Config,
  options: { standIns?: Readonly<Record<string, string>> },
  process: string | null,
): IngestSettings => ({
  file: databaseFile(config.dataDir),
  postgres: ingestDatabase(config, process),
  logLevel: config.logLevel,
  metered: config.metrics !== null,
  traced: config.traces,
  embed: embedSettings(config),
  reading: config.reading,
  connections: {
    ...config.connections,
    hookBase: publicHookBase(config.baseUrl),
    keys: {
      dataDir: config.dataDir,
      previousSecretKeys: config.previousSecretKeys,
      ...defined({ secretKey: config.secretKey }),
    },
  },
  content: ingestContentSettings(config, options.standIns),
});

export const writerSettings = (config: Config, options: { groupCommit?: boolean }): WriterSettings => ({
  file: databaseFile(config.dataDir),
  groupCommit: options.groupCommit ?? true,
});

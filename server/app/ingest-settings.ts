// Derives the settings of the ingest thread from the config.
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { extractionHints } from '../config/settings/content.ts';
import { embedSettings } from '../config/settings/embedding.ts';
import { VERSION } from '../core/version.ts';
import type { ContentSettings, IngestSettings } from './ingest-thread/settings.ts';

export const ingestContentSettings = (
  config: Config,
  standIns: Readonly<Record<string, string>> = {},
): ContentSettings => ({
  blobs: join(config.dataDir, 'files'),
  scratch: join(config.dataDir, 'reading'),
  userAgent: `Memoir/${VERSION}`,
  ...extractionHints(config),
  standIns,
});

export const ingestSettings = (
  config: Config,
  options: { groupCommit?: boolean; standIns?: Readonly<Record<string, string>> },
  boot: string,
): IngestSettings => ({
  file: join(config.dataDir, 'memoir.db'),
  boot,
  logLevel: config.logLevel,
  embed: embedSettings(config),
  reading: config.reading,
  content: ingestContentSettings(config, options.standIns),
  groupCommit: options.groupCommit ?? true,
});

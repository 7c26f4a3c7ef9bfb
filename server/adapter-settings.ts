// What the adapters are told of the config.
import { join } from 'node:path';
import type { EmbedSettings } from './adapters/embed/open.ts';
import type { RerankSettings } from './adapters/rerank/open.ts';
import type { ChromaPlace } from './adapters/vectors/chroma.ts';
import type { Config } from './config.ts';
import type { ContentSettings, IngestSettings } from './ingest.ts';
import { VERSION } from './version.ts';

export const embedSettings = ({ embedding }: Config): EmbedSettings => ({
  model: embedding?.model ?? null,
  dimensions: embedding?.dimensions ?? null,
  apiKey: embedding?.apiKey ?? null,
  baseUrl: embedding?.baseUrl ?? null,
});

export const placeOf = ({ chroma }: Config): ChromaPlace => ({
  url: chroma?.url ?? null,
  token: chroma?.token ?? null,
  tenant: chroma?.tenant ?? null,
  database: chroma?.database ?? null,
});

export const rerankSettings = ({ reranking }: Config): RerankSettings | null => {
  if (reranking === null || 'folder' in reranking) return reranking;
  return { url: reranking.url, model: reranking.model ?? null, apiKey: reranking.apiKey ?? null };
};

export const contentSettings = (
  { dataDir, transcription, ocrLanguages }: Config,
  standIns: Readonly<Record<string, string>> = {},
): ContentSettings => ({
  blobs: join(dataDir, 'files'),
  scratch: join(dataDir, 'reading'),
  userAgent: `Memoir/${VERSION}`,
  transcription: transcription ?? undefined,
  languages: ocrLanguages,
  standIns,
});

/** What the ingest thread is told of it. */
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
  content: contentSettings(config, options.standIns),
  groupCommit: options.groupCommit ?? true,
});

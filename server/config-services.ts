// What the settings say of the services that Memoir asks, each as one value; null: it is not asked.
import { resolve } from 'node:path';
import type { Settings } from './config.ts';

export interface ChromaConfig {
  url: string;
  token?: string;
  tenant?: string;
  database?: string;
}

export interface EmbeddingConfig {
  model: string;
  /** Undefined: the model's own. */
  dimensions?: number;
  apiKey?: string;
  baseUrl: string;
}

export interface ReadingConfig {
  model: string;
  apiKey?: string;
  baseUrl: string;
}

export type RerankConfig = { url: string; model?: string; apiKey?: string } | { folder: string };

export interface TranscriptionConfig {
  model: string;
  /** Undefined: the service finds out. */
  language?: string;
  apiKey?: string;
  baseUrl: string;
}

const OPENAI = 'https://api.openai.com/v1';

const serviceOf = ({ OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: baseUrl }: Settings) => ({
  baseUrl: baseUrl ?? OPENAI,
  ...(apiKey === undefined ? {} : { apiKey }),
});

export function embeddingOf(read: Settings): EmbeddingConfig | null {
  const { MEMOIR_EMBEDDING_MODEL: model, MEMOIR_EMBEDDING_DIMENSIONS: dimensions } = read;
  if (model === undefined) return null;
  return { model, ...serviceOf(read), ...(dimensions === undefined ? {} : { dimensions }) };
}

export const readingOf = (read: Settings): ReadingConfig | null =>
  read.OPENAI_MODEL === undefined ? null : { model: read.OPENAI_MODEL, ...serviceOf(read) };

export function transcriptionOf(read: Settings): TranscriptionConfig | null {
  const { MEMOIR_TRANSCRIPTION_MODEL: model, MEMOIR_TRANSCRIPTION_LANGUAGE: language } = read;
  if (model === undefined) return null;
  return { model, ...serviceOf(read), ...(language === undefined ? {} : { language }) };
}

export function rerankingOf(read: Settings): RerankConfig | null {
  const {
    MEMOIR_RERANK_URL: url,
    MEMOIR_RERANK_MODEL: model,
    MEMOIR_RERANK_API_KEY: apiKey,
    MEMOIR_RERANK_FOLDER: folder,
  } = read;
  if (folder !== undefined) return { folder: resolve(folder) };
  if (url === undefined) return null;
  return { url, ...(model === undefined ? {} : { model }), ...(apiKey === undefined ? {} : { apiKey }) };
}

export function chromaOf(read: Settings): ChromaConfig | null {
  const { CHROMA_URL: url, CHROMA_TOKEN: token, CHROMA_TENANT: tenant, CHROMA_DATABASE: database } = read;
  if (url === undefined) return null;
  return {
    url,
    ...(token === undefined ? {} : { token }),
    ...(tenant === undefined ? {} : { tenant }),
    ...(database === undefined ? {} : { database }),
  };
}

// An OpenAI-compatible embedder before a server of its own, patient for milliseconds only.
import { createOpenAiEmbedder, type OpenAiOptions } from '../../../server/adapters/embed/openai.ts';
import type { Embedder } from '../../../server/adapters/embed/port.ts';
import { IngestError } from '../../../server/errors.ts';
import type { EmbeddingsServer } from './embeddings-server.ts';

export const KEY = 'sk-secret-0123456789abcdef';
export const PATIENCE = { timeoutMs: 2000, retries: { attempts: 3, firstWaitMs: 5, longestWaitMs: 500 } };

export const embedderBefore = (server: EmbeddingsServer, more: Partial<OpenAiOptions> = {}): Embedder =>
  createOpenAiEmbedder({
    apiKey: KEY,
    baseUrl: server.baseUrl,
    model: 'meaning-1',
    patience: PATIENCE,
    queryPatience: PATIENCE,
    ...more,
    dimensions: more.dimensions ?? 256,
    askForDimensions: more.dimensions !== undefined,
  });

export async function failureOf(work: Promise<unknown>): Promise<IngestError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof IngestError))
    throw new Error(`Not an IngestError: ${String(error)}`, { cause: error });
  return error;
}

// An OpenAI-compatible embedder with a test server of its own, and with timeouts of milliseconds.
import { createOpenAiEmbedder, type OpenAiOptions } from '../../../server/adapters/embed/openai.ts';
import type { Embedder } from '../../../server/adapters/embed/port.ts';
import { IngestError } from '../../../server/core/errors.ts';
import type { EmbeddingsServer } from './embeddings-server.ts';

export const KEY = 'sk-secret-0123456789abcdef';
export const CALL_LIMITS = { timeoutMs: 2000, retries: { attempts: 3, firstWaitMs: 5, longestWaitMs: 500 } };

export const embedderBefore = (server: EmbeddingsServer, more: Partial<OpenAiOptions> = {}): Embedder =>
  createOpenAiEmbedder({
    apiKey: KEY,
    baseUrl: server.baseUrl,
    model: 'meaning-1',
    callLimits: CALL_LIMITS,
    queryCallLimits: CALL_LIMITS,
    ...more,
    dimensions: more.dimensions ?? 256,
    sendDimensions: more.dimensions !== undefined,
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

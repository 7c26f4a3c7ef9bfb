// A reader by a model before a server of its own, patient for milliseconds only.
import { createOpenAiReader, type OpenAiReaderOptions } from '../../../server/adapters/model/openai.ts';
import type { MemoryReader } from '../../../server/adapters/model/port.ts';
import { IngestError } from '../../../server/errors.ts';
import type { ChatServer } from './chat-server.ts';

export const KEY = 'sk-secret-0123456789abcdef';
export const PATIENCE = { timeoutMs: 2000, retries: { attempts: 3, firstWaitMs: 5, longestWaitMs: 500 } };

export const readerBefore = (server: ChatServer, more: Partial<OpenAiReaderOptions> = {}): MemoryReader =>
  createOpenAiReader({ apiKey: KEY, baseUrl: server.baseUrl, model: 'reads-1', patience: PATIENCE, ...more });

export async function failureOf(work: Promise<unknown>): Promise<IngestError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof IngestError))
    throw new Error(`Not an IngestError: ${String(error)}`, { cause: error });
  return error;
}

// A reader by a model with a test server of its own, and with timeouts of milliseconds.
import {
  createOpenAiReader,
  type OpenAiReaderOptions,
} from '../../../server/adapters/language-model/openai/memory-reader.ts';
import type { MemoryReader } from '../../../server/adapters/language-model/ports/memory-reader.ts';
import { IngestError } from '../../../server/core/errors.ts';
import { createReaderRules } from '../../../server/domain/memories/rules/reader-rules.ts';
import type { ChatServer } from './chat-server.ts';

export const KEY = 'sk-secret-0123456789abcdef';
export const CALL_LIMITS = { timeoutMs: 2000, retries: { attempts: 3, firstWaitMs: 5, longestWaitMs: 500 } };

export const readerBefore = (server: ChatServer, more: Partial<OpenAiReaderOptions> = {}): MemoryReader =>
  createOpenAiReader({
    apiKey: KEY,
    baseUrl: server.baseUrl,
    model: 'reads-1',
    callLimits: CALL_LIMITS,
    rules: createReaderRules(),
    ...more,
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

// Calls to an OpenAI-compatible embeddings endpoint: one request, repeated where that may help, its answer checked.
import type OpenAI from 'openai';
import {
  type ConnectionOptions,
  createClient,
  judge,
  type Patience,
  serviceUrl,
} from '../../lib/openai/client.ts';
import { type RemoteService, serviceError, unusableAnswer } from '../../lib/openai/failures.ts';
import { withRetries } from '../../lib/retry.ts';
import { unitLength } from './unit-length.ts';

export interface EmbeddingRequest {
  readonly texts: readonly string[];
  /** Asked of the service, by parameter. Many servers know no such parameter: only sent when configured. */
  readonly askFor?: number | undefined;
  /** What the answer must have. */
  readonly expect?: number | undefined;
}

export interface Connection {
  /** Unit-length vectors, one for each text, in order. */
  embed(request: EmbeddingRequest, patience: Patience, signal?: AbortSignal): Promise<Float32Array[]>;
}

// --- the answer ------------------------------------------------------------------------------------

type Fields = Readonly<Record<string, unknown>>;
const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {};

/** One item for each text, by index where the service numbers them: the protocol promises no order. */
function itemsOf(service: RemoteService, answer: unknown, count: number): Fields[] {
  const { data } = fieldsOf(answer);
  if (!Array.isArray(data)) throw unusableAnswer(service, 'answered without a list of vectors');
  if (data.length !== count)
    throw unusableAnswer(service, `answered with ${data.length} vectors for ${count} texts`);
  const items = data.map(fieldsOf);
  if (items.every((item) => item.index === undefined)) return items;
  const byIndex = new Map(items.map((item) => [item.index, item]));
  return items.map((_, at) => {
    const item = byIndex.get(at);
    if (!item) throw unusableAnswer(service, `answered without a vector for text ${at + 1} of ${count}`);
    return item;
  });
}

function vectorOf(service: RemoteService, values: unknown, dimensions: number | undefined): Float32Array {
  if (!Array.isArray(values))
    throw unusableAnswer(service, 'answered with something that is not a list of numbers');
  if (dimensions !== undefined && values.length !== dimensions) {
    const what = `answered with a vector of ${values.length} dimensions where ${dimensions} are expected`;
    throw unusableAnswer(service, what);
  }
  if (!values.every(Number.isFinite))
    throw unusableAnswer(service, 'answered with a vector that holds no numbers');
  const vector = unitLength(Float32Array.from(values as number[]));
  if (!vector) throw unusableAnswer(service, 'answered with a vector of zeros, which has no direction');
  return vector;
}

function vectorsOf(service: RemoteService, answer: unknown, request: EmbeddingRequest): Float32Array[] {
  const items = itemsOf(service, answer, request.texts.length);
  return items.map((item) => vectorOf(service, item.embedding, request.expect));
}

// --- the call --------------------------------------------------------------------------------------

export function openConnection(options: ConnectionOptions): Connection {
  const url = serviceUrl('embedding', options.baseUrl);
  const service: RemoteService = {
    title: 'embedding service',
    code: 'embedding',
    modelSetting: 'MEMOIR_EMBEDDING_MODEL',
    refusedHint: 'Check MEMOIR_EMBEDDING_MODEL and, where it is set, MEMOIR_EMBEDDING_DIMENSIONS.',
    host: url.host,
    model: options.model,
    secrets: options.apiKey ? [options.apiKey] : [],
  };
  let client: Promise<OpenAI> | undefined;

  async function ask(request: EmbeddingRequest, timeoutMs: number, signal?: AbortSignal): Promise<unknown> {
    client ??= createClient(options, url);
    const { embeddings } = await client;
    // The client's own timeout ends with the headers; an answer may also stop in the middle of its body.
    const late = AbortSignal.timeout(timeoutMs);
    try {
      return await embeddings.create(
        {
          model: options.model,
          input: [...request.texts],
          encoding_format: 'float',
          ...(request.askFor === undefined ? {} : { dimensions: request.askFor }),
        },
        { signal: signal ? AbortSignal.any([signal, late]) : late },
      );
    } catch (error) {
      signal?.throwIfAborted();
      throw serviceError(service, error, late.aborted ? timeoutMs : undefined);
    }
  }

  async function embed(
    request: EmbeddingRequest,
    patience: Patience,
    signal?: AbortSignal,
  ): Promise<Float32Array[]> {
    const attempt = () => ask(request, patience.timeoutMs, signal);
    return vectorsOf(service, await withRetries(attempt, patience.retries, judge, signal), request);
  }

  return { embed };
}

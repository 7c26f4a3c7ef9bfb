// Calls an OpenAI-compatible embeddings endpoint, with retries, and checks its answer.

import type OpenAI from 'openai';
import { IngestError, ingestError } from '../../core/errors.ts';
import { withRetries } from '../../lib/async/retry.ts';
import { fieldsOf, type UnknownObject } from '../../lib/objects.ts';
import {
  type CallLimits,
  createOpenAiClient,
  type OpenAiConnection,
  retryDecision,
  serviceUrl,
} from '../../lib/openai/client.ts';
import {
  type FailureMaker,
  invalidAnswerError,
  lengthError,
  type RemoteService,
  refusesLength,
  serviceError,
} from '../../lib/openai/failures.ts';
import { USUAL_SETTINGS } from '../../lib/openai/settings.ts';
import { unitLength } from './unit-length.ts';

export interface EmbeddingRequest {
  readonly texts: readonly string[];
  /** The `dimensions` parameter. Many servers do not know it, so it is sent only when configured. */
  readonly dimensionsParameter?: number | undefined;
  /** The dimensions that the answer must have. */
  readonly expectedDimensions?: number | undefined;
}

export interface EmbeddingService {
  /** Unit-length vectors, one for each text, in order. */
  embed(request: EmbeddingRequest, callLimits: CallLimits, signal?: AbortSignal): Promise<Float32Array[]>;
}

/** One item for each text, ordered by index if the service sends indexes: the protocol guarantees no order. */
const answerItems = (service: RemoteService, answer: unknown, count: number): UnknownObject[] => {
  const { data } = fieldsOf(answer);
  if (!Array.isArray(data)) throw invalidAnswerError(service, 'answered without a list of vectors');
  if (data.length !== count)
    throw invalidAnswerError(service, `answered with ${data.length} vectors for ${count} texts`);
  const items = data.map(fieldsOf);
  if (items.every((item) => item.index === undefined)) return items;
  const byIndex = new Map(items.map((item) => [item.index, item]));
  return items.map((_, at) => {
    const item = byIndex.get(at);
    if (!item) throw invalidAnswerError(service, `answered without a vector for text ${at + 1} of ${count}`);
    return item;
  });
};

const answerVector = (
  service: RemoteService,
  values: unknown,
  dimensions: number | undefined,
): Float32Array => {
  if (!Array.isArray(values))
    throw invalidAnswerError(service, 'answered with something that is not a list of numbers');
  if (dimensions !== undefined && values.length !== dimensions) {
    const what = `answered with a vector of ${values.length} dimensions where ${dimensions} are expected`;
    throw invalidAnswerError(service, what);
  }
  if (!values.every(Number.isFinite))
    throw invalidAnswerError(service, 'answered with a vector that holds no numbers');
  const vector = unitLength(Float32Array.from(values as number[]));
  if (!vector) throw invalidAnswerError(service, 'answered with a vector of zeros, which has no direction');
  return vector;
};

const answerVectors = (
  service: RemoteService,
  answer: unknown,
  request: EmbeddingRequest,
): Float32Array[] => {
  const items = answerItems(service, answer, request.texts.length);
  return items.map((item) => answerVector(service, item.embedding, request.expectedDimensions));
};

/** A failed request is the service's fault until it is known that the service refuses one text and answers others. */
const providerFailure: FailureMaker = (code, message, options) =>
  new IngestError(code, message, { ...options, byProvider: true });

const remoteServiceOf = (options: OpenAiConnection, { host }: URL): RemoteService => {
  const { settings = USUAL_SETTINGS, model, apiKey } = options;
  return {
    failure: providerFailure,
    title: 'embedding service',
    code: 'embedding',
    modelSetting: settings.model ?? 'MEMOIR_EMBEDDING_MODEL',
    settings,
    refusedHint: settings.model
      ? `Check ${settings.model}.`
      : 'Check MEMOIR_EMBEDDING_MODEL and, where it is set, MEMOIR_EMBEDDING_DIMENSIONS.',
    afterwards: 'Memoir tries again by itself.',
    host,
    model,
    secrets: apiKey ? [apiKey] : [],
  };
};

export const openEmbeddingService = (options: OpenAiConnection): EmbeddingService => {
  const url = serviceUrl('embedding', options, ingestError);
  const service = remoteServiceOf(options, url);
  let client: Promise<OpenAI> | undefined;

  async function ask(
    request: EmbeddingRequest,
    { timeoutMs }: CallLimits,
    attempt: { hung: boolean },
    signal?: AbortSignal,
  ): Promise<unknown> {
    client ??= createOpenAiClient(options, url);
    const { embeddings } = await client;
    // The client's own timeout covers the headers only; this one also covers the body.
    const timeout = AbortSignal.timeout(timeoutMs);
    try {
      return await embeddings.create(
        {
          model: options.model,
          input: [...request.texts],
          encoding_format: 'float',
          ...(request.dimensionsParameter === undefined ? {} : { dimensions: request.dimensionsParameter }),
        },
        { signal: signal ? AbortSignal.any([signal, timeout]) : timeout },
      );
    } catch (error) {
      signal?.throwIfAborted();
      attempt.hung = timeout.aborted;
      if (refusesLength(error)) throw lengthError(service, error);
      throw serviceError(service, error, timeout.aborted ? timeoutMs : undefined);
    }
  }

  async function embed(
    request: EmbeddingRequest,
    callLimits: CallLimits,
    signal?: AbortSignal,
  ): Promise<Float32Array[]> {
    const attempt = { hung: false };
    // A request that hangs has cost its caller enough time: it is not repeated here.
    const decide = (error: unknown) => (attempt.hung ? null : retryDecision(error));
    const send = () => ask(request, callLimits, attempt, signal);
    return answerVectors(service, await withRetries(send, callLimits.retries, decide, signal), request);
  }

  return { embed };
};

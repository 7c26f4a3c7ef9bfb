// Gets embeddings from OpenAI or any server that speaks its protocol (Ollama, vLLM, LM Studio, llama.cpp).
import { mapBounded } from '../../lib/async/bounded.ts';
import type { RetryPlan } from '../../lib/async/retry.ts';
import type { CallLimits, OpenAiConnection } from '../../lib/openai/client.ts';
import type { ServiceSettings } from '../../lib/openai/settings.ts';
import { cutText } from '../../lib/text/cut.ts';
import { sendIsolating } from './isolate-texts.ts';
import { embedderKind } from './kind.ts';
import { openEmbeddingService } from './openai-connection.ts';
import { passageInput, sendable } from './passage-input.ts';
import type { Embedder, EmbedLimits, Passage } from './port.ts';

export interface OpenAiOptions extends OpenAiConnection {
  /** Undefined: the model's own dimensions, learnt from the vector of one text. */
  readonly dimensions?: number | undefined;
  readonly limits?: Partial<EmbedLimits>;
  /** The sum over all texts of one request. */
  readonly charactersPerCall?: number;
  readonly callLimits?: CallLimits;
  /** Shorter limits for queries, because a caller waits. */
  readonly queryCallLimits?: CallLimits;
  /** The beginning of each query and passage, for models that were trained with it. */
  readonly prefixes?: { readonly query: string; readonly passage: string };
}

/** The embedder's name in the names of spaces. */
const NAME = 'openai';

/** A model that takes 8,192 tokens takes 8,000 characters of any common script. */
const LIMITS: EmbedLimits = { passagesPerCall: 128, charactersPerPassage: 8_000, parallelCalls: 4 };
const CHARACTERS_PER_CALL = 200_000;
/** A small request gets less time than a large one, so that a service that hangs is soon noticed. */
const SHORTEST_TIMEOUT_MS = 10_000;
const TIMEOUT_PER_CHARACTER_MS = 0.25;
const RETRIES: RetryPlan = { attempts: 3, firstWaitMs: 500, longestWaitMs: 20_000 };
const QUERY_CALL_LIMITS: CallLimits = {
  timeoutMs: 10_000,
  retries: { attempts: 2, firstWaitMs: 200, longestWaitMs: 1_000 },
};

/** A text of this length fits into any model. */
const SHORTEST_CUT = 200;

/** Any service that works has a vector for it. */
const PROBE = 'Does this service answer?';

const limitsFor = (texts: readonly string[]): CallLimits => {
  const characters = texts.reduce((sum, { length }) => sum + length, 0);
  const timeoutMs = Math.ceil(SHORTEST_TIMEOUT_MS + TIMEOUT_PER_CHARACTER_MS * characters);
  return { timeoutMs, retries: RETRIES };
};

/** Consecutive texts, as many as fit into one request. */
const requestBatches = (texts: readonly string[], most: number, mostCharacters: number): string[][] => {
  const batches: string[][] = [];
  let batch: string[] = [];
  let characters = 0;
  for (const text of texts) {
    if (batch.length > 0 && (batch.length >= most || characters + text.length > mostCharacters)) {
      batches.push(batch);
      batch = [];
      characters = 0;
    }
    batch.push(text);
    characters += text.length;
  }
  return batch.length > 0 ? [...batches, batch] : batches;
};

/** The texts of passages, and shorter ones for a service that takes less: the context is cut first. */
const inputTexts = (passages: readonly Passage[], limit: number, prefix: string) => {
  const made = new Map<string, Passage>();
  const textOf = (passage: Passage, most: number): string => {
    const text = prefix + passageInput(passage, most);
    made.set(text, passage);
    return text;
  };
  return {
    texts: passages.map((passage) => textOf(passage, limit)),
    shorten(text: string): string | null {
      const passage = made.get(text);
      const most = Math.floor((text.length - prefix.length) / 2);
      return passage === undefined || most < SHORTEST_CUT ? null : textOf(passage, most);
    },
  };
};

export interface KnownDimensions {
  readonly dimensions: number;
  /** False for learnt dimensions: many servers refuse the parameter. Default: true. */
  readonly sendDimensions?: boolean;
}

/** The embedder of a space with known dimensions. The service is not called yet. */
export const createOpenAiEmbedder = (options: OpenAiOptions & KnownDimensions): Embedder => {
  const connection = openEmbeddingService(options);
  const limits = { ...LIMITS, ...options.limits };
  const charactersPerCall = options.charactersPerCall ?? CHARACTERS_PER_CALL;
  const expectedDimensions = options.dimensions;
  const dimensionsParameter = options.sendDimensions === false ? undefined : options.dimensions;

  const request = (texts: readonly string[], callLimits: CallLimits, signal?: AbortSignal) =>
    connection.embed({ texts, dimensionsParameter, expectedDimensions }, callLimits, signal);
  const queryCallLimits = options.queryCallLimits ?? QUERY_CALL_LIMITS;
  const { query: beforeQuery, passage: beforePassage } = options.prefixes ?? { query: '', passage: '' };
  const isolating = {
    send: (texts: readonly string[], signal?: AbortSignal) =>
      request(texts, options.callLimits ?? limitsFor(texts), signal),
    probe: (signal?: AbortSignal) => request([PROBE], queryCallLimits, signal),
  };

  async function embed(
    passages: readonly Passage[],
    signal?: AbortSignal,
    embedded?: (count: number) => void,
  ): Promise<Float32Array[]> {
    signal?.throwIfAborted();
    const { texts, shorten } = inputTexts(passages, limits.charactersPerPassage, beforePassage);
    const sendTexts = sendIsolating({ ...isolating, shorten });
    const batches = requestBatches(texts, limits.passagesPerCall, charactersPerCall);
    const send = async (batch: string[], stop: AbortSignal) => {
      const vectors = await sendTexts(batch, stop);
      embedded?.(vectors.length);
      return vectors;
    };
    return (await mapBounded(batches, limits.parallelCalls, send, signal)).flat();
  }

  async function embedQuery(
    query: string,
    _weigh?: (term: string) => number,
    signal?: AbortSignal,
  ): Promise<Float32Array> {
    const text = beforeQuery + sendable(cutText(query, limits.charactersPerPassage));
    const [vector] = await request([text], queryCallLimits, signal);
    if (!vector) throw new Error('The embedding service returned no vector for the query.');
    return vector;
  }

  const space = { embedder: NAME, model: options.model, dimensions: expectedDimensions };
  return { space, limits, context: 'previous', keepExact: true, embed, embedQuery };
};

/** Learns the dimensions of the model from the vector of one text. */
export const learnDimensions = async (options: OpenAiOptions, signal?: AbortSignal): Promise<number> => {
  const request = { texts: ['How long is a vector?'] };
  const [vector] = await openEmbeddingService(options).embed(
    request,
    options.queryCallLimits ?? QUERY_CALL_LIMITS,
    signal,
  );
  return vector?.length ?? 0;
};

/** The embedder as configured. Without configured dimensions the service is called once. */
export const openOpenAiEmbedder = async (options: OpenAiOptions, signal?: AbortSignal): Promise<Embedder> => {
  if (options.dimensions !== undefined) {
    return createOpenAiEmbedder({ ...options, dimensions: options.dimensions });
  }
  const dimensions = await learnDimensions(options, signal);
  return createOpenAiEmbedder({ ...options, dimensions, sendDimensions: false });
};

/** The settings of this embedder, if they name a model. */
export interface OpenAiEmbedding {
  readonly model: string;
  /** Undefined: the model's own dimensions. */
  readonly dimensions?: number;
  readonly apiKey?: string;
  readonly baseUrl: string;
  readonly settings?: ServiceSettings;
}

interface Settings {
  readonly embedding: OpenAiEmbedding | null;
}

export const openAiEmbedder = embedderKind({
  name: NAME,
  requestedSpace: ({ embedding }: Settings) =>
    embedding && { embedder: NAME, model: embedding.model, dimensions: embedding.dimensions ?? null },
  open: async ({ embedding }) => {
    if (embedding === null) throw new Error('The settings name no embedding model.');
    return openOpenAiEmbedder(embedding);
  },
  openStored: ({ embedding }, { model, dimensions }) =>
    embedding &&
    createOpenAiEmbedder({
      ...embedding,
      model,
      dimensions,
      sendDimensions: embedding.model === model && embedding.dimensions !== undefined,
    }),
});

// Embeddings from OpenAI or any server that speaks its protocol (Ollama, vLLM, LM Studio, llama.cpp).
import { mapBounded } from '../../lib/bounded.ts';
import type { ConnectionOptions, Patience } from '../../lib/openai/client.ts';
import { cutText } from '../../lib/text/cut.ts';
import { openConnection } from './openai-connection.ts';
import type { Embedder, EmbedLimits, Passage } from './port.ts';

export interface OpenAiOptions extends ConnectionOptions {
  /** Asked of the service; not configured: the model's own, learnt by asking once. */
  readonly dimensions?: number | undefined;
  readonly limits?: Partial<EmbedLimits>;
  /** In one request, over all its texts. */
  readonly charactersPerCall?: number;
  readonly patience?: Patience;
  /** For queries, behind which somebody waits. */
  readonly queryPatience?: Patience;
}

/** A model that takes 8,192 tokens takes 8,000 characters of any common script. */
const LIMITS: EmbedLimits = { passagesPerCall: 128, charactersPerPassage: 8_000, parallelCalls: 4 };
const CHARACTERS_PER_CALL = 200_000;
const PATIENCE: Patience = {
  timeoutMs: 60_000,
  retries: { attempts: 5, firstWaitMs: 500, longestWaitMs: 20_000 },
};
const QUERY_PATIENCE: Patience = {
  timeoutMs: 10_000,
  retries: { attempts: 2, firstWaitMs: 200, longestWaitMs: 1_000 },
};

/** An empty input is refused by the protocol; a full stop says as little as can be said. */
const NOTHING = '.';

const sendable = (text: string): string => (text.trim() === '' ? NOTHING : text.toWellFormed());

/** "date — speaker", title, the turn before, the passage: when it is too long, the context gives way first. */
function inputText(passage: Passage, limit: number): string {
  const header = [passage.date, passage.speaker].filter(Boolean).join(' — ');
  const context = [header, passage.title, passage.previous[0]].filter(Boolean).join('\n');
  const body = cutText(passage.text, limit);
  const before = cutText(context, Math.max(0, limit - body.length - 1));
  return sendable(before === '' ? body : `${before}\n${body}`);
}

/** Consecutive texts, as many as fit into one request. */
function batchesOf(texts: readonly string[], most: number, mostCharacters: number): string[][] {
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
}

export interface KnownDimensions {
  readonly dimensions: number;
  /** False where they were learnt and not configured: many servers refuse the parameter. Default: true. */
  readonly askForDimensions?: boolean;
}

/** The embedder of a space whose dimensions are known; nothing is asked of the service yet. */
export function createOpenAiEmbedder(options: OpenAiOptions & KnownDimensions): Embedder {
  const connection = openConnection(options);
  const limits = { ...LIMITS, ...options.limits };
  const charactersPerCall = options.charactersPerCall ?? CHARACTERS_PER_CALL;
  const expect = options.dimensions;
  const askFor = options.askForDimensions === false ? undefined : options.dimensions;

  async function embed(
    passages: readonly Passage[],
    signal?: AbortSignal,
    embedded?: (count: number) => void,
  ): Promise<Float32Array[]> {
    signal?.throwIfAborted();
    const texts = passages.map((passage) => inputText(passage, limits.charactersPerPassage));
    const batches = batchesOf(texts, limits.passagesPerCall, charactersPerCall);
    const send = async (batch: string[], stop: AbortSignal) => {
      const request = { texts: batch, askFor, expect };
      const vectors = await connection.embed(request, options.patience ?? PATIENCE, stop);
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
    const texts = [sendable(cutText(query, limits.charactersPerPassage))];
    const patience = options.queryPatience ?? QUERY_PATIENCE;
    const [vector] = await connection.embed({ texts, askFor, expect }, patience, signal);
    if (!vector) throw new Error('One vector for one query was promised.');
    return vector;
  }

  const space = { embedder: 'openai', model: options.model, dimensions: expect };
  return { space, limits, context: 'previous', keepExact: true, embed, embedQuery };
}

/** How many dimensions the model's vectors have, by asking for one. */
async function probe(options: OpenAiOptions, signal?: AbortSignal): Promise<number> {
  const request = { texts: ['How long is a vector?'] };
  const [vector] = await openConnection(options).embed(
    request,
    options.queryPatience ?? QUERY_PATIENCE,
    signal,
  );
  return vector?.length ?? 0;
}

/** The embedder as configured; where no dimensions are, the service is asked once. */
export async function openOpenAiEmbedder(options: OpenAiOptions, signal?: AbortSignal): Promise<Embedder> {
  if (options.dimensions !== undefined) {
    return createOpenAiEmbedder({ ...options, dimensions: options.dimensions });
  }
  const dimensions = await probe(options, signal);
  return createOpenAiEmbedder({ ...options, dimensions, askForDimensions: false });
}

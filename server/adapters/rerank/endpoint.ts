// Reranks with a service over HTTP: Cohere, Jina, Voyage, vLLM, llama.cpp, Infinity or text-embeddings-inference.
import { type AnsweredScores, readScores } from './endpoint-answer.ts';
import type { Reranker, RerankLimits } from './port.ts';

export interface EndpointOptions {
  /** `/rerank` is added if it is missing. */
  readonly url: string;
  /** Null for a server with a single model. */
  readonly model: string | null;
  readonly apiKey: string | null;
}

/** Models of 512 tokens read 2,000 characters; services with larger models charge by the text they get. */
const LIMITS: RerankLimits = { texts: 100, characters: 4_000 };
/** The default limit of text-embeddings-inference. */
const TEXTS_PER_CALL = 32;
const LONGEST_QUOTE = 200;

// Services know different fields, and some refuse unknown ones: only the fields known to all of them are sent.
const FORMS = ['documents', 'texts'] as const;
type Form = (typeof FORMS)[number];

const REFUSED_FORM = new Set([400, 422]);
const ABOUT_TEXTS = /\btexts\b/;

/** An error status, with the text of the answer. */
class RefusedRequest extends Error {
  readonly status: number;
  readonly body: string;

  constructor(status: number, body: string) {
    super(`It answered ${status}: ${body}`);
    this.name = 'RefusedRequest';
    this.status = status;
    this.body = body;
  }
}

const rerankUrl = (address: string): URL => {
  const url = new URL(address);
  if (!/\/rerank$/.test(url.pathname)) url.pathname = `${url.pathname.replace(/\/+$/, '')}/rerank`;
  return url;
};

const batchesOfSize = (texts: readonly string[], size: number): string[][] =>
  Array.from({ length: Math.ceil(texts.length / size) }, (_, at) => texts.slice(at * size, (at + 1) * size));

/** Shortened to one line, without the key. */
const quotedAnswer = (text: string, secret: string | null): string => {
  const plain = secret === null ? text : text.replaceAll(secret, '***');
  return plain.replace(/\s+/g, ' ').trim().slice(0, LONGEST_QUOTE).toWellFormed();
};

const wantsTexts = (error: unknown): boolean =>
  error instanceof RefusedRequest && REFUSED_FORM.has(error.status) && ABOUT_TEXTS.test(error.body);

const failureReason = (error: unknown): string => {
  if (!(error instanceof RefusedRequest)) return 'cannot be reached. Check MEMOIR_RERANK_URL.';
  const { status } = error;
  if (status === 401 || status === 403)
    return `refused the key (${status}). Set MEMOIR_RERANK_API_KEY to one that it knows.`;
  if (status === 404)
    return 'has no such endpoint or model (404). Check MEMOIR_RERANK_URL and MEMOIR_RERANK_MODEL.';
  if (status === 429) return 'is asked too often (429). Try again later.';
  const quote = error.body === '' ? '' : ` It said: "${error.body}".`;
  return `answered ${status}.${quote} Check MEMOIR_RERANK_URL and MEMOIR_RERANK_MODEL.`;
};

export const createEndpointReranker = ({ url: address, model, apiKey }: EndpointOptions): Reranker => {
  const url = rerankUrl(address);
  let form: Form = 'documents';

  async function post(usedForm: Form, query: string, texts: readonly string[], signal: AbortSignal) {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }),
      },
      body: JSON.stringify({ ...(model === null ? {} : { model }), query, [usedForm]: texts }),
      redirect: 'error',
      signal,
    });
    const body = await response.text();
    if (!response.ok) throw new RefusedRequest(response.status, quotedAnswer(body, apiKey));
    return body;
  }

  const send = async (usedForm: Form, query: string, texts: readonly string[], signal: AbortSignal) => {
    const batches = batchesOfSize(texts, usedForm === 'texts' ? TEXTS_PER_CALL : LIMITS.texts);
    return Promise.all(
      batches.map(async (batch): Promise<AnsweredScores> => {
        return readScores(await post(usedForm, query, batch, signal), batch.length);
      }),
    );
  };

  /** Switches to the form `texts` at the first refusal, for all later calls. */
  async function sendWithFormFallback(query: string, texts: readonly string[], signal: AbortSignal) {
    try {
      return await send(form, query, texts, signal);
    } catch (error) {
      if (form === 'texts' || !wantsTexts(error)) throw error;
      form = 'texts';
      return send(form, query, texts, signal);
    }
  }

  async function* score(query: string, texts: readonly string[], signal: AbortSignal) {
    const answers = await sendWithFormFallback(query.toWellFormed(), texts, signal).catch(
      (cause: unknown) => {
        signal.throwIfAborted();
        throw new Error(`The rerank service at ${url.host} ${failureReason(cause)}`, { cause });
      },
    );
    yield answers.flatMap((answer) => {
      if ('scores' in answer) return answer.scores;
      throw new Error(
        `The rerank service at ${url.host} ${answer.problem}. Check that MEMOIR_RERANK_URL names a rerank endpoint.`,
      );
    });
  }

  return { name: `endpoint:${model ?? url.host}`, limits: LIMITS, score };
};

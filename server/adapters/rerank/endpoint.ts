// A rerank service over HTTP, as Cohere, Jina, Voyage, vLLM, llama.cpp, Infinity and text-embeddings-inference offer it.
import { type AnsweredScores, scoresIn } from './endpoint-answer.ts';
import type { Reranker, RerankLimits } from './port.ts';

export interface EndpointOptions {
  /** Of the endpoint itself, or of what it lies below: `/rerank` is added where it is missing. */
  readonly url: string;
  /** Null: the server has one model and needs no name. */
  readonly model: string | null;
  readonly apiKey: string | null;
}

/** Models of 512 tokens read 2,000 characters; those that read more cost by what they are sent. */
const LIMITS: RerankLimits = { texts: 100, characters: 4_000 };
/** text-embeddings-inference takes 32 texts at once unless it is started otherwise. */
const TEXTS_PER_CALL = 32;
const LONGEST_QUOTE = 200;

// No two services know the same fields, and some refuse what they do not know: only what all of them know is sent.
const FORMS = ['documents', 'texts'] as const;
type Form = (typeof FORMS)[number];

const REFUSED_FORM = new Set([400, 422]);
const ABOUT_TEXTS = /\btexts\b/;

/** What the service answered instead of scores. */
class RefusedRequest extends Error {
  readonly status: number;
  readonly said: string;

  constructor(status: number, said: string) {
    super(`It answered ${status}: ${said}`);
    this.name = 'RefusedRequest';
    this.status = status;
    this.said = said;
  }
}

function endpointOf(address: string): URL {
  const url = new URL(address);
  if (!/\/rerank$/.test(url.pathname)) url.pathname = `${url.pathname.replace(/\/+$/, '')}/rerank`;
  return url;
}

const slices = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));

/** Short, on one line, and never with the key in it. */
function quoteOf(text: string, secret: string | null): string {
  const plain = secret === null ? text : text.replaceAll(secret, '***');
  return plain.replace(/\s+/g, ' ').trim().slice(0, LONGEST_QUOTE).toWellFormed();
}

const wantsTexts = (error: unknown): boolean =>
  error instanceof RefusedRequest && REFUSED_FORM.has(error.status) && ABOUT_TEXTS.test(error.said);

function whatWentWrong(error: unknown): string {
  if (!(error instanceof RefusedRequest)) return 'cannot be reached. Check MEMOIR_RERANK_URL.';
  const { status } = error;
  if (status === 401 || status === 403)
    return `refused the key (${status}). Set MEMOIR_RERANK_API_KEY to one that it knows.`;
  if (status === 404)
    return 'has no such endpoint or model (404). Check MEMOIR_RERANK_URL and MEMOIR_RERANK_MODEL.';
  if (status === 429) return 'is asked too often (429). Try again later.';
  const quote = error.said === '' ? '' : ` It said: "${error.said}".`;
  return `answered ${status}.${quote} Check MEMOIR_RERANK_URL and MEMOIR_RERANK_MODEL.`;
}

export function createEndpointReranker({ url: address, model, apiKey }: EndpointOptions): Reranker {
  const url = endpointOf(address);
  let form: Form = 'documents';

  async function post(asked: Form, query: string, texts: readonly string[], signal: AbortSignal) {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }),
      },
      body: JSON.stringify({ ...(model === null ? {} : { model }), query, [asked]: texts }),
      redirect: 'error',
      signal,
    });
    const body = await response.text();
    if (!response.ok) throw new RefusedRequest(response.status, quoteOf(body, apiKey));
    return body;
  }

  const send = async (asked: Form, query: string, texts: readonly string[], signal: AbortSignal) => {
    const calls = slices(texts, asked === 'texts' ? TEXTS_PER_CALL : LIMITS.texts);
    return Promise.all(
      calls.map(async (part): Promise<AnsweredScores> => {
        return scoresIn(await post(asked, query, part, signal), part.length);
      }),
    );
  };

  /** Learnt at the first refusal, and not asked again. */
  async function sendInItsForm(query: string, texts: readonly string[], signal: AbortSignal) {
    try {
      return await send(form, query, texts, signal);
    } catch (error) {
      if (form === 'texts' || !wantsTexts(error)) throw error;
      form = 'texts';
      return send(form, query, texts, signal);
    }
  }

  async function score(query: string, texts: readonly string[], signal: AbortSignal): Promise<number[]> {
    const answers = await sendInItsForm(query.toWellFormed(), texts, signal).catch((cause: unknown) => {
      signal.throwIfAborted();
      throw new Error(`The rerank service at ${url.host} ${whatWentWrong(cause)}`, { cause });
    });
    return answers.flatMap((answer) => {
      if ('scores' in answer) return answer.scores;
      throw new Error(
        `The rerank service at ${url.host} ${answer.problem}. Check that MEMOIR_RERANK_URL names a rerank endpoint.`,
      );
    });
  }

  return { name: `endpoint:${model ?? url.host}`, limits: LIMITS, score, close: async () => undefined };
}

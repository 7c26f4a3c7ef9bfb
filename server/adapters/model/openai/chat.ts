// One question to an OpenAI-compatible chat service, answered with JSON as well as the service can be made to.
import type OpenAI from 'openai';
import { IngestError } from '../../../errors.ts';
import {
  type ConnectionOptions,
  createClient,
  judge,
  type Patience,
  serviceUrl,
} from '../../../lib/openai/client.ts';
import { type RemoteService, serviceError } from '../../../lib/openai/failures.ts';
import { withRetries } from '../../../lib/retry.ts';
import type { TokenUsage } from '../port.ts';

export interface Message {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

/** The form that an answer is asked for. */
export interface AnswerForm {
  readonly name: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

export interface Reply {
  readonly text: string;
  /** The model's own words where it would not answer; null where it did. */
  readonly refusal: string | null;
  /** The answer ended at the model's limit and not where it should. */
  readonly truncated: boolean;
  readonly usage: TokenUsage;
}

export interface Chat {
  readonly service: RemoteService;
  /** Repeated within its patience; fails with an IngestError. Throws `TooLong` where the model takes no such length. */
  ask(
    messages: readonly Message[],
    form: AnswerForm,
    patience: Patience,
    signal?: AbortSignal,
  ): Promise<Reply>;
}

/** The question has more words than the model takes: it must be asked in parts. */
export class TooLong extends Error {
  constructor(cause: unknown) {
    super('The model takes no question of this length.', { cause });
    this.name = 'TooLong';
  }
}

// Local servers differ in what they know: each way is tried once, and what is refused is not asked for again.
const WAYS = ['json_schema', 'json_object', 'plain'] as const;
type Way = (typeof WAYS)[number];

function formatFor(way: Way, form: AnswerForm): OpenAI.ChatCompletionCreateParams['response_format'] {
  if (way === 'plain') return undefined;
  if (way === 'json_object') return { type: 'json_object' };
  return { type: 'json_schema', json_schema: { name: form.name, schema: { ...form.schema }, strict: true } };
}

type Fields = Readonly<Record<string, unknown>>;
const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {};

const REFUSED_STATUS = new Set([400, 404, 415, 422, 500, 501]);
const ABOUT_FORMAT = /response_?format|json_?schema|json_?object|structured|grammar|guided/i;
const ABOUT_LENGTH =
  /context.?(?:length|window|size)|too many tokens|maximum (?:context|tokens)|too long|exceeds? the|n_ctx|prompt is too/i;

const refusesFormat = (error: unknown): boolean => {
  const { status, message } = fieldsOf(error);
  return typeof status === 'number' && REFUSED_STATUS.has(status) && ABOUT_FORMAT.test(String(message));
};

const refusesLength = (error: unknown): boolean => {
  const { status, code, message } = fieldsOf(error);
  if (code === 'context_length_exceeded' || status === 413) return true;
  return (status === 400 || status === 422) && ABOUT_LENGTH.test(String(message));
};

const countOf = (value: unknown): number => (typeof value === 'number' && value >= 0 ? Math.round(value) : 0);

/** Some servers answer with parts instead of a text. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part) => String(fieldsOf(part).text ?? '')).join('');
}

function replyIn(answer: unknown): Reply {
  const { choices, usage } = fieldsOf(answer);
  const choice = fieldsOf(Array.isArray(choices) ? choices[0] : undefined);
  const message = fieldsOf(choice.message);
  const { prompt_tokens, completion_tokens } = fieldsOf(usage);
  const filtered = choice.finish_reason === 'content_filter';
  return {
    text: textOf(message.content),
    refusal:
      typeof message.refusal === 'string' && message.refusal !== ''
        ? message.refusal
        : filtered
          ? 'content filter'
          : null,
    truncated: choice.finish_reason === 'length',
    usage: { inputTokens: countOf(prompt_tokens), outputTokens: countOf(completion_tokens) },
  };
}

export function openChat(options: ConnectionOptions): Chat {
  const url = serviceUrl('memory', options.baseUrl);
  const service: RemoteService = {
    title: 'language model service',
    code: 'memory',
    modelSetting: 'OPENAI_MODEL',
    refusedHint: 'Check OPENAI_MODEL and OPENAI_BASE_URL and send the document again.',
    host: url.host,
    model: options.model,
    secrets: options.apiKey ? [options.apiKey] : [],
  };
  let client: Promise<OpenAI> | undefined;
  let way = 0;

  async function send(messages: readonly Message[], form: AnswerForm, stop: AbortSignal): Promise<unknown> {
    client ??= createClient(options, url);
    const { chat } = await client;
    for (;;) {
      const asked = way;
      const format = formatFor(WAYS[asked] ?? 'plain', form);
      try {
        return await chat.completions.create(
          {
            model: options.model,
            messages: [...messages],
            stream: false,
            ...(format === undefined ? {} : { response_format: format }),
          },
          { signal: stop },
        );
      } catch (error) {
        if (format === undefined || !refusesFormat(error)) throw error;
        way = Math.max(way, asked + 1);
      }
    }
  }

  async function once(
    messages: readonly Message[],
    form: AnswerForm,
    timeoutMs: number,
    signal?: AbortSignal,
  ) {
    const late = AbortSignal.timeout(timeoutMs);
    try {
      return await send(messages, form, signal ? AbortSignal.any([signal, late]) : late);
    } catch (error) {
      signal?.throwIfAborted();
      if (refusesLength(error)) throw new TooLong(serviceError(service, error));
      throw serviceError(service, error, late.aborted ? timeoutMs : undefined);
    }
  }

  return {
    service,
    ask: async (messages, form, patience, signal) => {
      const attempt = () => once(messages, form, patience.timeoutMs, signal);
      return replyIn(await withRetries(attempt, patience.retries, judge, signal));
    },
  };
}

const modelAt = ({ title, host, model }: RemoteService): string =>
  `The ${title} at ${host} (model "${model}")`;

/** An answer that arrived and is of no use, as a sentence for the document's owner: another try may give a better one. */
export const uselessAnswer = (service: RemoteService, problem: string): IngestError =>
  new IngestError(
    `${service.code}_invalid`,
    `${modelAt(service)} gave no usable answer, even when asked again: ${problem}. The document is searchable; its memories are tried again later. If this stays so, set ${service.modelSetting} to a model that follows instructions better.`,
    { retryable: true },
  );

/** What will not be better the next time. */
export const finalAnswer = (service: RemoteService, code: string, what: string): IngestError =>
  new IngestError(
    `${service.code}_${code}`,
    `${modelAt(service)} ${what}. The document is searchable but has no memories from this text. Set ${service.modelSetting} to another model and send the document again.`,
  );

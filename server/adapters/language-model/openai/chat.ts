// Asks an OpenAI-compatible chat service one question, and for JSON in the strictest form that the service supports.

import type OpenAI from 'openai';
import { IngestError, ingestError } from '../../../core/errors.ts';
import { withRetries } from '../../../lib/async/retry.ts';
import { fieldsOf } from '../../../lib/objects.ts';
import {
  type CallLimits,
  createOpenAiClient,
  type OpenAiConnection,
  retryDecision,
  serviceUrl,
} from '../../../lib/openai/client.ts';
import { type RemoteService, refusesLength, serviceError } from '../../../lib/openai/failures.ts';
import { USUAL_SETTINGS } from '../../../lib/openai/settings.ts';
import type { TokenUsage } from '../ports/memory-reader.ts';

export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

/** The schema of the expected answer. */
export interface AnswerForm {
  readonly name: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

export interface ChatReply {
  readonly text: string;
  /** The model's own words when it refuses to answer; null when it answers. */
  readonly refusal: string | null;
  /** True for an answer that was cut off at the model's token limit. */
  readonly truncated: boolean;
  readonly usage: TokenUsage;
}

export interface Chat {
  readonly service: RemoteService;
  /** Retries within the call limits. Fails with an IngestError, or with `QuestionTooLong`. */
  ask(
    messages: readonly ChatMessage[],
    form: AnswerForm,
    callLimits: CallLimits,
    signal?: AbortSignal,
  ): Promise<ChatReply>;
}

/** The question is longer than the model's context: it must be asked in parts. */
export class QuestionTooLong extends Error {
  constructor(cause: unknown) {
    super('The model takes no question of this length.', { cause });
    this.name = 'QuestionTooLong';
  }
}

// Local servers support different formats: each one is tried once, and a refused format is never sent again.
const RESPONSE_FORMATS = ['json_schema', 'json_object', 'plain'] as const;
type ResponseFormat = (typeof RESPONSE_FORMATS)[number];

const responseFormat = (
  format: ResponseFormat,
  form: AnswerForm,
): OpenAI.ChatCompletionCreateParams['response_format'] => {
  if (format === 'plain') return undefined;
  if (format === 'json_object') return { type: 'json_object' };
  return { type: 'json_schema', json_schema: { name: form.name, schema: { ...form.schema }, strict: true } };
};

const REFUSED_STATUS = new Set([400, 404, 415, 422, 500, 501]);
const ABOUT_FORMAT = /response_?format|json_?schema|json_?object|structured|grammar|guided/i;

const refusesFormat = (error: unknown): boolean => {
  const { status, message } = fieldsOf(error);
  return typeof status === 'number' && REFUSED_STATUS.has(status) && ABOUT_FORMAT.test(String(message));
};

const tokenCount = (value: unknown): number =>
  typeof value === 'number' && value >= 0 ? Math.round(value) : 0;

/** Some servers answer with a list of parts instead of a text. */
const replyText = (content: unknown): string => {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part) => String(fieldsOf(part).text ?? '')).join('');
};

const readReply = (answer: unknown): ChatReply => {
  const { choices, usage } = fieldsOf(answer);
  const choice = fieldsOf(Array.isArray(choices) ? choices[0] : undefined);
  const message = fieldsOf(choice.message);
  const { prompt_tokens, completion_tokens } = fieldsOf(usage);
  const filtered = choice.finish_reason === 'content_filter';
  return {
    text: replyText(message.content),
    refusal:
      typeof message.refusal === 'string' && message.refusal !== ''
        ? message.refusal
        : filtered
          ? 'content filter'
          : null,
    truncated: choice.finish_reason === 'length',
    usage: { inputTokens: tokenCount(prompt_tokens), outputTokens: tokenCount(completion_tokens) },
  };
};

/** The connection to one service, and the response format that it is known to accept. */
interface ChatContext {
  readonly options: OpenAiConnection;
  readonly url: URL;
  readonly service: RemoteService;
  client: Promise<OpenAI> | undefined;
  /** The index in `RESPONSE_FORMATS` of the first format that was not refused. */
  formatIndex: number;
}

interface ChatQuestion {
  readonly messages: readonly ChatMessage[];
  readonly form: AnswerForm;
}

/** Sends the question; a refused response format is replaced by the next one, for this question and all later ones. */
const sendQuestion = async (
  context: ChatContext,
  { messages, form }: ChatQuestion,
  signal: AbortSignal,
): Promise<unknown> => {
  context.client ??= createOpenAiClient(context.options, context.url);
  const { chat } = await context.client;
  for (;;) {
    const triedIndex = context.formatIndex;
    const format = responseFormat(RESPONSE_FORMATS[triedIndex] ?? 'plain', form);
    try {
      return await chat.completions.create(
        {
          model: context.options.model,
          messages: [...messages],
          stream: false,
          ...(format === undefined ? {} : { response_format: format }),
        },
        { signal },
      );
    } catch (error) {
      if (format === undefined || !refusesFormat(error)) throw error;
      context.formatIndex = Math.max(context.formatIndex, triedIndex + 1);
    }
  }
};

const sendWithTimeout = async (
  context: ChatContext,
  question: ChatQuestion,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<unknown> => {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    return await sendQuestion(context, question, signal ? AbortSignal.any([signal, timeout]) : timeout);
  } catch (error) {
    signal?.throwIfAborted();
    if (refusesLength(error)) throw new QuestionTooLong(serviceError(context.service, error));
    throw serviceError(context.service, error, timeout.aborted ? timeoutMs : undefined);
  }
};

export const openChat = (options: OpenAiConnection): Chat => {
  const { settings = USUAL_SETTINGS } = options;
  const modelSetting = settings.model ?? 'OPENAI_MODEL';
  const url = serviceUrl('memory', options, ingestError);
  const service: RemoteService = {
    failure: ingestError,
    title: 'language model service',
    code: 'memory',
    modelSetting,
    settings,
    refusedHint: `Check ${modelSetting} and ${settings.address} and send the document again.`,
    afterwards: 'Then send the document again.',
    host: url.host,
    model: options.model,
    secrets: options.apiKey ? [options.apiKey] : [],
  };
  const context: ChatContext = { options, url, service, client: undefined, formatIndex: 0 };
  return {
    service,
    ask: async (messages, form, { timeoutMs, retries }, signal) => {
      const attempt = () => sendWithTimeout(context, { messages, form }, timeoutMs, signal);
      return readReply(await withRetries(attempt, retries, retryDecision, signal));
    },
  };
};

const modelTitle = ({ title, host, model }: RemoteService): string =>
  `The ${title} at ${host} (model "${model}")`;

/** The error of an unusable answer, for the document's owner. It is retryable, because another attempt may succeed. */
export const invalidAnswer = (service: RemoteService, problem: string): IngestError =>
  new IngestError(
    `${service.code}_invalid`,
    `${modelTitle(service)} gave no usable answer, even when asked again: ${problem}. The document is searchable; its memories are tried again later. If this stays so, set ${service.modelSetting} to a model that follows instructions better.`,
    { retryable: true },
  );

/** The error of a failure that a retry cannot mend. */
export const permanentFailure = (service: RemoteService, code: string, what: string): IngestError =>
  new IngestError(
    `${service.code}_${code}`,
    `${modelTitle(service)} ${what}. The document is searchable but has no memories from this text. Set ${service.modelSetting} to another model and send the document again.`,
  );

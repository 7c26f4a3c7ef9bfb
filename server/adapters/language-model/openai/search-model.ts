// Rewords queries and combines results with a language model of OpenAI or of any server that speaks its protocol.
import { IngestError } from '../../../core/errors.ts';
import type { CallLimits, OpenAiConnection } from '../../../lib/openai/client.ts';
import { type ServiceSettings, USUAL_SETTINGS } from '../../../lib/openai/settings.ts';
import type { SearchModel } from '../ports/search-model.ts';
import { type AnswerForm, type ChatMessage, openChat, QuestionTooLong } from './chat.ts';
import { COMBINE_FORM, combineMessages, readCombinations } from './combine-prompt.ts';
import { REWRITE_FORM, readRewordings, rewriteMessages } from './rewrite-prompt.ts';

/** One attempt, because a caller waits. The search aborts earlier; this timeout is the upper bound. */
const CALL_LIMITS: CallLimits = {
  timeoutMs: 60_000,
  retries: { attempts: 1, firstWaitMs: 0, longestWaitMs: 0 },
};

const searchModelError = (
  error: unknown,
  { address, key, model = 'OPENAI_MODEL' }: ServiceSettings,
): Error => {
  if (error instanceof QuestionTooLong)
    return new Error('The language model takes no question of this length.', { cause: error });
  const isTemporary = error instanceof IngestError && error.retryable;
  const what = isTemporary
    ? 'does not answer now. Try again later.'
    : `could not be asked. Check ${model}, ${address} and ${key}.`;
  return new Error(`The language model ${what}`, { cause: error });
};

export const createOpenAiSearchModel = (options: OpenAiConnection): SearchModel => {
  const chat = openChat(options);

  async function answerTo(messages: readonly ChatMessage[], form: AnswerForm, signal: AbortSignal) {
    try {
      return await chat.ask(messages, form, CALL_LIMITS, signal);
    } catch (error) {
      signal.throwIfAborted();
      throw searchModelError(error, options.settings ?? USUAL_SETTINGS);
    }
  }

  /** The result of `read`; null from `read` counts as an unusable answer. */
  async function ask<T>(
    messages: readonly ChatMessage[],
    form: AnswerForm,
    read: (text: string) => T | null,
    signal: AbortSignal,
  ): Promise<T> {
    const reply = await answerTo(messages, form, signal);
    const found = reply.refusal === null && !reply.truncated ? read(reply.text) : null;
    if (found === null) throw new Error('The language model gave no usable answer.');
    return found;
  }

  return {
    name: `openai:${options.model}`,
    rewrite: (query, { most, today }, signal) =>
      ask(
        rewriteMessages(query, most, today),
        REWRITE_FORM,
        (text) => readRewordings(text, query)?.slice(0, most) ?? null,
        signal,
      ),
    combine: (query, findings, { most }, signal) =>
      ask(
        combineMessages(query, findings, most),
        COMBINE_FORM,
        (text) => readCombinations(text, findings.length)?.slice(0, most) ?? null,
        signal,
      ),
  };
};

/** Null: no model is set. The service is not called before the first search that needs it. */
export const openSearchModel = (settings: OpenAiConnection | null): SearchModel | null =>
  settings === null ? null : createOpenAiSearchModel(settings);

// What a language model of OpenAI, or of any server that speaks its protocol, does for a search.
import { IngestError } from '../../errors.ts';
import type { ConnectionOptions, Patience } from '../../lib/openai/client.ts';
import { type AnswerForm, type Message, openChat, TooLong } from './openai/chat.ts';
import { COMBINATIONS, combinationsIn, combineMessages } from './openai/combine.ts';
import { REWORDINGS, rewordingsIn, rewriteMessages } from './openai/rewrite.ts';
import type { SearchModel } from './search-port.ts';

/** Somebody waits, so it is asked once; the search says how long it waits, and this is for a search that does not. */
const PATIENCE: Patience = {
  timeoutMs: 60_000,
  retries: { attempts: 1, firstWaitMs: 0, longestWaitMs: 0 },
};

const CHECK = 'Check OPENAI_MODEL, OPENAI_BASE_URL and OPENAI_API_KEY.';

function failed(error: unknown): Error {
  if (error instanceof TooLong)
    return new Error('The language model takes no question of this length.', { cause: error });
  const passing = error instanceof IngestError && error.retryable;
  const what = passing ? 'does not answer now. Try again later.' : `could not be asked. ${CHECK}`;
  return new Error(`The language model ${what}`, { cause: error });
}

export function createSearchModel(options: ConnectionOptions): SearchModel {
  const chat = openChat(options);

  async function answerTo(messages: readonly Message[], form: AnswerForm, signal: AbortSignal) {
    try {
      return await chat.ask(messages, form, PATIENCE, signal);
    } catch (error) {
      signal.throwIfAborted();
      throw failed(error);
    }
  }

  /** What `read` takes from the answer; null is no answer. */
  async function ask<T>(
    messages: readonly Message[],
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
        REWORDINGS,
        (text) => rewordingsIn(text, query)?.slice(0, most) ?? null,
        signal,
      ),
    combine: (query, findings, { most }, signal) =>
      ask(
        combineMessages(query, findings, most),
        COMBINATIONS,
        (text) => combinationsIn(text, findings.length)?.slice(0, most) ?? null,
        signal,
      ),
  };
}

/** Null: no model is set. Nobody is asked before the first search that wants it. */
export const openSearchModel = (settings: ConnectionOptions | null): SearchModel | null =>
  settings === null ? null : createSearchModel(settings);

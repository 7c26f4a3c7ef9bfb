// Writes summaries with a language model of OpenAI or of any server that speaks its protocol.
import type { CallLimits, OpenAiConnection } from '../../../lib/openai/client.ts';
import type { Summariser } from '../ports/summariser.ts';
import { openChat } from './chat.ts';
import { readSummary, SUMMARY_FORM, summaryMessages } from './summary-prompt.ts';

/** One attempt is enough: the next read of the profile asks again. */
const CALL_LIMITS: CallLimits = {
  timeoutMs: 60_000,
  retries: { attempts: 1, firstWaitMs: 0, longestWaitMs: 0 },
};

export const createOpenAiSummariser = (
  options: OpenAiConnection & { readonly callLimits?: CallLimits },
): Summariser => {
  const chat = openChat(options);
  return {
    name: `openai:${options.model}`,
    async summarise(request, signal, reportTokens) {
      const messages = summaryMessages(request);
      const reply = await chat.ask(messages, SUMMARY_FORM, options.callLimits ?? CALL_LIMITS, signal);
      reportTokens(reply.usage);
      const written = reply.refusal === null && !reply.truncated ? readSummary(reply.text, request) : null;
      if (written === null) throw new Error('The language model gave no usable answer.');
      return written;
    },
  };
};

/** Null: no model is set. The service is not called before the first profile is read. */
export const openSummariser = (settings: OpenAiConnection | null): Summariser | null =>
  settings === null ? null : createOpenAiSummariser(settings);

// Summaries by a language model of OpenAI or any server that speaks its protocol.
import type { ConnectionOptions, Patience } from '../../lib/openai/client.ts';
import { openChat } from './openai/chat.ts';
import { SUMMARY, summaryIn, summaryMessages } from './openai/summarise.ts';
import type { Summariser } from './summary-port.ts';

/** Nobody waits for it to the end, and a profile that is asked for again asks again: one attempt is enough. */
const PATIENCE: Patience = {
  timeoutMs: 60_000,
  retries: { attempts: 1, firstWaitMs: 0, longestWaitMs: 0 },
};

export function createOpenAiSummariser(
  options: ConnectionOptions & { readonly patience?: Patience },
): Summariser {
  const chat = openChat(options);
  return {
    name: `openai:${options.model}`,
    async summarise(request, signal, spending) {
      const messages = summaryMessages(request);
      const reply = await chat.ask(messages, SUMMARY, options.patience ?? PATIENCE, signal);
      spending(reply.usage);
      const written = reply.refusal === null && !reply.truncated ? summaryIn(reply.text, request) : null;
      if (written === null) throw new Error('The language model gave no usable answer.');
      return written;
    },
  };
}

/** Null: no model is set. Nobody is asked before the first profile that is read. */
export const openSummariser = (settings: ConnectionOptions | null): Summariser | null =>
  settings === null ? null : createOpenAiSummariser(settings);

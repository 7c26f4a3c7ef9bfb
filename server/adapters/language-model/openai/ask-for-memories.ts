// Asks the model for the memories in a text, once more where the answer is refused or unusable.
import type { CallLimits } from '../../../lib/openai/client.ts';
import { cutText } from '../../../lib/text/cut.ts';
import { type AnswerForm, type Chat, type ChatMessage, invalidAnswer, permanentFailure } from './chat.ts';
import type { ReadingProgress } from './kept-memories.ts';
import { type ReaderAnswer, readMemoryAnswer } from './reader-answer.ts';
import { repairMessages } from './reader-prompt.ts';

/** A second attempt is worth it: models do not answer the same twice. */
const ATTEMPTS = 2;
const LONGEST_REFUSAL = 120;

export interface AskContext {
  readonly chat: Chat;
  readonly callLimits: CallLimits;
}

export interface ReaderCall {
  readonly messages: readonly ChatMessage[];
  readonly form: AnswerForm;
}

/** The answer; null where question or answer are too long for the model. */
export const askForMemories = async (
  { chat, callLimits }: AskContext,
  { messages, form }: ReaderCall,
  { signal, reportTokens }: ReadingProgress,
): Promise<ReaderAnswer | null> => {
  let asked = messages;
  let refusal: string | null = null;
  let problem = '';
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const reply = await chat.ask(asked, form, callLimits, signal);
    reportTokens?.(reply.usage);
    refusal = reply.refusal;
    if (refusal !== null) continue;
    const answer = reply.truncated ? null : readMemoryAnswer(reply.text);
    if (answer === null || 'memories' in answer) return answer;
    problem = answer.problem;
    asked = repairMessages(messages, reply.text, problem);
  }
  if (refusal === null) throw invalidAnswer(chat.service, problem);
  const words = cutText(refusal.replace(/\s+/g, ' '), LONGEST_REFUSAL).toWellFormed();
  throw permanentFailure(chat.service, 'refused', `refused to read the text ("${words}")`);
};

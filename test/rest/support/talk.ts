// Short ways to say what a caller does with conversations over REST.
import { expect } from 'vitest';
import type { Refusal, Rest } from './use-memoir.ts';

export type Message = Record<string, unknown>;

export interface Talked {
  id: string;
  conversationId: string;
  status: string;
}

export const user = (content: unknown, more: object = {}): Message => ({ role: 'user', content, ...more });

export const assistant = (content: string, more: object = {}): Message => ({
  role: 'assistant',
  content,
  ...more,
});

/** Sends a conversation to one tag, and waits until it is searchable. */
export const talk = async (
  api: Rest,
  tag: string,
  conversationId: string,
  messages: readonly Message[],
  more: object = {},
): Promise<Talked> => {
  const body = { conversationId, messages, containerTags: [tag], ...more };
  const answer = await api.ask<Talked & Refusal>('POST', '/v4/conversations', body);
  expect([answer.status, answer.body.error]).toEqual([200, undefined]);
  await api.settled(answer.body.id);
  return answer.body;
};

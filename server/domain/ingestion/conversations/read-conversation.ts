// Reads a text in any supported format as a conversation; null for ordinary text. Text outside the messages is kept.

import { unixLines } from '../../../lib/text/lines.ts';
import { readCaptions } from './captions.ts';
import { readChatml } from './chatml.ts';
import type { Conversation, Turn } from './conversation.ts';
import { readInline } from './inline-labels.ts';
import { readJsonConversation } from './json-conversation.ts';
import { readLabelled } from './labelled-lines.ts';

export type { Role, Turn } from './conversation.ts';

/** The turns of a conversation; words outside all messages are turns without role and speaker. */
export const parseConversation = (text: string): readonly Turn[] | null =>
  readConversation(text)?.turns ?? null;

export const readConversation = (text: string): Conversation | null => {
  const source = unixLines(text);
  const json = readJsonConversation(source);
  if (json !== undefined) return json;
  return readChatml(source) ?? readCaptions(source) ?? readLines(source);
};

/** Labels inside a line are searched only if the lines give a single message. */
const readLines = (source: string): Conversation | null => {
  const lines = readLabelled(source);
  return lines !== null && lines.turns.length > 1 ? lines : (readInline(source) ?? lines);
};

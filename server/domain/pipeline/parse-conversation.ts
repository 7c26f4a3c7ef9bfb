// Reading a text as a conversation, whatever it was written as; null for ordinary text. No word outside the messages is lost.
import { readCaptions } from './conversation/captions.ts';
import { readChatml } from './conversation/chatml.ts';
import { readInline } from './conversation/inline.ts';
import { readJson } from './conversation/json-text.ts';
import { readLabelled } from './conversation/labelled.ts';
import type { Conversation, Turn } from './conversation/turn.ts';
import { unixLines } from './lines.ts';

export type { Role, Turn } from './conversation/turn.ts';

/** The turns of a conversation; words outside all messages are turns without role and speaker. */
export const parseConversation = (text: string): readonly Turn[] | null =>
  readConversation(text)?.turns ?? null;

export function readConversation(text: string): Conversation | null {
  const source = unixLines(text);
  const json = readJson(source);
  if (json !== undefined) return json;
  return readChatml(source) ?? readCaptions(source) ?? readLines(source);
}

/** Labels inside one line are looked for only where lines alone give a single message. */
function readLines(source: string): Conversation | null {
  const lines = readLabelled(source);
  return lines !== null && lines.turns.length > 1 ? lines : (readInline(source) ?? lines);
}

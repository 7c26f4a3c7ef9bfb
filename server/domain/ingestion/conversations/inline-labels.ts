// Messages joined on one line: "user: Hi there assistant: Hello! user: …".

import { type Conversation, MOST_TURNS, type Turn } from './conversation.ts';
import { roleOf } from './roles.ts';

const LABEL = /(^|\s)(user|human|assistant|ai|system)[:：]\s/gi;

/** Only a text that begins with a role word, and only labels in its first label's case: prose may say "the user: …". */
export const readInline = (source: string): Conversation | null => {
  if (!/^\s{0,20}(?:user|human|assistant|ai|system)[:：]\s/i.test(source.slice(0, 40))) return null;
  const marks: { start: number; word: string; body: number }[] = [];
  for (const found of source.matchAll(LABEL)) {
    const [whole, space = '', word = ''] = found;
    const first = marks[0];
    if (first !== undefined && isUpper(word) !== isUpper(first.word)) continue;
    marks.push({ start: found.index + space.length, word, body: found.index + whole.length });
    if (marks.length > MOST_TURNS) return null;
  }
  const turns: Turn[] = [];
  const starts: number[] = [];
  for (const [i, mark] of marks.entries()) {
    const text = source.slice(mark.body, marks[i + 1]?.start ?? source.length).trim();
    if (text === '') continue;
    turns.push({ role: roleOf(mark.word), text });
    starts.push(mark.start);
  }
  const roles = new Set(turns.map((turn) => turn.role));
  return roles.has('user') && roles.has('assistant') ? { format: 'inline', source, turns, starts } : null;
};

const isUpper = (word: string): boolean => word[0] !== word[0]?.toLowerCase();

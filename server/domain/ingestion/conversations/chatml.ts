// ChatML: <|im_start|>role … <|im_end|>.

import { type Conversation, MOST_TURNS, type Turn } from './conversation.ts';
import { roleOf } from './roles.ts';
import { isJoinLine } from './separator-line.ts';

const OPEN = '<|im_start|>';
const CLOSE = '<|im_end|>';
const LEAD = 2_000;
const LONGEST_ROLE = 60;

export const readChatml = (source: string): Conversation | null => {
  const first = source.slice(0, LEAD + OPEN.length).indexOf(OPEN);
  if (first < 0) return null;
  const turns: Turn[] = [];
  const starts: number[] = [];
  const add = (turn: Turn, start: number) => {
    if (turn.text === '') return;
    turns.push(turn);
    starts.push(start);
  };
  add({ role: null, text: source.slice(0, first).trim() }, 0);
  for (let start = first; start >= 0; ) {
    const body = start + OPEN.length;
    const following = source.indexOf(OPEN, body);
    const limit = following < 0 ? source.length : following;
    const block = source.slice(body, limit);
    const close = block.indexOf(CLOSE);
    add(chatmlTurn(close < 0 ? block : block.slice(0, close)), start);
    const between = close < 0 ? '' : block.slice(close + CLOSE.length).trim();
    if (!isJoinLine(between)) add({ role: null, text: between }, body + close + CLOSE.length);
    if (turns.length > MOST_TURNS) return null;
    start = following;
  }
  return turns.some((turn) => turn.role !== null) ? { format: 'chatml', source, turns, starts } : null;
};

const chatmlTurn = (block: string): Turn => {
  const feed = block.slice(0, LONGEST_ROLE).indexOf('\n');
  if (feed < 0) return { role: null, text: block.trim() };
  const word = block.slice(0, feed).trim();
  const role = roleOf(word);
  const text = block.slice(feed + 1).trim();
  return role === null && word !== '' ? { role, speaker: word, text } : { role, text };
};

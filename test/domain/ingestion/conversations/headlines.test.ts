// Tests of chat exports with the name and the time on a line above each message.
import { describe, expect, test } from 'vitest';
import type { Turn } from '../../../../server/domain/ingestion/conversations/conversation.ts';
import { parseConversation } from '../fixtures/parse-conversation.ts';

const said = (speaker: string, text: string, at?: number): Turn => ({
  role: null,
  speaker,
  text,
  ...(at === undefined ? {} : { at }),
});

const chats: [name: string, content: string, turns: Turn[]][] = [
  [
    'a dash before the time',
    'Marek — 10:32\nI bought a kayak\nJule — 10:33\nnice!!\nMarek — 10:35\nsee you',
    [said('Marek', '10:32 I bought a kayak'), said('Jule', '10:33 nice!!'), said('Marek', '10:35 see you')],
  ],
  [
    'two blanks or the word "Today" before the time',
    'Noor  9:14 AM\nI am in Lyon\nkorbi — Today at 15:22\nI use Neovim',
    [said('Noor', '9:14 AM I am in Lyon'), said('korbi', '15:22 I use Neovim')],
  ],
  [
    'a date and a time before the name',
    '[13/04/2025 08:11] Gita\nI am in Leeds\n[13/04/2025 08:13] Leo\nI have the keys',
    [
      said('Gita', 'I am in Leeds', Date.UTC(2025, 3, 13, 8, 11)),
      said('Leo', 'I have the keys', Date.UTC(2025, 3, 13, 8, 13)),
    ],
  ],
];

const programmes: [name: string, content: string][] = [
  ['with words below', 'Opening — 10:30\nThe mayor welcomes the guests\nLunch — 12:00\nSoup and bread'],
  ['without words below', 'Welcome — 10:30\nPanel — 11:00\nLunch — 12:00'],
];

describe('a chat is read from lines with', () => {
  test.each(chats)('%s', (_name, content, turns) => expect(parseConversation(content)).toEqual(turns));
});

describe('a programme is no chat', () => {
  test.each(programmes)('%s', (_name, content) => expect(parseConversation(content)).toBeNull());
});

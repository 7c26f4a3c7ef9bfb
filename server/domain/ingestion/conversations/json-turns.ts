// Turns parsed JSON into turns: a list of messages, an object around one, an export of many conversations, all possibly stringified again.

import { isObject, type UnknownObject } from '../../../lib/objects.ts';
import { isoTime } from '../../../lib/text/dates/format.ts';
import { MOST_TURNS, type Turn } from './conversation.ts';
import { hasSpeaker, messageTime, readMessage } from './json-message.ts';
import { tryParseJson } from './json-scan.ts';

export interface FoundTurns {
  readonly turns: readonly Turn[];
  /** The list element of each turn (-1: none); empty if there is no single list. */
  readonly elements: readonly number[];
  /** The member that holds the list. */
  readonly key?: string;
  readonly quoted: boolean;
  readonly title?: string;
}

const DEEPEST = 3;

export const turnsOfJson = (value: unknown, depth = 0): FoundTurns | null => {
  if (depth > DEEPEST) return null;
  if (typeof value === 'string') return readQuoted(value, depth);
  if (Array.isArray(value)) return readList(value, depth);
  return isObject(value) ? readObject(value, depth) : null;
};

const readQuoted = (text: string, depth: number): FoundTurns | null => {
  if (!/^\s{0,20}[[{"]/.test(text.slice(0, 24))) return null;
  const found = turnsOfJson(tryParseJson(text), depth + 1);
  return found === null ? null : { ...found, quoted: true };
};

const readList = (values: readonly unknown[], depth: number): FoundTurns | null => {
  if (values.length === 0 || values.length > MOST_TURNS) return null;
  return readMessages(values) ?? readConversations(values, depth);
};

const readMessages = (values: readonly unknown[]): FoundTurns | null => {
  const turns: Turn[] = [];
  const elements: number[] = [];
  let nameless = 0;
  for (const [i, value] of values.entries()) {
    const turn = readMessage(value);
    if (turn === null) return null;
    if (!hasSpeaker(turn)) nameless++;
    if (turn.text === '') continue;
    turns.push(turn);
    elements.push(i);
  }
  return nameless * 2 > values.length || turns.length === 0 ? null : { turns, elements, quoted: false };
};

const readConversations = (values: readonly unknown[], depth: number): FoundTurns | null => {
  const turns: Turn[] = [];
  for (const value of values) {
    const found = isObject(value) || Array.isArray(value) ? turnsOfJson(value, depth + 1) : null;
    if (found === null || turns.length + found.turns.length > MOST_TURNS) return null;
    if (found.title !== undefined) turns.push({ role: null, text: `title: ${found.title}` });
    for (const turn of found.turns) turns.push(turn);
  }
  return { turns, elements: [], quoted: false };
};

const LISTS =
  'messages contents conversation conversations chat chat_messages thread turns history transcript dialogue dialog input'.split(
    ' ',
  );

const readObject = (value: UnknownObject, depth: number): FoundTurns | null => {
  for (const key of LISTS) {
    const list = value[key];
    const found = Array.isArray(list) ? readList(list, depth) : null;
    if (found !== null) return withSurroundings(found, value, key);
  }
  const single = readMessage(value);
  return single !== null && hasSpeaker(single) && single.text !== ''
    ? { turns: [single], elements: [], quoted: false }
    : null;
};

const withSurroundings = (found: FoundTurns, value: UnknownObject, key: string): FoundTurns => {
  const title = conversationTitle(value);
  const prose = proseOf(value, key, title);
  const lead: Turn[] = prose === '' ? [] : [{ role: null, text: prose }];
  const elements = found.elements.length === 0 ? [] : [...lead.map(() => -1), ...found.elements];
  return {
    turns: [...lead, ...found.turns],
    elements,
    key,
    quoted: false,
    ...(title === undefined ? {} : { title }),
  };
};

const TITLES = ['title', 'name', 'subject', 'topic'];
const LONGEST_TITLE = 300;

const conversationTitle = (value: UnknownObject): string | undefined => {
  for (const key of TITLES) {
    const title = value[key];
    if (typeof title === 'string' && title.trim() !== '' && title.length <= LONGEST_TITLE)
      return title.trim();
  }
  return undefined;
};

/** The prose outside the messages (prose has blanks, ids have none), and the date. */
const proseOf = (value: UnknownObject, list: string, title: string | undefined): string => {
  const lines: string[] = [];
  for (const [key, text] of Object.entries(value)) {
    if (key === list || typeof text !== 'string' || text.trim() === title) continue;
    if (/\S\s+\S/.test(text.slice(0, 400))) lines.push(`${key}: ${text.trim()}`);
  }
  const at = messageTime(value);
  const dated = lines.some((line) => /^(?:date|time|created)/i.test(line));
  if (at !== undefined && !dated) lines.push(`date: ${isoTime(at)}`);
  return lines.join('\n');
};

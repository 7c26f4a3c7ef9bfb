// Inserts messages into the list of a JSON conversation and leaves the rest of the text unchanged.

import type { Conversation, JsonList } from '../conversations/conversation.ts';
import { membersOf, tryParseJson, valueEnd } from '../conversations/json-scan.ts';

interface Place {
  /** The JSON text that contains the list, unquoted. */
  readonly text: string;
  /** The number of times that it was quoted. */
  readonly quotes: number;
  /** The start of the list, and the end of it. */
  readonly open: number;
  readonly end: number;
}

const locateList = (source: string, list: JsonList): Place | null => {
  let text = source.slice(list.start, list.end);
  let quotes = 0;
  for (; text.startsWith('"'); quotes++) {
    const inner = tryParseJson(text);
    if (typeof inner !== 'string') return null;
    text = inner.trim();
  }
  const open = list.key === undefined ? 0 : memberValueAt(text, list.key);
  const end = open < 0 || text[open] !== '[' ? -1 : valueEnd(text, open);
  return end < 0 ? null : { text, quotes, open, end };
};

/** The start of a member's value in the outermost object; of equal names the last counts. */
const memberValueAt = (text: string, key: string): number => {
  const name = JSON.stringify(key);
  const member = membersOf(text, 0).findLast(({ start }) => text.startsWith(name, start));
  if (member === undefined) return -1;
  const value = /^\s{0,400}:\s{0,400}/.exec(
    text.slice(member.start + name.length, member.start + name.length + 900),
  );
  return value === null ? -1 : member.start + name.length + value[0].length;
};

/** The text of each element of the conversation's list. */
export const elementsOf = ({ source, list }: Conversation): string[] => {
  const place = list === undefined ? null : locateList(source, list);
  if (place === null) return [];
  return membersOf(place.text, place.open).map(({ start, end }) => place.text.slice(start, end));
};

/** The source with these elements appended to its list; null if it has no list. */
export const splicedList = ({ source, list }: Conversation, elements: readonly string[]): string | null => {
  const place = list === undefined ? null : locateList(source, list);
  if (list === undefined || place === null) return null;
  const head = place.text.slice(0, place.end - 1);
  const kept = head.trimEnd();
  const comma = kept.endsWith('[') ? '' : ',';
  let text = `${kept}${comma}${elements.join(',')}${head.slice(kept.length)}${place.text.slice(place.end - 1)}`;
  for (let i = 0; i < place.quotes; i++) text = JSON.stringify(text);
  return source.slice(0, list.start) + text + source.slice(list.end);
};

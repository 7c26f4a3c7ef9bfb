// Splicing messages into the list that a JSON conversation keeps them in, whatever stands around the list.
import { membersOf, parseJson, valueEnd } from '../conversation/json-scan.ts';
import type { Conversation, JsonList } from '../conversation/turn.ts';

interface Place {
  /** The JSON text with the list in it, freed from its quotes. */
  readonly text: string;
  /** How often it was quoted. */
  readonly quotes: number;
  /** Where the list opens, and where what follows it begins. */
  readonly open: number;
  readonly end: number;
}

function placeOf(source: string, list: JsonList): Place | null {
  let text = source.slice(list.start, list.end);
  let quotes = 0;
  for (; text.startsWith('"'); quotes++) {
    const inner = parseJson(text);
    if (typeof inner !== 'string') return null;
    text = inner.trim();
  }
  const open = list.key === undefined ? 0 : memberAt(text, list.key);
  const end = open < 0 || text[open] !== '[' ? -1 : valueEnd(text, open);
  return end < 0 ? null : { text, quotes, open, end };
}

/** Where the value of a member of the outermost object begins; the last one of that name counts. */
function memberAt(text: string, key: string): number {
  const name = JSON.stringify(key);
  const member = membersOf(text, 0).findLast(({ start }) => text.startsWith(name, start));
  if (member === undefined) return -1;
  const value = /^\s{0,400}:\s{0,400}/.exec(
    text.slice(member.start + name.length, member.start + name.length + 900),
  );
  return value === null ? -1 : member.start + name.length + value[0].length;
}

/** The text of each element of the conversation's list. */
export function elementsOf({ source, list }: Conversation): string[] {
  const place = list === undefined ? null : placeOf(source, list);
  if (place === null) return [];
  return membersOf(place.text, place.open).map(({ start, end }) => place.text.slice(start, end));
}

/** The source with these elements after the last of its list; null when it has none. */
export function spliced({ source, list }: Conversation, elements: readonly string[]): string | null {
  const place = list === undefined ? null : placeOf(source, list);
  if (list === undefined || place === null) return null;
  const head = place.text.slice(0, place.end - 1);
  const kept = head.trimEnd();
  const comma = kept.endsWith('[') ? '' : ',';
  let text = `${kept}${comma}${elements.join(',')}${head.slice(kept.length)}${place.text.slice(place.end - 1)}`;
  for (let i = 0; i < place.quotes; i++) text = JSON.stringify(text);
  return source.slice(0, list.start) + text + source.slice(list.end);
}

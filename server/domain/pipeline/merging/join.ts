// Writing the new turns behind the stored ones, in the format of the stored ones.
import { valueEnd } from '../conversation/json-scan.ts';
import type { Conversation, Turn } from '../conversation/turn.ts';
import { readConversation } from '../parse-conversation.ts';
import { elementsOf, spliced } from './json-list.ts';

/** The stored text with the incoming turns numbered in `take` behind it. */
export function joined(stored: Conversation, incoming: Conversation, take: readonly number[]): string {
  const title =
    incoming.title === undefined || incoming.title === stored.title ? [] : [titleTurn(incoming.title)];
  const turns = [...title, ...take.map((i) => incoming.turns[i]).filter((turn) => turn !== undefined)];
  if (stored.format === 'json') return joinedJson(stored, incoming, take, title);
  if (incoming.format !== stored.format || title.length > 0) return joinedLines(stored, turns);
  const asSent = behind(stored, slices(incoming, take));
  return readsAs(asSent, stored.turns.length + take.length)
    ? asSent
    : best(asSent, joinedLines(stored, turns), stored, take);
}

/** A text that is no conversation, behind one: in a chat it is something the user said. */
export function joinedText(stored: Conversation, text: string): string {
  const chat = stored.turns.some((turn) => turn.role === 'user' || turn.role === 'assistant');
  const turn: Turn = { role: chat ? 'user' : null, text };
  const list = stored.format === 'json' ? spliced(stored, [elementFor(turn)]) : null;
  return list ?? joinedLines(stored, [turn]);
}

const titleTurn = (title: string): Turn => ({ role: null, text: `title: ${title}` });

// --- JSON ----------------------------------------------------------------------------------------

/** Into the list where there is one, else each on a line of its own. */
function joinedJson(
  stored: Conversation,
  incoming: Conversation,
  take: readonly number[],
  title: readonly Turn[],
): string {
  const elements = elementsOf(incoming);
  const json = (i: number): string | undefined => {
    const start = incoming.starts[i] ?? -1;
    if (incoming.list !== undefined) return elements[start];
    return incoming.format === 'json' && start >= 0
      ? incoming.source.slice(start, valueEnd(incoming.source, start))
      : undefined;
  };
  const added = [
    ...title.map((turn) => ({ turn, raw: undefined })),
    ...take.map((i) => ({ turn: incoming.turns[i] ?? titleTurn(''), raw: json(i) })),
  ];
  const list = spliced(
    stored,
    added.map(({ turn, raw }) => raw ?? elementFor(turn)),
  );
  return (
    list ??
    behind(
      stored,
      added.map(({ turn, raw }) => raw ?? written(stored, turn)),
    )
  );
}

function elementFor({ role, speaker, text, at }: Turn): string {
  return JSON.stringify({
    ...(role === null ? {} : { role }),
    ...(speaker === undefined ? {} : { speaker }),
    content: text,
    ...(at === undefined ? {} : { timestamp: new Date(at).toISOString() }),
  });
}

// --- lines ---------------------------------------------------------------------------------------

/** The turns as they were sent, those side by side in one piece. */
function slices({ source, starts }: Conversation, take: readonly number[]): string[] {
  const pieces: string[] = [];
  for (let i = 0; i < take.length; i++) {
    const first = take[i] ?? 0;
    let last = first;
    while (take[i + 1] === last + 1) {
      last++;
      i++;
    }
    pieces.push(source.slice(starts[first] ?? 0, starts[last + 1] ?? source.length).trim());
  }
  return pieces;
}

function behind(stored: Conversation, pieces: readonly string[]): string {
  const { source, format, starts } = stored;
  const second = starts[1] ?? 0;
  const spaced = format === 'captions' || source.slice(Math.max(0, second - 2), second) === '\n\n';
  const separator = format === 'inline' ? ' ' : spaced ? '\n\n' : '\n';
  return [source.trimEnd(), ...pieces].join(separator);
}

const joinedLines = (stored: Conversation, turns: readonly Turn[]): string =>
  behind(
    stored,
    turns.map((turn) => written(stored, turn)),
  );

function written(stored: Conversation, { role, speaker, text }: Turn): string {
  if (stored.format === 'json' && (role !== null || speaker !== undefined))
    return elementFor({ role, text, ...(speaker === undefined ? {} : { speaker }) });
  if (stored.format === 'json') return text;
  if (stored.format === 'chatml') return `<|im_start|>${speaker ?? role ?? 'system'}\n${text}<|im_end|>`;
  const name = speaker ?? role;
  if (name === null || name === undefined) return text;
  const { upper, mark } = labelStyle(stored);
  const label = upper ? name.charAt(0).toUpperCase() + name.slice(1) : name;
  return `${mark}${label}:${mark} ${text}`;
}

/** How the stored labels look: "User:", "user:", "**User:**". */
function labelStyle({ source, turns, starts }: Conversation): { upper: boolean; mark: string } {
  const first = turns.findIndex((turn) => turn.role !== null || turn.speaker !== undefined);
  const label = source.slice(starts[first] ?? 0, (starts[first] ?? 0) + 80);
  const word = /\p{L}/u.exec(label.replace(/^\s{0,3}\[[^\]\n]{1,40}\]/, ''))?.[0] ?? 'A';
  return { upper: word !== word.toLowerCase(), mark: /^\s{0,3}\*\*/.test(label) ? '**' : '' };
}

const readsAs = (text: string, turns: number): boolean => readConversation(text)?.turns.length === turns;

/** Labels of another style would run into the message before; then they are written in the stored style, if that helps. */
function best(asSent: string, rewritten: string, stored: Conversation, take: readonly number[]): string {
  return readsAs(rewritten, stored.turns.length + take.length) ? rewritten : asSent;
}

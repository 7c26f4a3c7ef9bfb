// Appends new turns to the stored ones, in the stored format.
import { isoTime } from '../../../lib/text/dates/format.ts';
import type { Conversation, Turn } from '../conversations/conversation.ts';
import { valueEnd } from '../conversations/json-scan.ts';
import { readConversation } from '../conversations/read-conversation.ts';
import { elementsOf, splicedList } from './json-list.ts';

/** The stored text, followed by the incoming turns whose numbers are in `take`. */
export const appendTurns = (
  stored: Conversation,
  incoming: Conversation,
  take: readonly number[],
): string => {
  const title =
    incoming.title === undefined || incoming.title === stored.title ? [] : [titleTurn(incoming.title)];
  const turns = [...title, ...take.map((i) => incoming.turns[i]).filter((turn) => turn !== undefined)];
  if (stored.format === 'json') return appendToJson(stored, incoming, take, title);
  if (!isSameForm(incoming, stored) || title.length > 0) return appendAsLines(stored, turns);
  const asSent = appendPieces(stored, sourcePieces(incoming, take));
  if (readsAs(asSent, stored, turns)) return asSent;
  const rewritten = appendAsLines(stored, turns);
  // Labels of another style could be read as part of the message before; then the stored style is used if it helps.
  return readsAs(rewritten, stored, turns) ? rewritten : asSent;
};

const isSameForm = (a: Conversation, b: Conversation): boolean =>
  a.format === b.format && a.form?.name === b.form?.name;

/** Text that is not a conversation, after a conversation: in a chat it becomes a message of the user. */
export const appendText = (stored: Conversation, text: string): string => {
  const chat = stored.turns.some((turn) => turn.role === 'user' || turn.role === 'assistant');
  const turn: Turn = { role: chat ? 'user' : null, text };
  const list = stored.format === 'json' ? splicedList(stored, [elementFor(turn)]) : null;
  return list ?? appendAsLines(stored, [turn]);
};

const titleTurn = (title: string): Turn => ({ role: null, text: `title: ${title}` });

// --- JSON ----------------------------------------------------------------------------------------

/** Into the list if there is one, else one value per line. */
const appendToJson = (
  stored: Conversation,
  incoming: Conversation,
  take: readonly number[],
  title: readonly Turn[],
): string => {
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
  const list = splicedList(
    stored,
    added.map(({ turn, raw }) => raw ?? elementFor(turn)),
  );
  return (
    list ??
    appendPieces(
      stored,
      added.map(({ turn, raw }, i) => raw ?? formatTurn(stored, turn, stored.turns.length + i + 1)),
    )
  );
};

const elementFor = ({ role, speaker, text, at }: Turn): string =>
  JSON.stringify({
    ...(role === null ? {} : { role }),
    ...(speaker === undefined ? {} : { speaker }),
    content: text,
    ...(at === undefined ? {} : { timestamp: isoTime(at) }),
  });

// --- lines ---------------------------------------------------------------------------------------

/** The turns as they were sent; adjacent ones in one piece. */
const sourcePieces = ({ source, starts }: Conversation, take: readonly number[]): string[] => {
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
};

const appendPieces = (stored: Conversation, pieces: readonly string[]): string => {
  const { source, format, starts } = stored;
  const second = starts[1] ?? 0;
  const spaced = format === 'captions' || source.slice(Math.max(0, second - 2), second) === '\n\n';
  const separator = format === 'inline' ? ' ' : spaced ? '\n\n' : '\n';
  return [source.trimEnd(), ...pieces].join(separator);
};

const appendAsLines = (stored: Conversation, turns: readonly Turn[]): string =>
  appendPieces(
    stored,
    turns.map((turn, i) => formatTurn(stored, turn, stored.turns.length + i + 1)),
  );

/** `number`: that of the turn in the conversation. */
const formatTurn = (stored: Conversation, turn: Turn, number: number): string => {
  const { role, speaker, text } = turn;
  if (stored.format === 'json' && (role !== null || speaker !== undefined))
    return elementFor({ role, text, ...(speaker === undefined ? {} : { speaker }) });
  if (stored.format === 'json') return text;
  if (stored.form !== undefined) return stored.form.write(turn, number);
  const name = speaker ?? role;
  if (name === null || name === undefined) return text;
  const { upper, mark } = labelStyle(stored);
  const label = upper ? name.charAt(0).toUpperCase() + name.slice(1) : name;
  return `${mark}${label}:${mark} ${text}`;
};

/** The style of the stored labels: "User:", "user:", "**User:**". */
const labelStyle = ({ source, turns, starts }: Conversation): { upper: boolean; mark: string } => {
  const first = turns.findIndex((turn) => turn.role !== null || turn.speaker !== undefined);
  const label = source.slice(starts[first] ?? 0, (starts[first] ?? 0) + 80);
  const word = /\p{L}/u.exec(label.replace(/^\s{0,3}\[[^\]\n]{1,40}\]/, ''))?.[0] ?? 'A';
  return { upper: word !== word.toLowerCase(), mark: /^\s{0,3}\*\*/.test(label) ? '**' : '' };
};

/** True if the text reads as the stored turns and these, each with its role. */
const readsAs = (text: string, stored: Conversation, added: readonly Turn[]): boolean => {
  const turns = readConversation(text)?.turns ?? [];
  const first = stored.turns.length;
  return (
    turns.length === first + added.length && added.every(({ role }, i) => role === turns[first + i]?.role)
  );
};

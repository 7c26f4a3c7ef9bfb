// Finds calls and results of tools inside a message: programs write them into the messages of the user and the assistant.
import type { Turn } from './conversation.ts';

const NAMES =
  'tool_use|tool_calls?|tool_results?|tool_response|tool_output|function_calls?|function_results?|function_response|system-reminder';
const WORDS = '(?:tool|function)[ _-]?(?:use|call|result|output|response|input)s?';

/** An element, "[Tool: name] …", "[tool_result] …", "Tool result: …", each at the start of a line. */
const BLOCK = new RegExp(
  String.raw`^[ \t]{0,8}(?:<(?:\w{1,20}:)?(?:${NAMES})(?:\s[^>\n]{0,200})?>|\[(?:tool|function|${WORDS})(?::|\])|${WORDS}(?: ?\([^)\n]{1,80}\))?:)`,
  'gim',
);

interface Piece {
  readonly text: string;
  readonly isTool: boolean;
}

/** The pieces of a message in order; one if it contains no tool. */
const piecesOf = (message: string): Piece[] => {
  const pieces: Piece[] = [];
  const add = (start: number, end: number, isTool: boolean) => {
    const text = message.slice(start, end).trim();
    if (text !== '') pieces.push({ text, isTool });
  };
  let from = 0;
  for (const found of message.matchAll(BLOCK)) {
    if (found.index < from) continue;
    const end = blockEnd(message, found);
    add(from, found.index, false);
    add(found.index, end, true);
    from = end;
  }
  add(from, message.length, false);
  return pieces;
};

/** The end of the element, or of the paragraph. An element that is never closed goes on to the end. */
const blockEnd = (message: string, found: RegExpExecArray): number => {
  const after = found.index + found[0].length;
  const element = /^<([\w:-]{1,60})/.exec(found[0].trimStart())?.[1];
  if (element === undefined) {
    const blank = /\n[ \t]{0,80}\n/g;
    blank.lastIndex = after;
    return blank.exec(message)?.index ?? message.length;
  }
  const closing = closingTag(element);
  const end = message.indexOf(closing, after);
  return end < 0 ? message.length : end + closing.length;
};

const closingTag = (element: string): string => `</${element}>`;

const RESULT = 'tool_result';

/** A result of a tool as a block of a message. */
export const toolResultBlock = (text: string): string =>
  `<${RESULT}>\n${text.replaceAll(closingTag(RESULT), '')}\n${closingTag(RESULT)}`;

/** Divides a turn into its own words and a turn for each tool inside it, because nobody says what a tool answers. */
export const separateTools = (turn: Turn): Turn[] => {
  if (turn.role === 'system' || turn.role === 'tool') return [turn];
  const pieces = piecesOf(turn.text);
  if (pieces.every(({ isTool }) => !isTool)) return [turn];
  const { at } = turn;
  return pieces.map(({ text, isTool }) =>
    isTool ? { role: 'tool', text, ...(at === undefined ? {} : { at }) } : { ...turn, text },
  );
};

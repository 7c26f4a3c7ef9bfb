// Finds the JSON of a conversation in a text: the whole text, JSON after a short introduction, or one value per line.
import { eachLine, skipBlank } from '../../../lib/text/lines.ts';
import { type Conversation, MOST_TURNS, type Turn } from './conversation.ts';
import { type Range, tryParseJson, valueEnd } from './json-scan.ts';
import { type FoundTurns, turnsOfJson } from './json-turns.ts';

/** The most plain text before the first value, and the most failed attempts to find one. */
const LEAD = 2_000;
const MOST_FAILURES = 8;
/** An opening bracket that is never closed costs a scan to the end of the text. */
const UNCLOSED = 4;

/** Undefined: not JSON, so that other readers may try. Null: JSON that holds no conversation. */
export const readJsonConversation = (source: string): Conversation | null | undefined => {
  const start = skipBlank(source, 0);
  const whole = readWhole(source, start);
  if (whole !== undefined) return whole;
  const first = nextValue(source, start, start + LEAD);
  return first < 0 ? undefined : (readBlocks(source, first) ?? undefined);
};

const CLOSING: Record<string, string> = { '[': ']', '{': '}', '"': '"' };

const readWhole = (source: string, start: number): Conversation | null | undefined => {
  const end = source.trimEnd().length;
  const closing = CLOSING[source[start] ?? ''];
  if (closing === undefined || end - start < 2 || source[end - 1] !== closing) return undefined;
  const value = tryParseJson(source.slice(start, end));
  if (value === undefined) return undefined;
  const found = turnsOfJson(value);
  if (found === null) return null;
  const lone = found.turns.length === 1 && found.elements.length === 0;
  // One object with a sender may be something else; only a role makes it a message.
  return lone && found.turns[0]?.role === null
    ? null
    : buildConversation(source, [{ found, range: { start, end } }], []);
};

interface Block {
  readonly found: FoundTurns;
  readonly range: Range;
}

/** Values between lines of text: the text is kept, as turns without a role. */
const readBlocks = (source: string, first: number): Conversation | null => {
  const blocks: Block[] = [];
  let failures = 0;
  let turns = 0;
  for (let at = first; at >= 0 && failures < MOST_FAILURES && turns <= MOST_TURNS; ) {
    const end = valueEnd(source, at);
    const found = end < 0 ? null : turnsOfJson(tryParseJson(source.slice(at, end)));
    if (found === null) failures += end < 0 ? UNCLOSED : 1;
    else blocks.push({ found, range: { start: at, end } });
    turns += found?.turns.length ?? 0;
    // A value that opens inside a useless value is a part of it.
    at = nextValue(source, found === null ? lineEnd(source, at) : end, source.length);
  }
  if (blocks.length === 0 || turns > MOST_TURNS) return null;
  const loose = looseOf(source, blocks);
  const looseLength = loose.reduce((sum, text) => sum + text.length, 0);
  return looseLength > Math.max(LEAD, source.length / 2) ? null : buildConversation(source, blocks, loose);
};

const lineEnd = (source: string, from: number): number => {
  const feed = source.indexOf('\n', from);
  return feed < 0 ? source.length : feed + 1;
};

/** The text before each block, and after the last. A code fence or a comma around a value is ignored. */
const looseOf = (source: string, blocks: readonly Block[]): string[] => {
  const words = (from: number, to: number) => {
    const text = source.slice(from, to).replace(/^ {0,3}(?:```|~~~)[\w-]{0,20} {0,3}$/gm, '');
    return /[\p{L}\p{N}]/u.test(text) ? text.trim() : '';
  };
  const before = blocks.map((block, i) => words(blocks[i - 1]?.range.end ?? 0, block.range.start));
  return [...before, words(blocks.at(-1)?.range.end ?? 0, source.length)];
};

const buildConversation = (
  source: string,
  blocks: readonly Block[],
  loose: readonly string[],
): Conversation => {
  const turns: Turn[] = [];
  const starts: number[] = [];
  const add = (turn: Turn, start: number) => {
    turns.push(turn);
    starts.push(start);
  };
  const addLoose = (text: string | undefined) => {
    if (text) add({ role: null, text }, -1);
  };
  const list = blocks.length === 1 && !loose[1];
  for (const [i, { found, range }] of blocks.entries()) {
    addLoose(loose[i]);
    const single = found.turns.length === 1 && !list;
    for (const [k, turn] of found.turns.entries())
      add(turn, single ? range.start : list ? (found.elements[k] ?? -1) : -1);
  }
  addLoose(loose[blocks.length]);
  return { format: 'json', source, turns, starts, ...(list ? listPosition(blocks[0]) : {}) };
};

const listPosition = (block: Block | undefined): Pick<Conversation, 'list' | 'title'> => {
  if (block === undefined) return {};
  const { found, range } = block;
  const title = found.title === undefined ? {} : { title: found.title };
  if (found.elements.length === 0) return title;
  return {
    ...title,
    list: { ...range, quoted: found.quoted, ...(found.key === undefined ? {} : { key: found.key }) },
  };
};

/** The next line before `limit` that opens a list of objects, or an object, or -1. */
const nextValue = (source: string, from: number, limit: number): number => {
  let found = -1;
  eachLine(
    source,
    (start) => {
      const at = skipBlank(source, start, Math.min(source.length, start + 40));
      if (start <= limit && opensValue(source.slice(at, at + 48))) found = at;
      return found < 0 && start <= limit;
    },
    from,
  );
  return found;
};

const opensValue = (text: string): boolean => /^(?:\[\s{0,40}\{|\{\s{0,40}")/.test(text);

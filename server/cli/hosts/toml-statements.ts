// The statements of a TOML text with their positions. The text is known to be valid, so only positions are computed.
import { parse } from 'smol-toml';
import { isObject } from '../../lib/objects.ts';

/** A table header, or a key with its value; offsets into the text. */
export interface TomlStatement {
  readonly kind: 'header' | 'pair';
  /** The keys from the root of the file: those of the table, then those of the pair. */
  readonly path: readonly string[];
  /** The start of its first line, and the end of its last line with the line break. */
  readonly start: number;
  readonly end: number;
  /** The first character of the value; of a header: the end of its key. */
  readonly value: number;
}

/** A key with its value inside an inline table. */
export interface InlinePair {
  /** The keys from the inline table on. */
  readonly path: readonly string[];
  readonly start: number;
  readonly end: number;
  readonly value: number;
}

const LINE_END = /\r?\n|$/g;
const BLANKS = /[ \t]*/y;
/** White space, line breaks, comments and commas. */
const BETWEEN_PAIRS = /(?:[\s,]|#[^\n]*)*/y;

const afterMatch = (pattern: RegExp, text: string, at: number): number => {
  const found = new RegExp(pattern);
  found.lastIndex = at;
  return found.test(text) ? found.lastIndex : at;
};

const afterString = (text: string, at: number): number => {
  const quote = text[at] ?? '"';
  const multiLine = text.startsWith(quote.repeat(3), at);
  const mark = multiLine ? quote.repeat(3) : quote;
  let end = at + mark.length;
  while (end < text.length && !text.startsWith(mark, end)) end += quote === '"' && text[end] === '\\' ? 2 : 1;
  end += mark.length;
  // One or two quotes may precede the closing three.
  for (let more = 0; multiLine && more < 2 && text[end] === quote; more++) end += 1;
  return end;
};

const isQuote = (character: string | undefined): boolean => character === '"' || character === "'";

const afterKey = (text: string, at: number): number => {
  let end = at;
  while (end < text.length && text[end] !== '=' && text[end] !== ']')
    end = isQuote(text[end]) ? afterString(text, end) : end + 1;
  return end;
};

const afterComment = (text: string, at: number): number => {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
};

const afterValue = (text: string, at: number): number => {
  let depth = 0;
  let end = at;
  while (end < text.length) {
    const character = text[end] ?? '';
    if (isQuote(character)) end = afterString(text, end);
    else if (character === '#') {
      if (depth === 0) return end;
      end = afterComment(text, end);
    } else if (depth === 0 && /[\r\n,\]}]/.test(character)) return end;
    else {
      if (/[[{]/.test(character)) depth += 1;
      if (/[\]}]/.test(character)) depth -= 1;
      end += 1;
    }
  }
  return end;
};

/** The keys of `mcp_servers."memory"`; the library parses every notation of a key. */
const keysIn = (key: string): string[] => {
  const keys: string[] = [];
  let at: unknown = parse(`${key} = 0`);
  while (isObject(at)) {
    const [next = ''] = Object.keys(at);
    keys.push(next);
    at = at[next];
  }
  return keys;
};

interface Line {
  readonly start: number;
  /** Its first character that is not blank. */
  readonly first: number;
  /** The keys of its table. */
  readonly table: readonly string[];
}

const headerAt = (text: string, { start, first }: Line): TomlStatement => {
  const key = text[first + 1] === '[' ? first + 2 : first + 1;
  const value = afterKey(text, key);
  return {
    kind: 'header',
    path: keysIn(text.slice(key, value)),
    start,
    value,
    end: afterMatch(LINE_END, text, value),
  };
};

const pairAt = (text: string, { start, first, table }: Line): TomlStatement => {
  const equals = afterKey(text, first);
  const value = afterMatch(BLANKS, text, equals + 1);
  return {
    kind: 'pair',
    path: [...table, ...keysIn(text.slice(first, equals))],
    start,
    value,
    end: afterMatch(LINE_END, text, afterValue(text, value)),
  };
};

/** All statements in the order of the text; comments and blank lines are skipped. */
export const tomlStatements = (text: string): TomlStatement[] => {
  const statements: TomlStatement[] = [];
  let table: readonly string[] = [];
  for (let start = 0; start < text.length; ) {
    const first = afterMatch(BLANKS, text, start);
    if (first === text.length || /[\r\n#]/.test(text[first] ?? '')) {
      start = afterMatch(LINE_END, text, first);
      continue;
    }
    const line = { start, first, table };
    const statement = text[first] === '[' ? headerAt(text, line) : pairAt(text, line);
    if (statement.kind === 'header') table = statement.path;
    statements.push(statement);
    start = statement.end;
  }
  return statements;
};

/** The pairs of the inline table that opens at this offset, and the offset of its closing brace. */
export const inlinePairs = (text: string, open: number): { pairs: InlinePair[]; close: number } => {
  const pairs: InlinePair[] = [];
  let start = afterMatch(BETWEEN_PAIRS, text, open + 1);
  while (start < text.length && text[start] !== '}') {
    const equals = afterKey(text, start);
    const value = afterMatch(BLANKS, text, equals + 1);
    const end = text.slice(0, afterValue(text, value)).trimEnd().length;
    pairs.push({ path: keysIn(text.slice(start, equals)), start, end, value });
    start = afterMatch(BETWEEN_PAIRS, text, end);
  }
  return { pairs, close: start };
};

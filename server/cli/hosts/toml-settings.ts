// Edits one entry in a TOML settings file in place: comments, order and layout of everything else stay.
import { parse, stringify, TomlError } from 'smol-toml';
import { isObject } from '../../lib/objects.ts';
import {
  checkedText,
  type EntryPlace,
  entriesAt,
  invalidFile,
  type SettingsObject,
  type SettingsText,
  withEntries,
} from './settings-text.ts';
import { type InlinePair, inlinePairs, type TomlStatement, tomlStatements } from './toml-statements.ts';

type Keys = readonly string[];

/** The table with its header, as it is written into a file. */
export const tomlTable = (path: Keys, name: string, entry: SettingsObject): string =>
  stringify(withEntries({}, path, { [name]: entry }));

const readToml = (text: string): SettingsObject => parse(text, { integersAsBigInt: 'asNeeded' });

const parseToml = (text: string, place: EntryPlace): SettingsObject => {
  try {
    return readToml(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [reason = ''] = error.message.replace(/^Invalid TOML document: /, '').split('\n');
    throw invalidFile(place, 'TOML', { line: error.line, column: error.column, reason });
  }
};

const startsWith = (path: Keys, start: Keys): boolean => start.every((key, at) => path[at] === key);

// --- the entry in an inline table ------------------------------------------------------------------

const inlineText = (value: unknown): string =>
  isObject(value)
    ? `{ ${Object.entries(value)
        .map(([key, below]) => inlinePairText([key], below))
        .join(', ')} }`
    : stringify({ value })
        .replace(/^value = /, '')
        .trimEnd();

const inlinePairText = (keys: Keys, value: unknown): string => {
  const key = keys.map((each) => stringify({ [each]: 0 }).replace(/ = 0\n?$/, '')).join('.');
  return `${key} = ${inlineText(value)}`;
};

/** The innermost inline table that holds the path. */
const inlineTableOf = (
  text: string,
  pairs: readonly Pick<InlinePair, 'path' | 'value'>[],
  path: Keys,
): { open: number; rest: Keys } | undefined => {
  const holder = pairs.find(
    (pair) => pair.path.length < path.length && startsWith(path, pair.path) && text[pair.value] === '{',
  );
  if (holder === undefined) return undefined;
  const rest = path.slice(holder.path.length);
  return inlineTableOf(text, inlinePairs(text, holder.value).pairs, rest) ?? { open: holder.value, rest };
};

const withoutInlinePair = (text: string, open: number, rest: Keys): string | undefined => {
  const { pairs } = inlinePairs(text, open);
  const at = pairs.findIndex(({ path }) => startsWith(path, rest));
  const pair = pairs[at];
  if (pair === undefined) return undefined;
  const next = pairs[at + 1];
  const start = next ? pair.start : (pairs[at - 1]?.end ?? pair.start);
  return text.slice(0, start) + text.slice(next?.start ?? pair.end);
};

const withInlinePair = (text: string, open: number, added: string): string => {
  const { pairs, close } = inlinePairs(text, open);
  const last = pairs.at(-1);
  return last === undefined
    ? `${text.slice(0, open)}{ ${added} }${text.slice(close + 1)}`
    : `${text.slice(0, last.end)}, ${added}${text.slice(last.end)}`;
};

// --- the entry as statements -----------------------------------------------------------------------

/** Consecutive statements of the entry, with the comments between them. */
const firstBlock = (statements: readonly TomlStatement[], entry: Keys): TomlStatement | undefined => {
  const at = statements.findIndex(({ path }) => startsWith(path, entry));
  const first = statements[at];
  if (first === undefined) return undefined;
  const next = statements.slice(at).findIndex(({ path }) => !startsWith(path, entry));
  const last = statements[next < 0 ? statements.length - 1 : at + next - 1] ?? first;
  return { ...first, end: last.end };
};

/** Removes a block together with the blank lines before it. */
const withoutBlock = (text: string, { start, end }: TomlStatement): string => {
  const before = text.slice(0, start);
  const after = text.slice(end);
  if (before.trim() === '') return before.trimStart() + after.replace(/^(?:[ \t]*\r?\n)+/, '');
  if (!/^[ \t]*(?:\r?\n|$)/.test(after)) return before + after;
  const kept = before.trimEnd();
  return kept + (/^[ \t]*\r?\n/.exec(before.slice(kept.length))?.[0] ?? '\n') + after;
};

/** Removes all parts of the entry, which may be spread over several tables, dotted keys and inline tables. */
const withoutToml = (text: string, entry: Keys): string => {
  const statements = tomlStatements(text);
  const block = firstBlock(statements, entry);
  if (block !== undefined) return withoutToml(withoutBlock(text, block), entry);
  const pairs = statements.filter(({ kind }) => kind === 'pair');
  const inline = inlineTableOf(text, pairs, entry);
  const rest = inline && withoutInlinePair(text, inline.open, inline.rest);
  return rest === undefined ? text : withoutToml(rest, entry);
};

/** Replaces the existing entry; without one, adds it to the inline table of the other entries or at the end. */
const withToml = (text: string, { path, name }: EntryPlace, entry: SettingsObject): string => {
  const keys = [...path, name];
  const table = tomlTable(path, name, entry);
  const block = firstBlock(tomlStatements(text), keys);
  if (block?.kind === 'header')
    return text.slice(0, block.start) + table + withoutToml(text.slice(block.end), keys);
  const others = withoutToml(text, keys);
  const pairs = tomlStatements(others).filter(({ kind }) => kind === 'pair');
  const inline = inlineTableOf(others, pairs, keys);
  if (inline !== undefined) return withInlinePair(others, inline.open, inlinePairText(inline.rest, entry));
  return others.trim() === '' ? table : `${others.trimEnd()}\n\n${table}`;
};

// --- the file --------------------------------------------------------------------------------------

/** Some editors on Windows write this mark at the start of a file. */
const BYTE_ORDER_MARK = '\uFEFF';

export const tomlSettings = (file: string, place: EntryPlace): SettingsText => {
  const mark = file.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
  const text = file.slice(mark.length);
  const settings = parseToml(text, place);
  const { [place.name]: entry, ...others } = entriesAt(settings, place);

  const edited = (result: string, entries: SettingsObject): string => {
    const lines = text.includes('\r\n') ? result.replace(/\r?\n/g, '\r\n') : result;
    // Removing the last entry may remove the table of the entries as well.
    const read = (again: string): SettingsObject => {
      const found = readToml(again);
      return withEntries(found, place.path, entriesAt(found, place));
    };
    return mark + checkedText(lines, withEntries(settings, place.path, entries), place, read);
  };
  return {
    entry,
    withEntry: (added) => edited(withToml(text, place, added), { ...others, [place.name]: added }),
    withoutEntry: () => edited(withoutToml(text, [...place.path, place.name]), others),
  };
};

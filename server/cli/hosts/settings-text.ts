// The interface of a settings file with one entry, and the errors that both formats share.
import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../lib/objects.ts';
import { CommandFailure } from '../failure.ts';

export type SettingsObject = Record<string, unknown>;

/** The file and the place of the entry in it. */
export interface EntryPlace {
  readonly file: string;
  /** The keys that lead to the entries, as in `["mcpServers"]`. */
  readonly path: readonly string[];
  readonly name: string;
}

export interface SettingsText {
  /** The value that the file holds under the name; undefined: none. */
  readonly entry: unknown;
  /** The text with this entry. Throws if other settings would change. */
  readonly withEntry: (entry: SettingsObject) => string;
  /** The text without the entry. Throws if other settings would change. */
  readonly withoutEntry: () => string;
}

export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

export const invalidFile = (
  { file }: EntryPlace,
  format: 'JSON' | 'TOML',
  { line, column, reason }: TextPosition & { reason: string },
): CommandFailure =>
  new CommandFailure(
    `${file} is not valid ${format}: line ${line}, column ${column}: ${reason}. The file was not changed. Correct that line and run the command again, or add --print and paste the entry yourself.`,
  );

const noObject = ({ file }: EntryPlace, key: string | undefined): CommandFailure =>
  new CommandFailure(
    `${key === undefined ? file : `"${key}" in ${file}`} is not an object with settings. The file was not changed. Correct it and run the command again.`,
  );

/** The entries under the path; empty if the path does not exist yet. */
export const entriesAt = (settings: unknown, place: EntryPlace): SettingsObject => {
  let found = settings;
  let parent: string | undefined;
  for (const key of [...place.path, undefined]) {
    if (!isObject(found)) throw noObject(place, parent);
    if (key === undefined) return found;
    found = Object.hasOwn(found, key) ? found[key] : {};
    parent = key;
  }
  return {};
};

/** The settings with other entries under the path. */
export const withEntries = (
  settings: SettingsObject,
  [key, ...rest]: readonly string[],
  entries: SettingsObject,
): SettingsObject => {
  if (key === undefined) return entries;
  const below = settings[key];
  return { ...settings, [key]: withEntries(isObject(below) ? below : {}, rest, entries) };
};

/** The objects of both parsers have no prototype, so a deep comparison needs both sides without one. */
const withoutPrototype = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutPrototype);
  if (!isObject(value) || value instanceof Date) return value;
  const pairs = Object.entries(value).map(([key, below]) => [key, withoutPrototype(below)]);
  return Object.setPrototypeOf(Object.fromEntries(pairs), null);
};

/** Checks that an edit by position changed only the entry; otherwise the user must edit the file. */
export const checkedText = (
  text: string,
  expected: SettingsObject,
  { file, path, name }: EntryPlace,
  read: (text: string) => unknown,
): string => {
  const isExpected = (): boolean => {
    try {
      return isDeepStrictEqual(withoutPrototype(read(text)), withoutPrototype(expected));
    } catch {
      return false;
    }
  };
  if (isExpected()) return text;
  throw new CommandFailure(
    `The entry "${name}" cannot be changed in ${file} without touching other settings. The file was not changed. Edit "${[...path, name].join('.')}" in it yourself; "memoir mcp install" with --print shows the entry to paste.`,
  );
};

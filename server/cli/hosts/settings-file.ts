// The settings file of a program: read as a whole, and replaced atomically.
import { mkdirSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { codeOf } from '../../lib/failures.ts';
import type { FileHost } from './agent-host.ts';
import { jsonSettings, jsonText } from './json-settings.ts';
import type { SettingsObject } from './settings-text.ts';
import { tomlSettings, tomlTable } from './toml-settings.ts';

/** The file may hold a key. */
const PRIVATE = 0o600;

const isFileMissing = (error: unknown): boolean => codeOf(error) === 'ENOENT';

const fileText = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (isFileMissing(error)) return '';
    throw error;
  }
};

/** Follows a symbolic link, so that the file it points to is written and the link stays. */
const linkedFile = (file: string): { file: string; mode: number } => {
  try {
    const real = realpathSync(file);
    return { file: real, mode: statSync(real).mode & 0o777 };
  } catch (error) {
    if (isFileMissing(error)) return { file, mode: PRIVATE };
    throw error;
  }
};

const replaceFile = (file: string, text: string): void => {
  const { file: real, mode } = linkedFile(file);
  mkdirSync(dirname(real), { recursive: true });
  const draft = `${real}.memoir-new`;
  rmSync(draft, { force: true });
  writeFileSync(draft, text, { mode, flag: 'wx' });
  renameSync(draft, real);
};

export interface SettingsFile {
  /** The value that the file holds under the name, as JSON; undefined: none. */
  readonly before: string | undefined;
  put(entry: SettingsObject): void;
  remove(): void;
}

export const openSettingsFile = ({ format, path }: FileHost, file: string, name: string): SettingsFile => {
  const place = { file, path, name };
  const text = fileText(file);
  const settings = format === 'toml' ? tomlSettings(text, place) : jsonSettings(text, place);
  return {
    before: settings.entry === undefined ? undefined : JSON.stringify(settings.entry),
    put: (entry) => replaceFile(file, settings.withEntry(entry)),
    remove: () => replaceFile(file, settings.withoutEntry()),
  };
};

/** The entry as text for the file, with the keys that lead to it. */
export const entryText = ({ format, path }: FileHost, name: string, entry: SettingsObject): string => {
  if (format === 'toml') return tomlTable(path, name, entry).trimEnd();
  const nested = [...path, name].reduceRight<unknown>((inner, key) => ({ [key]: inner }), entry);
  return jsonText(nested).trimEnd();
};

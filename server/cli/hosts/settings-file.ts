// The file of settings of a program: read, and written whole or not at all.
import { mkdirSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { jsonSettings, jsonText } from './json-settings.ts';
import type { AgentHost } from './known.ts';
import { tomlSettings, tomlTable } from './toml-settings.ts';

/** A key may stand in it. */
const PRIVATE = 0o600;

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT';

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (isMissing(error)) return '';
    throw error;
  }
}

/** Links lead to where somebody keeps the settings of all machines. */
function placeOf(file: string): { file: string; mode: number } {
  try {
    const real = realpathSync(file);
    return { file: real, mode: statSync(real).mode & 0o777 };
  } catch (error) {
    if (isMissing(error)) return { file, mode: PRIVATE };
    throw error;
  }
}

function write(file: string, text: string): void {
  const { file: real, mode } = placeOf(file);
  mkdirSync(dirname(real), { recursive: true });
  const draft = `${real}.memoir-new`;
  rmSync(draft, { force: true });
  writeFileSync(draft, text, { mode, flag: 'wx' });
  renameSync(draft, real);
}

export interface SettingsFile {
  /** What stands under the name already, as text; undefined: nothing. */
  readonly before: string | undefined;
  put(entry: Record<string, unknown>): void;
  remove(): void;
}

export function openSettings({ format, path }: AgentHost, file: string, name: string): SettingsFile {
  const text = textOf(file);
  const settings = format === 'toml' ? tomlSettings(text, path, name) : jsonSettings(text, file, path, name);
  const { entry } = settings;
  return {
    before: entry === undefined || typeof entry === 'string' ? entry : JSON.stringify(entry),
    put: (added) => write(file, settings.with(added)),
    remove: () => write(file, settings.without()),
  };
}

/** The entry as it stands in the file, with the keys that lead to it. */
export function entryText({ format, path }: AgentHost, name: string, entry: Record<string, unknown>): string {
  if (format === 'toml') return tomlTable(path, name, entry).trimEnd();
  const nested = [...path, name].reduceRight<unknown>((inner, key) => ({ [key]: inner }), entry);
  return jsonText(nested).trimEnd();
}

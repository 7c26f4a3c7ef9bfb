// One entry in a file of settings in JSON; everything else in it stays as it is.
import { CommandFailure } from '../failure.ts';

type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const INDENTED = /\n([ \t]+)"/;

export const jsonText = (value: unknown, like = ''): string =>
  `${JSON.stringify(value, null, INDENTED.exec(like)?.[1] ?? '  ')}\n`;

/** Comments and trailing commas would be lost, so such a file is left to its owner. */
function parse(text: string, file: string): Json {
  if (text.trim() === '') return {};
  try {
    const read: unknown = JSON.parse(text);
    if (isObject(read)) return read;
  } catch (cause) {
    throw new CommandFailure(
      `${file} is not plain JSON, perhaps for its comments, so it is left alone. Put the entry into it yourself: --print shows it.`,
      { cause },
    );
  }
  throw new CommandFailure(`${file} holds no JSON object, so it is left alone.`);
}

const below = (settings: Json, path: readonly string[], file: string): Json => {
  let at = settings;
  for (const key of path) {
    const next = at[key] ?? {};
    if (!isObject(next))
      throw new CommandFailure(`"${key}" in ${file} is no JSON object, so it is left alone.`);
    at = next;
  }
  return at;
};

const withBelow = (settings: Json, [key, ...rest]: readonly string[], value: Json): Json =>
  key === undefined
    ? value
    : { ...settings, [key]: withBelow(isObject(settings[key]) ? settings[key] : {}, rest, value) };

export interface JsonSettings {
  /** What stands under the name; undefined: nothing. */
  entry: unknown;
  with(entry: Json): string;
  without(): string;
}

export function jsonSettings(
  text: string,
  file: string,
  path: readonly string[],
  name: string,
): JsonSettings {
  const settings = parse(text, file);
  const entries = below(settings, path, file);
  const { [name]: entry, ...others } = entries;
  return {
    entry,
    with: (added) => jsonText(withBelow(settings, path, { ...entries, [name]: added }), text),
    without: () => jsonText(withBelow(settings, path, others), text),
  };
}

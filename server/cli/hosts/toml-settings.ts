// One table in a file of settings in TOML, found by its header; every other line stays as it is.
type Value = string | readonly string[] | Readonly<Record<string, string>>;

/** Basic strings of TOML escape as JSON does. */
const quoted = (text: string): string => JSON.stringify(text);

const keyText = (key: string): string => (/^[\w-]+$/.test(key) ? key : quoted(key));

function valueText(value: Value): string {
  if (typeof value === 'string') return quoted(value);
  if (Array.isArray(value)) return `[${value.map(quoted).join(', ')}]`;
  const pairs = Object.entries(value).map(([key, text]) => `${keyText(key)} = ${quoted(String(text))}`);
  return `{ ${pairs.join(', ')} }`;
}

export const tomlTable = (path: readonly string[], name: string, entry: Record<string, unknown>): string =>
  [
    `[${[...path, name].map(keyText).join('.')}]`,
    ...Object.entries(entry).map(([key, value]) => `${keyText(key)} = ${valueText(value as Value)}`),
    '',
  ].join('\n');

const HEADER = /^\s*\[+\s*([^\]]+?)\s*\]+\s*(?:#.*)?$/;

/** The table and those inside it: `[mcp_servers.memory]` and `[mcp_servers.memory.env]`. */
function split(text: string, header: string): { table: string; others: string } {
  const table: string[] = [];
  const others: string[] = [];
  let inside = false;
  for (const line of text.split('\n')) {
    const [, found] = HEADER.exec(line) ?? [];
    if (found !== undefined) inside = found === header || found.startsWith(`${header}.`);
    (inside ? table : others).push(line);
  }
  return { table: table.join('\n'), others: others.join('\n') };
}

export interface TomlSettings {
  /** What stands under the name; undefined: nothing. */
  entry: string | undefined;
  with(entry: Record<string, unknown>): string;
  without(): string;
}

const ended = (text: string): string => (text.trim() === '' ? '' : `${text.trimEnd()}\n`);

export function tomlSettings(text: string, path: readonly string[], name: string): TomlSettings {
  const { table, others } = split(text, [...path, name].map(keyText).join('.'));
  const rest = ended(others);
  return {
    entry: table.trim() === '' ? undefined : table.trim(),
    with: (entry) => `${rest}${rest === '' ? '' : '\n'}${tomlTable(path, name, entry)}`,
    without: () => rest,
  };
}

// The options that many commands share, and how their values are read.
import { type Command, InvalidArgumentError, Option } from 'commander';

export interface CommonOptions {
  json?: true;
  url?: string;
  apiKey?: string;
  dataDir?: string;
}

const JSON_HELP = 'print JSON, for programs; failures as {"error": …}';
const DATA_DIR_HELP = 'the data folder (default: MEMOIR_DATA_DIR, else .memoir)';

/** For the commands that a running server can answer. */
export const withCommon = (command: Command): Command =>
  command
    .option('--json', JSON_HELP)
    .option('--data-dir <folder>', DATA_DIR_HELP)
    .option('--url <address>', 'a server elsewhere (or MEMOIR_URL)')
    .option('--api-key <key>', 'the key to use (or MEMOIR_API_KEY, with a server elsewhere)')
    .helpOption('-h, --help', 'show this help');

/** For `serve`, which is the server. */
export const withFolder = (command: Command): Command =>
  command
    .option('--json', JSON_HELP)
    .option('--data-dir <folder>', DATA_DIR_HELP)
    .helpOption('-h, --help', 'show this help');

export const examples = (command: Command, lines: readonly string[]): Command =>
  command.addHelpText('after', `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}\n`);

// --- values ----------------------------------------------------------------------------------------

const append = (value: string, before: string[] | undefined): string[] => [...(before ?? []), value];

export const tagOption = (what: string): Option =>
  new Option('-t, --tag <tag>', `${what}; may be repeated`).argParser(append);

const SPACED_PAIR = /^([^=]+)=(.*)$/s;

export type Pairs = Readonly<Record<string, string>>;

function appendPair(value: string, before: Pairs | undefined): Pairs {
  const [, key, text] = SPACED_PAIR.exec(value) ?? [];
  if (key === undefined || text === undefined) {
    throw new InvalidArgumentError('It has the form key=value.');
  }
  return { ...before, [key]: text };
}

export const pairOption = (flag: string, what: string): Option =>
  new Option(`${flag} <key=value>`, `${what}; may be repeated`).argParser(appendPair);

export const wholeNumber =
  (min: number, max: number) =>
  (value: string): number => {
    const number = Number(value);
    if (/^\d+$/.test(value) && number >= min && number <= max) return number;
    throw new InvalidArgumentError(`It is a whole number from ${min} to ${max}.`);
  };

export function share(value: string): number {
  const number = Number(value);
  if (value.trim() !== '' && number >= 0 && number <= 1) return number;
  throw new InvalidArgumentError('It is a number from 0 to 1.');
}

/** `true`, `false` and plain numbers are what they look like; everything else is text. */
export function typed(text: string): string | number | boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  const number = Number(text);
  return Number.isFinite(number) && String(number) === text ? number : text;
}

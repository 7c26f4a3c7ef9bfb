// The options that several commands share, and the parsers of their values.
import { type Command, InvalidArgumentError, Option } from 'commander';

export interface CommonOptions {
  json?: true;
  url?: string;
  apiKey?: string;
  dataDir?: string;
}

const JSON_HELP = 'print JSON, for programs; failures as {"error": …}';
const DATA_DIR_HELP = 'the data folder (default: MEMOIR_DATA_DIR, or .memoir)';

/** The options of the commands that a running server can answer. */
export const withCommon = (command: Command): Command =>
  command
    .option('--json', JSON_HELP)
    .option('--data-dir <folder>', DATA_DIR_HELP)
    .option('--url <address>', 'the address of a remote server (or MEMOIR_URL)')
    .option('--api-key <key>', 'the API key (or MEMOIR_API_KEY for a remote server)')
    .helpOption('-h, --help', 'show this help');

/** The options of `serve`, which is the server itself. */
export const withFolder = (command: Command): Command =>
  command
    .option('--json', JSON_HELP)
    .option('--data-dir <folder>', DATA_DIR_HELP)
    .helpOption('-h, --help', 'show this help');

export const examples = (command: Command, lines: readonly string[]): Command =>
  command.addHelpText('after', `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}\n`);

// --- values ----------------------------------------------------------------------------------------

const appendValue = (value: string, before: string[] | undefined): string[] => [...(before ?? []), value];

export const tagOption = (what: string): Option =>
  new Option('-t, --tag <tag>', `${what}; can be repeated`).argParser(appendValue);

export const factOption: Option = new Option(
  '-f, --fact <sentence>',
  'a statement to remember in place of what Memoir would draw from the content; can be repeated',
).argParser(appendValue);

const SPACED_PAIR = /^([^=]+)=(.*)$/s;

export type Pairs = Readonly<Record<string, string>>;

const appendPair = (value: string, before: Pairs | undefined): Pairs => {
  const [, key, text] = SPACED_PAIR.exec(value) ?? [];
  if (key === undefined || text === undefined) {
    throw new InvalidArgumentError('Write it as key=value.');
  }
  return { ...before, [key]: text };
};

export const pairOption = (flag: string, what: string): Option =>
  new Option(`${flag} <key=value>`, `${what}; can be repeated`).argParser(appendPair);

export const wholeNumberOption =
  (min: number, max: number) =>
  (value: string): number => {
    const number = Number(value);
    if (/^\d+$/.test(value) && number >= min && number <= max) return number;
    throw new InvalidArgumentError(`Use a whole number from ${min} to ${max}.`);
  };

/** A number, or the word that takes the limit away. */
export const numberOr =
  <Word extends string>(word: Word, read: (value: string) => number) =>
  (value: string): number | Word => {
    if (value === word) return word;
    try {
      return read(value);
    } catch (error) {
      if (error instanceof InvalidArgumentError)
        throw new InvalidArgumentError(`${error.message.replace(/\.$/, '')}, or ${word}.`);
      throw error;
    }
  };

export const shareOption = (value: string): number => {
  const number = Number(value);
  if (value.trim() !== '' && number >= 0 && number <= 1) return number;
  throw new InvalidArgumentError('Use a number from 0 to 1.');
};

/** Reads `true`, `false` and plain numbers as such, everything else as text. */
export const typedValue = (text: string): string | number | boolean => {
  if (text === 'true' || text === 'false') return text === 'true';
  const number = Number(text);
  return Number.isFinite(number) && String(number) === text ? number : text;
};

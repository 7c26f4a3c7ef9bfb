// The options of a source as they are typed, and its secrets, which are no arguments.
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { type Command, Option } from 'commander';
import { codeOf, messageOf } from '../../../lib/failures.ts';
import { CommandFailure } from '../../failure.ts';
import { type Pairs, pairOption, typedValue } from '../../options.ts';

export interface SourceOptions {
  set?: Pairs;
  metadata?: Pairs;
  secrets?: string;
}

export const withSourceOptions = (command: Command): Command =>
  command
    .addOption(pairOption('--set', 'an option of the source, as in bucket=papers'))
    .addOption(
      pairOption('-m, --metadata', 'metadata of its documents; numbers, true and false keep their type'),
    )
    .addOption(
      new Option(
        '--secrets <file>',
        'a file with secrets, a line key=value each; - reads them from the standard input',
      ),
    );

const SECRET_NAME = /secret|token|password|serviceAccount|apiKey/i;

/** Secrets as arguments would stand in the history of the shell and in the list of processes. */
const refuseSecrets = (set: Pairs): void => {
  const name = Object.keys(set).find((key) => SECRET_NAME.test(key));
  if (name !== undefined)
    throw new CommandFailure(
      `${name} is a secret and no argument. Put it into a file as ${name}=… and name the file with --secrets, or pipe it in with --secrets -.`,
    );
};

/** Lines of key=value. */
const readPairs = (lines: string): Pairs =>
  Object.fromEntries(
    lines
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => {
        const at = line.indexOf('=');
        if (at < 1) throw new CommandFailure('Write each secret as key=value on a line of its own.');
        return [line.slice(0, at).trim(), line.slice(at + 1).trim()];
      }),
  );

const readSecretsFile = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    const reason = codeOf(cause) === 'ENOENT' ? 'there is no such file' : messageOf(cause);
    throw new CommandFailure(`The secrets in ${file} could not be read: ${reason}.`, { cause });
  }
};

const readSecretOptions = async (from: string | undefined): Promise<Pairs> => {
  if (from === undefined) return {};
  return readPairs(from === '-' ? await text(process.stdin) : readSecretsFile(from));
};

const typedPairs = (pairs: Pairs): Record<string, string | number | boolean> =>
  Object.fromEntries(Object.entries(pairs).map(([key, value]) => [key, typedValue(value)]));

/** The fields of a call; those that were not typed are left out. */
export const readSourceOptions = async ({ set = {}, metadata = {}, secrets }: SourceOptions) => {
  refuseSecrets({ ...set, ...metadata });
  const fields = {
    options: { ...typedPairs(set), ...(await readSecretOptions(secrets)) },
    metadata: typedPairs(metadata),
  };
  return Object.fromEntries(Object.entries(fields).filter(([, values]) => Object.keys(values).length > 0));
};

/** The server names options as its callers over REST write them. */
export const explainingOptions = async <T>(call: Promise<T>): Promise<T> => {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof Error && error.message.includes('metadata.'))) throw error;
    const known = error instanceof CommandFailure ? { exitCode: error.exitCode, facts: error.facts } : {};
    throw new CommandFailure(
      `${error.message} Here an option is --set name=value, and secrets come from --secrets <file>.`,
      { ...known, cause: error },
    );
  }
};

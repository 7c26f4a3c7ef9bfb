// memoir connections add: connects a source and follows its first sync.
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { type Command, Option } from 'commander';
import { createConnection } from '../../../../tools/connections/create.ts';
import { previewConnection } from '../../../../tools/connections/preview.ts';
import { codeOf, messageOf } from '../../../lib/failures.ts';
import { type CommandWork, withClient } from '../../command.ts';
import { CommandFailure } from '../../failure.ts';
import type { Host } from '../../host.ts';
import {
  type CommonOptions,
  examples,
  type Pairs,
  pairOption,
  tagOption,
  typedValue,
  wholeNumberOption,
  withCommon,
} from '../../options.ts';
import { bytesText } from '../../output/progress-bar.ts';
import { plural } from '../../output/text.ts';
import { followSync, progressLine } from './follow.ts';

interface AddOptions extends CommonOptions {
  tag?: string[];
  set?: Pairs;
  secrets?: string;
  limit?: number;
  full?: true;
  dryRun?: true;
}

const SECRET_NAME = /secret|token|password|serviceAccount|apiKey/i;

/** They would stand in the history of the shell and in the list of processes. */
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

const readSecrets = async (from: string | undefined): Promise<Pairs> => {
  if (from === undefined) return {};
  return readPairs(from === '-' ? await text(process.stdin) : readSecretsFile(from));
};

const optionsOf = async ({ set = {}, secrets, full }: AddOptions) => {
  refuseSecrets(set);
  const typed = Object.entries(set).map(([key, value]) => [key, typedValue(value)] as const);
  return {
    ...Object.fromEntries(typed),
    ...(await readSecrets(secrets)),
    ...(full === true ? { syncScope: 'full' } : {}),
  };
};

/** The server names options as its callers over REST write them. */
const explainingOptions = async <T>(call: Promise<T>): Promise<T> => {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof CommandFailure) || !error.message.includes('metadata.')) throw error;
    const { message, exitCode, facts } = error;
    throw new CommandFailure(
      `${message} Here an option is --set name=value, and secrets come from --secrets <file>.`,
      { exitCode, facts, cause: error },
    );
  }
};

const previewSource = async ({ client, print }: CommandWork, provider: string, options: AddOptions) => {
  const metadata = await optionsOf(options);
  const preview = await explainingOptions(client.call(previewConnection, { provider, metadata }));
  const { found, bytes, skipped, complete } = preview;
  const least = complete ? '' : 'At least ';
  // Some sources tell no sizes.
  const size = bytes === 0 ? '' : ` with ${bytesText(bytes)}`;
  print.answer(preview, [
    `${least}${plural(found, 'file')}${size} would be synced, ${plural(skipped, 'file')} would be left out. Nothing was stored.`,
  ]);
};

const addSource = async (work: CommandWork, provider: string, options: AddOptions): Promise<void> => {
  const { client, print, host } = work;
  const began = Date.now();
  const metadata = await optionsOf(options);
  const created = await explainingOptions(
    client.call(createConnection, {
      ...{ connection: provider, metadata },
      ...(options.tag === undefined ? {} : { containerTags: options.tag }),
      ...(options.limit === undefined ? {} : { documentLimit: options.limit }),
    }),
  );
  if (created.authLink) print.note(`Open this address and grant access:\n${created.authLink}`);
  const connection = await followSync(work, created.id, began - 60_000);
  const notes = {
    waiting: `After the sign-in, ${host.invocation} connections list shows what it does.`,
    choosing: `Choose what it syncs: ${host.invocation} connections choose ${created.id}`,
  };
  const { status, problem, lastSyncRun } = connection;
  const next = status === 'waiting' || status === 'choosing' ? [notes[status]] : [];
  const trouble = problem ?? (lastSyncRun?.status === 'failed' ? lastSyncRun.error : null);
  print.answer(connection, [
    `${created.id}  ${progressLine(connection, null)}`,
    ...(trouble ? [trouble] : []),
    ...next,
  ]);
};

export const connectionsAddCommand = (connections: Command, host: Host): void => {
  const command = connections
    .command('add')
    .argument('<source>', 's3, web-crawler, github, notion, google-drive, gmail or onedrive')
    .summary('connect a source')
    .description(
      'Connects a source, prints the link to sign in where the source needs one, and follows the first sync.',
    )
    .addOption(tagOption('the container tag of its documents'))
    .addOption(pairOption('--set', 'an option of the source, as in bucket=papers'))
    .addOption(
      new Option(
        '--secrets <file>',
        'a file with secrets, a line key=value each; - reads them from the standard input',
      ),
    )
    .option('--limit <number>', 'the most documents', wholeNumberOption(1, 10_000))
    .option('--full', 'sync the whole drive, without a choice')
    .option('--dry-run', 'count what would be synced, and store nothing');
  examples(withCommon(command), [
    'memoir connections add s3 --set bucket=papers --set region=eu-central-1 --secrets keys.txt --tag papers',
    'memoir connections add s3 --set bucket=papers --set region=eu-central-1 --secrets - --dry-run < keys.txt',
  ]).action((source: string, options: AddOptions) =>
    withClient(options, host, (work) =>
      options.dryRun === true ? previewSource(work, source, options) : addSource(work, source, options),
    ),
  );
};

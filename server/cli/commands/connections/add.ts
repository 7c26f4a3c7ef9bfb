// memoir connections add: connects a source and follows its first sync.
import type { Command } from 'commander';
import { createConnection } from '../../../../tools/connections/create.ts';
import { previewConnection } from '../../../../tools/connections/preview.ts';
import { plural } from '../../../lib/text/plural.ts';
import { type CommandWork, withClient } from '../../command.ts';
import type { Host } from '../../host.ts';
import { type CommonOptions, examples, tagOption, wholeNumberOption, withCommon } from '../../options.ts';
import { bytesText } from '../../output/progress-bar.ts';
import { followSignIn, type WaitOption, withWait } from './sign-in.ts';
import {
  explainingOptions,
  readSourceOptions,
  type SourceOptions,
  withSourceOptions,
} from './source-options.ts';

interface AddOptions extends CommonOptions, SourceOptions, WaitOption {
  tag?: string[];
  limit?: number;
  full?: true;
  dryRun?: true;
}

const givenTo = async ({ full, ...typed }: AddOptions) => {
  const { options = {}, ...given } = await readSourceOptions(typed);
  return { ...given, options: { ...options, ...(full === true ? { syncScope: 'full' } : {}) } };
};

const previewSource = async ({ client, print }: CommandWork, provider: string, options: AddOptions) => {
  const given = await givenTo(options);
  const preview = await explainingOptions(client.call(previewConnection, { provider, ...given }));
  const { found, bytes, skipped, complete } = preview;
  const least = complete ? '' : 'At least ';
  // Some sources tell no sizes.
  const size = bytes === 0 ? '' : ` with ${bytesText(bytes)}`;
  print.answer(preview, [
    `${least}${plural(found, 'file')}${size} would be synced, ${plural(skipped, 'file')} would be left out. Nothing was stored.`,
  ]);
};

const addSource = async (work: CommandWork, provider: string, options: AddOptions): Promise<void> => {
  const began = Date.now();
  const given = await givenTo(options);
  const created = await explainingOptions(
    work.client.call(createConnection, {
      ...{ connection: provider, ...given },
      ...(options.tag === undefined ? {} : { containerTags: options.tag }),
      ...(options.limit === undefined ? {} : { documentLimit: options.limit }),
    }),
  );
  await followSignIn(work, created, { began, wait: options.wait });
};

export const connectionsAddCommand = (connections: Command, host: Host): void => {
  const command = connections
    .command('add')
    .argument('<source>', 's3, web-crawler, github, notion, google-drive, gmail or onedrive')
    .summary('connect a source')
    .description(
      'Connects a source, prints the link to sign in where the source needs one, and follows the first sync until its documents can be found.',
    )
    .addOption(tagOption('the container tag of its documents'));
  withWait(withSourceOptions(command))
    .option('--limit <number>', 'the highest number of documents', wholeNumberOption(1, 10_000))
    .option('--full', 'sync the whole drive, and ask for no choice of folders')
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

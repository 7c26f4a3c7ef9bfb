// memoir keys change: changes the name, the rights, the end or the rate of a key.
import { type Command, Option } from 'commander';
import { updateKey } from '../../../../tools/keys/update.ts';
import { type CommandWork, withClient } from '../../command.ts';
import { CommandFailure, MISUSED } from '../../failure.ts';
import type { Host } from '../../host.ts';
import {
  type CommonOptions,
  examples,
  numberOr,
  tagOption,
  wholeNumberOption,
  withCommon,
} from '../../options.ts';
import { dayOrNever, withoutControls } from '../../output/text.ts';

const NEVER = 'never';
const NONE = 'none';

interface ChangeOptions extends CommonOptions {
  name?: string;
  permission?: 'read' | 'write';
  tag?: string[];
  allTags?: true;
  expiresInDays?: number | typeof NEVER;
  rateLimit?: number | typeof NONE;
}

const limitOf = (value: number | string): number | null => (typeof value === 'number' ? value : null);

const askedChanges = ({ name, permission, tag, allTags, expiresInDays, rateLimit }: ChangeOptions) => ({
  ...(name === undefined ? {} : { name }),
  ...(permission === undefined ? {} : { permission }),
  ...(tag === undefined ? {} : { containerTags: tag }),
  ...(allTags === undefined ? {} : { containerTags: null }),
  ...(expiresInDays === undefined ? {} : { expiresInDays: limitOf(expiresInDays) }),
  ...(rateLimit === undefined ? {} : { rateLimitMax: limitOf(rateLimit) }),
});

const changeKeyOf = async (
  { client, print }: CommandWork,
  id: string,
  options: ChangeOptions,
): Promise<void> => {
  const changed = await client.call(updateKey, { id, ...askedChanges(options) });
  const may = changed.permission === 'read' ? 'may read' : 'may read and write';
  const tags = changed.containerTags;
  const where = tags === null ? 'everywhere' : `in ${tags.map(withoutControls).join(', ')}`;
  const end = changed.expiresAt === null ? 'never expires' : `expires ${dayOrNever(changed.expiresAt)}`;
  print.answer(changed, [
    `Changed the key ${changed.id} (${withoutControls(changed.name)}). It ${may} ${where} and ${end}.`,
    ...(changed.note === undefined ? [] : [changed.note]),
  ]);
};

export const keysChangeCommand = (keys: Command, host: Host): void => {
  const command = keys
    .command('change <id>')
    .summary('change a key')
    .description(
      'Changes the name, the rights, the end or the rate of a key. Its secret stays the same. A key that made others keeps its full access.',
    )
    .option('--name <name>', 'a new name')
    .addOption(
      new Option('--permission <permission>', 'the permission of the key').choices(['read', 'write']),
    )
    .addOption(tagOption('bind the key to this container tag'))
    .addOption(new Option('--all-tags', 'let the key use all container tags').conflicts('tag'))
    .option(
      '--expires-in-days <days>',
      'the number of days from now until the key expires, or never',
      numberOr(NEVER, wholeNumberOption(1, 3650)),
    )
    .option(
      '--rate-limit <requests>',
      'the requests allowed per minute, or none',
      numberOr(NONE, wholeNumberOption(1, 10_000)),
    );
  examples(withCommon(command), [
    'memoir keys change 1BQ8vWzUqTfGZ4kS9xNc7d --name laptop --expires-in-days 90',
    'memoir keys change 1BQ8vWzUqTfGZ4kS9xNc7d --tag user_ada --permission read',
  ]).action((id: string, options: ChangeOptions) => {
    if (Object.keys(askedChanges(options)).length === 0)
      throw new CommandFailure(
        'Nothing is to be changed. Give --name, --permission, --tag, --all-tags, --expires-in-days or --rate-limit.',
        { exitCode: MISUSED },
      );
    return withClient(options, host, (work) => changeKeyOf(work, id, options));
  });
};

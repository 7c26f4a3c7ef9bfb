// memoir keys create: creates a key, with full access or bound to container tags.
import { type Command, Option } from 'commander';
import { createAgentKey } from '../../../../tools/keys/create-agent.ts';
import { createScopedKey } from '../../../../tools/keys/create-scoped.ts';
import { type CommandWork, withClient } from '../../command.ts';
import type { Host } from '../../host.ts';
import { type CommonOptions, examples, tagOption, wholeNumberOption, withCommon } from '../../options.ts';

interface CreateOptions extends CommonOptions {
  tag?: string[];
  name?: string;
  permission: 'read' | 'write';
  expiresInDays?: number;
  rateLimit?: number;
}

const commonFields = ({ permission, expiresInDays, rateLimit, name }: CreateOptions) => ({
  permission,
  ...(name === undefined ? {} : { name }),
  ...(expiresInDays === undefined ? {} : { expiresInDays }),
  ...(rateLimit === undefined ? {} : { rateLimitMax: rateLimit }),
});

const createKeyFrom = async ({ client, print }: CommandWork, options: CreateOptions): Promise<void> => {
  const { tag } = options;
  const made =
    tag === undefined
      ? await client.call(createAgentKey, { name: 'key from the command line', ...commonFields(options) })
      : await client.call(createScopedKey, { ...commonFields(options), containerTags: tag });
  const may = made.permission === 'read' ? 'may read' : 'may read and write';
  const where = tag === undefined ? 'everywhere' : `in ${tag.join(', ')}`;
  print.answer(made, [
    made.key,
    `The key ${made.id} ${may} ${where}. It is shown only now, so save it.`,
    ...(made.note === undefined ? [] : [made.note]),
  ]);
};

export const keysCreateCommand = (keys: Command, host: Host): void => {
  const command = keys
    .command('create')
    .summary('create a key')
    .description('Creates a key, with full access or bound to container tags, and shows it once.')
    .addOption(tagOption('bind the key to this container tag'))
    .option('--name <name>', 'a name for the key')
    .addOption(
      new Option('--permission <permission>', 'the permission of the key')
        .choices(['read', 'write'])
        .default('write'),
    )
    .option(
      '--expires-in-days <days>',
      'the number of days until the key expires (default: never)',
      wholeNumberOption(1, 365),
    )
    .option('--rate-limit <requests>', 'the requests allowed per minute', wholeNumberOption(1, 10_000));
  examples(withCommon(command), [
    'memoir keys create --name laptop',
    'memoir keys create --tag user_ada --permission read --expires-in-days 30',
  ]).action((options: CreateOptions) =>
    withClient(options, host, (work) => createKeyFrom(work, options), { creates: true }),
  );
};

// memoir keys create: makes a key, for everything or bound to container tags.
import { type Command, Option } from 'commander';
import { createAgentKey } from '../../../tools/keys/create-agent.ts';
import { createScopedKey } from '../../../tools/keys/create-scoped.ts';
import { type Work, withClient } from '../command.ts';
import type { Host } from '../host.ts';
import { type CommonOptions, examples, tagOption, wholeNumber, withCommon } from '../options.ts';

interface CreateOptions extends CommonOptions {
  tag?: string[];
  name?: string;
  permission: 'read' | 'write';
  expiresInDays?: number;
  rateLimit?: number;
}

const shared = ({ permission, expiresInDays, rateLimit, name }: CreateOptions) => ({
  permission,
  ...(name === undefined ? {} : { name }),
  ...(expiresInDays === undefined ? {} : { expiresInDays }),
  ...(rateLimit === undefined ? {} : { rateLimitMax: rateLimit }),
});

async function create({ client, print }: Work, options: CreateOptions): Promise<void> {
  const { tag } = options;
  const made =
    tag === undefined
      ? await client.call(createAgentKey, { name: 'key from the command line', ...shared(options) })
      : await client.call(createScopedKey, { ...shared(options), containerTags: tag });
  const may = made.permission === 'read' ? 'may read' : 'may read and write';
  const where = tag === undefined ? 'everywhere' : `in ${tag.join(', ')}`;
  print.answer(made, [made.key, `Key ${made.id} ${may} ${where}. It is shown this once: keep it.`]);
}

export function keysCreateCommand(keys: Command, host: Host): void {
  const command = keys
    .command('create')
    .summary('make a key')
    .description('Makes a key and shows it once: for everything, or bound to container tags.')
    .addOption(tagOption('bind the key to this container tag'))
    .option('--name <name>', 'a name to recognise it by')
    .addOption(
      new Option('--permission <permission>', 'what it may do').choices(['read', 'write']).default('write'),
    )
    .option('--expires-in-days <days>', 'when it ends (default: never)', wholeNumber(1, 365))
    .option('--rate-limit <requests>', 'requests a minute', wholeNumber(1, 10_000));
  examples(withCommon(command), [
    'memoir keys create --name laptop',
    'memoir keys create --tag user_ada --permission read --expires-in-days 30',
  ]).action((options: CreateOptions) =>
    withClient(options, host, (work) => create(work, options), { creates: true }),
  );
}

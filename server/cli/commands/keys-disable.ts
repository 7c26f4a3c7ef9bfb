// memoir keys disable: from then on a key is refused.
import type { Command } from 'commander';
import { disableKey } from '../../../tools/keys/disable.ts';
import { withClient } from '../command.ts';
import type { Host } from '../host.ts';
import { type CommonOptions, examples, withCommon } from '../options.ts';

export function keysDisableCommand(keys: Command, host: Host): void {
  const command = keys
    .command('disable <id>')
    .summary('disable a key')
    .description('Disables a key: it is refused from now on. Its documents stay.');
  examples(withCommon(command), ['memoir keys disable 1BQ8vWzUqTfGZ4kS9xNc7d']).action(
    (id: string, options: CommonOptions) =>
      withClient(options, host, async ({ client, print }) => {
        const answer = await client.call(disableKey, { id });
        print.answer(answer, [`The key ${answer.id} is disabled.`]);
      }),
  );
}

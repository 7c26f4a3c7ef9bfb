// memoir keys disable: disables a key.
import type { Command } from 'commander';
import { disableKey } from '../../../../tools/keys/disable.ts';
import { withClient } from '../../command.ts';
import type { Host } from '../../host.ts';
import { type CommonOptions, examples, withCommon } from '../../options.ts';

export const keysDisableCommand = (keys: Command, host: Host): void => {
  const command = keys
    .command('disable <id>')
    .summary('disable a key')
    .description(
      'Disables a key: calls with it, with the keys that it made and with the grants that it gave are refused from now on. The documents that it added stay.',
    );
  examples(withCommon(command), ['memoir keys disable 1BQ8vWzUqTfGZ4kS9xNc7d']).action(
    (id: string, options: CommonOptions) =>
      withClient(options, host, async ({ client, print }) => {
        const answer = await client.call(disableKey, { id });
        print.answer(answer, [
          `Disabled the key ${answer.id}.`,
          ...(answer.note === undefined ? [] : [answer.note]),
        ]);
      }),
  );
};

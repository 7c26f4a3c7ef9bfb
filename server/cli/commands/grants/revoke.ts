// memoir grants revoke: disconnects a program.
import type { Command } from 'commander';
import { revokeGrant } from '../../../../tools/grants/revoke.ts';
import { withClient } from '../../command.ts';
import type { Host } from '../../host.ts';
import { type CommonOptions, examples, withCommon } from '../../options.ts';

export const grantsRevokeCommand = (grants: Command, host: Host): void => {
  const command = grants
    .command('revoke <id>')
    .summary('disconnect a program')
    .description(
      'Revokes the grant of a program: its calls are refused from now on. The documents that it added stay.',
    );
  examples(withCommon(command), ['memoir grants revoke 1BQ8vWzUqTfGZ4kS9xNc7d']).action(
    (id: string, options: CommonOptions) =>
      withClient(options, host, async ({ client, print }) => {
        const answer = await client.call(revokeGrant, { id });
        print.answer(answer, [`Revoked the grant ${answer.id}.`]);
      }),
  );
};

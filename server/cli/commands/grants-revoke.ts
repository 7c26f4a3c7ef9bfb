// memoir grants revoke: from then on a connected program is refused.
import type { Command } from 'commander';
import { revokeGrant } from '../../../tools/grants/revoke.ts';
import { withClient } from '../command.ts';
import type { Host } from '../host.ts';
import { type CommonOptions, examples, withCommon } from '../options.ts';

export function grantsRevokeCommand(grants: Command, host: Host): void {
  const command = grants
    .command('revoke <id>')
    .summary('disconnect a program')
    .description('Takes back what a program was allowed: it is refused from now on. What it added stays.');
  examples(withCommon(command), ['memoir grants revoke 1BQ8vWzUqTfGZ4kS9xNc7d']).action(
    (id: string, options: CommonOptions) =>
      withClient(options, host, async ({ client, print }) => {
        const answer = await client.call(revokeGrant, { id });
        print.answer(answer, [`The grant ${answer.id} is revoked.`]);
      }),
  );
}

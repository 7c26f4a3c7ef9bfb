// memoir grants list: the connected programs and their permissions.
import type { Command } from 'commander';
import type { z } from 'zod';
import { listGrants } from '../../../../tools/grants/list.ts';
import { type CommandWork, withClient } from '../../command.ts';
import type { Host } from '../../host.ts';
import { type CommonOptions, examples, withCommon } from '../../options.ts';
import { dayOrNever, withoutControls } from '../../output/text.ts';

type Grant = z.output<typeof listGrants.output>['grants'][number];

const grantRow = (grant: Grant): string[] => [
  grant.id,
  withoutControls(grant.client.name),
  withoutControls(grant.client.redirectHost),
  grant.permission,
  grant.containerTags?.map(withoutControls).join(', ') ?? 'everything',
  grant.endedWithKey === true ? 'ended with its key' : dayOrNever(grant.expiresAt),
  dayOrNever(grant.lastUsedAt),
  grant.keyId,
];

const HEAD = ['ID', 'PROGRAM', 'ANSWERED AT', 'MAY', 'IN', 'UNTIL', 'LAST USED', 'GIVEN BY'];

const listAllGrants = async ({ client, print }: CommandWork): Promise<void> => {
  const { alignedTable } = await import('../../output/layout.ts');
  const answer = await client.call(listGrants, {});
  const lines =
    answer.grants.length === 0
      ? ['No program is connected.']
      : alignedTable([HEAD, ...answer.grants.map(grantRow)]);
  print.answer(answer, lines);
};

export const grantsListCommand = (grants: Command, host: Host): void => {
  const command = grants
    .command('list')
    .summary('list the connected programs')
    .description('Lists the programs that were allowed on the connect page, with their permissions.');
  examples(withCommon(command), ['memoir grants list', 'memoir grants list --json']).action(
    (options: CommonOptions) => withClient(options, host, listAllGrants),
  );
};

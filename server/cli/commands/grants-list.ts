// memoir grants list: which programs were connected, and what they may do.
import type { Command } from 'commander';
import type { z } from 'zod';
import { listGrants } from '../../../tools/grants/list.ts';
import { type Work, withClient } from '../command.ts';
import type { Host } from '../host.ts';
import { type CommonOptions, examples, withCommon } from '../options.ts';
import { table, tame } from '../text.ts';

type Grant = z.output<typeof listGrants.output>['grants'][number];

const day = (time: string | null): string => time?.slice(0, 10) ?? 'never';

const row = (grant: Grant): string[] => [
  grant.id,
  tame(grant.client.name),
  tame(grant.client.redirectHost),
  grant.permission,
  grant.containerTags?.map(tame).join(', ') ?? 'everything',
  day(grant.expiresAt),
  day(grant.lastUsedAt),
];

const HEAD = ['ID', 'PROGRAM', 'ANSWERED AT', 'MAY', 'IN', 'UNTIL', 'LAST USED'];

async function list({ client, print }: Work): Promise<void> {
  const answer = await client.call(listGrants, {});
  const lines =
    answer.grants.length === 0 ? ['No program is connected.'] : table([HEAD, ...answer.grants.map(row)]);
  print.answer(answer, lines);
}

export function grantsListCommand(grants: Command, host: Host): void {
  const command = grants
    .command('list')
    .summary('list the connected programs')
    .description('Lists the programs that were allowed on the connect page, and what they may do.');
  examples(withCommon(command), ['memoir grants list', 'memoir grants list --json']).action(
    (options: CommonOptions) => withClient(options, host, list),
  );
}

// memoir quotas list: every quota with what is used of it.
import type { Command } from 'commander';
import type { z } from 'zod';
import { listQuotas } from '../../../../tools/quotas/list.ts';
import { type CommandWork, withClient } from '../../command.ts';
import type { Host } from '../../host.ts';
import { type CommonOptions, examples, withCommon } from '../../options.ts';
import { withoutControls } from '../../output/text.ts';

type Quota = z.output<typeof listQuotas.output>['quotas'][number];

const HEAD = ['OF', 'ID', 'QUOTA', 'USED', 'LIMIT', 'ENDS AT (UTC)'];

const quotaRow = ({ of, id, quota, used, limit, endsAt }: Quota): string[] => [
  ...[of, withoutControls(id), quota, used.toLocaleString('en'), limit.toLocaleString('en')],
  endsAt.slice(0, 16).replace('T', ' '),
];

const printQuotas = async ({ client, print }: CommandWork): Promise<void> => {
  const { alignedTable } = await import('../../output/layout.ts');
  const answer = await client.call(listQuotas, {});
  const rows = answer.quotas.map(quotaRow);
  print.answer(answer, rows.length === 0 ? ['No quota is set.'] : alignedTable([HEAD, ...rows]));
};

export const quotasListCommand = (quotas: Command, host: Host): void => {
  const command = quotas
    .command('list')
    .summary('list the quotas')
    .description('Lists the quotas of keys, members and container tags, with what is used of each.');
  examples(withCommon(command), ['memoir quotas list', 'memoir quotas list --json']).action(
    (options: CommonOptions) => withClient(options, host, printQuotas),
  );
};

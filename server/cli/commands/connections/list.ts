// memoir connections list: what each connection is doing.
import type { Command } from 'commander';
import { listConnections } from '../../../../tools/connections/list.ts';
import { type CommandWork, withClient } from '../../command.ts';
import type { Host } from '../../host.ts';
import { type CommonOptions, examples, tagOption, withCommon } from '../../options.ts';
import { withoutControls } from '../../output/text.ts';
import type { ShownConnection } from './follow.ts';

interface ListOptions extends CommonOptions {
  tag?: string[];
}

const HEAD = ['ID', 'SOURCE', 'TAGS', 'STATUS', 'DOCUMENTS', 'FAILED', 'NEXT SYNC (UTC)'];

const connectionRow = ({
  id,
  provider,
  containerTags = [],
  status,
  progress,
  nextSyncAt,
}: ShownConnection): string[] => [
  id,
  provider,
  withoutControls(containerTags.join(', ')),
  status ?? '',
  `${progress?.done ?? 0} of ${progress?.found ?? 0}`,
  String(progress?.failed ?? 0),
  nextSyncAt?.slice(0, 16).replace('T', ' ') ?? '',
];

const nothingListed = (tags: readonly string[], { invocation }: Host): string =>
  tags.length === 0
    ? `There is no connection yet. ${invocation} connections add --help shows how to make one.`
    : `There is no connection under ${tags.join(', ')}. Without --tag, ${invocation} connections list shows all.`;

const printConnections =
  ({ tag }: ListOptions) =>
  async ({ client, print, host }: CommandWork): Promise<void> => {
    const { alignedTable } = await import('../../output/layout.ts');
    const all = await client.call(listConnections, tag === undefined ? {} : { containerTags: tag });
    const problems = all.flatMap(({ id, problem, lastSyncRun }) => {
      const text = problem ?? (lastSyncRun?.status === 'failed' ? lastSyncRun.error : undefined);
      return text ? [withoutControls(`${id}: ${text}`)] : [];
    });
    const lines =
      all.length === 0
        ? [nothingListed(tag ?? [], host)]
        : [...alignedTable([HEAD, ...all.map(connectionRow)]), ...problems];
    print.answer(all, lines);
  };

export const connectionsListCommand = (connections: Command, host: Host): void => {
  const command = connections
    .command('list')
    .summary('list connections')
    .description('Lists the connections with what they are doing, and what waits for a person.')
    .addOption(tagOption('only connections of this container tag'));
  examples(withCommon(command), ['memoir connections list']).action((options: ListOptions) =>
    withClient(options, host, printConnections(options)),
  );
};

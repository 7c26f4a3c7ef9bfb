// memoir connections runs and problems: what happened, and what could not be read.
import type { Command } from 'commander';
import { connectionItems } from '../../../../tools/connections/items.ts';
import { connectionRuns } from '../../../../tools/connections/runs.ts';
import { type CommandWork, withClient } from '../../command.ts';
import type { Host } from '../../host.ts';
import { type CommonOptions, examples, withCommon } from '../../options.ts';
import { withoutControls } from '../../output/text.ts';

const HEAD = ['STARTED (UTC)', 'BY', 'STATUS', 'ADDED', 'UPDATED', 'REMOVED', 'FAILED', 'REQUESTS'];

const printRuns = async ({ client, print }: CommandWork, id: string): Promise<void> => {
  const { alignedTable } = await import('../../output/layout.ts');
  const runs = await client.call(connectionRuns, { connectionId: id });
  const rows = runs.map((run) => [
    run.startedAt.slice(0, 19).replace('T', ' '),
    run.triggerType,
    run.status,
    ...[run.itemsAdded, run.itemsUpdated, run.itemsRemoved, run.itemsFailed, run.requests].map(String),
  ]);
  const failures = runs.flatMap(({ error }) => (error === null ? [] : [withoutControls(error)]));
  print.answer(
    runs,
    rows.length === 0
      ? ['It has not looked yet.']
      : [...alignedTable([HEAD, ...rows]), ...failures.slice(0, 1)],
  );
};

const printProblems = async ({ client, print }: CommandWork, id: string): Promise<void> => {
  const [failed, skipped, excluded] = await Promise.all(
    (['failed', 'skipped', 'excluded'] as const).map((state) =>
      client.call(connectionItems, { connectionId: id, state }),
    ),
  );
  const all = [...(failed ?? []), ...(skipped ?? []), ...(excluded ?? [])];
  const line = ({ id: item, state, error, title }: (typeof all)[number]): string =>
    withoutControls(
      `${state}  ${item}  ${error ?? (state === 'excluded' ? `${title ?? item} was deleted here.` : '')}`,
    );
  print.answer(all, all.length === 0 ? ['No item failed, was skipped or was deleted here.'] : all.map(line));
};

export const connectionsHistoryCommands = (connections: Command, host: Host): void => {
  for (const { name, summary, description, work } of [
    {
      name: 'runs',
      summary: 'list the runs of a connection',
      description:
        'Lists the 50 newest runs of a connection with the number of documents that each added, updated and removed, and of its failures.',
      work: printRuns,
    },
    {
      name: 'problems',
      summary: 'list what was not read, with the reasons',
      description:
        'Lists the items of a connection that failed, were skipped or were deleted in Memoir, each with its id and the reason.',
      work: printProblems,
    },
  ]) {
    const command = connections
      .command(name)
      .argument('<id>', 'the id of the connection, as memoir connections list shows it')
      .summary(summary)
      .description(description);
    examples(withCommon(command), [`memoir connections ${name} 8Zk3vQm1TfYc7RnWdP2xLs`]).action(
      (id: string, options: CommonOptions) => withClient(options, host, (each) => work(each, id)),
    );
  }
};

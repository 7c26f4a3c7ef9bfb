// memoir connections choose, sync, pause, resume, accept, include and remove.
import type { Command } from 'commander';
import { acceptConnectionRemovals } from '../../../../tools/connections/accept-removals.ts';
import { configureConnection } from '../../../../tools/connections/configure.ts';
import { deleteConnection } from '../../../../tools/connections/delete.ts';
import { getConnection } from '../../../../tools/connections/get-by-id.ts';
import { importConnections } from '../../../../tools/connections/import.ts';
import { includeConnectionItems } from '../../../../tools/connections/include.ts';
import { pauseConnection } from '../../../../tools/connections/pause.ts';
import { connectionResources } from '../../../../tools/connections/resources.ts';
import { resumeConnection } from '../../../../tools/connections/resume.ts';
import { plural } from '../../../lib/text/plural.ts';
import { type CommandWork, withClient } from '../../command.ts';
import { CommandFailure } from '../../failure.ts';
import type { Host } from '../../host.ts';
import { type CommonOptions, examples, withCommon } from '../../options.ts';
import { withoutControls } from '../../output/text.ts';
import { followSync, progressLine } from './follow.ts';

const ID = 'the id of the connection, as memoir connections list shows it';

interface IdCommand {
  readonly name: string;
  readonly summary: string;
  readonly description: string;
}

/** Adds a command that takes nothing but the id of a connection. */
const idCommand = (
  connections: Command,
  host: Host,
  { name, summary, description }: IdCommand,
  work: (work: CommandWork, id: string) => Promise<void>,
): void => {
  const command = connections.command(name).argument('<id>', ID).summary(summary).description(description);
  const example = `memoir connections ${name} 8Zk3vQm1TfYc7RnWdP2xLs`;
  examples(withCommon(command), [example]).action((id: string, options: CommonOptions) =>
    withClient(options, host, (each) => work(each, id)),
  );
};

/** The command that ends such a state. */
const WAY_ON: Readonly<Record<string, string>> = {
  waiting: 'reauthorize',
  signed_out: 'reauthorize',
  choosing: 'choose',
  paused: 'resume',
  held: 'accept',
};

const doesNotSync = (status: string, id: string, { invocation }: Host): string => {
  const way = WAY_ON[status];
  const next = way === undefined ? '' : ` Go on with: ${invocation} connections ${way} ${id}`;
  return `The connection is ${status}, so it does not sync.${next}`;
};

const syncNow = async (work: CommandWork, id: string): Promise<void> => {
  const { client, print } = work;
  const before = await client.call(getConnection, { connection: id });
  const last = Date.parse(before.lastSyncRun?.startedAt ?? '') || 0;
  await client.call(importConnections, {
    provider: before.provider,
    ...(before.containerTags === undefined ? {} : { containerTags: before.containerTags }),
  });
  const connection = await followSync(work, { id, since: last + 1 });
  if (connection.status !== 'active')
    throw new CommandFailure(connection.problem ?? doesNotSync(connection.status ?? 'gone', id, work.host));
  const failure = connection.lastSyncRun?.status === 'failed' ? connection.lastSyncRun.error : null;
  if (failure) throw new CommandFailure(withoutControls(failure));
  print.answer(connection, [progressLine(connection, null)]);
};

const PAGE = 100;

interface ChooseOptions extends CommonOptions {
  parent?: string;
}

type ChoiceOfList = Readonly<Record<string, unknown>>;

const everyResource = async (
  { client }: CommandWork,
  id: string,
  parent: string | undefined,
): Promise<ChoiceOfList[]> => {
  const all: ChoiceOfList[] = [];
  for (let page = 1; ; page += 1) {
    const { resources } = await client.call(connectionResources, {
      ...{ connectionId: id, page, per_page: PAGE },
      ...(parent === undefined ? {} : { parent_id: parent }),
    });
    all.push(...resources);
    if (resources.length < PAGE) return all;
  }
};

/** The name of a repository lacks its owner. */
const choiceText = ({ path, full_name: fullName, name }: ChoiceOfList): string =>
  String(path ?? fullName ?? name);

/** Without numbers it lists what can be chosen; with numbers or paths it saves the choice. */
const chooseContent = async (
  work: CommandWork,
  id: string,
  wanted: readonly string[],
  { parent }: ChooseOptions,
): Promise<void> => {
  const { client, print, host } = work;
  const resources = await everyResource(work, id, parent);
  if (wanted.length === 0) {
    const lines = resources.map((each, at) =>
      withoutControls(
        `${String(at + 1).padStart(3)} ${each.selected === true ? '✓' : ' '} ${choiceText(each)}  (${each.id})`,
      ),
    );
    print.answer(resources, [
      ...lines,
      `Choose by number or path: ${host.invocation} connections choose ${id} 1 3`,
    ]);
    return;
  }
  const chosen = wanted.map((wish) => {
    const found = /^\d+$/.test(wish)
      ? resources[Number(wish) - 1]
      : resources.find((each) => choiceText(each) === wish || each.id === wish);
    if (found === undefined)
      throw new CommandFailure(
        `${wish} is neither a number of the list nor a path in it. It is shown by: ${host.invocation} connections choose ${id}`,
      );
    return found;
  });
  const answer = await client.call(configureConnection, { connectionId: id, resources: chosen });
  print.answer(answer, [answer.message]);
};

const simpleCommands = (connections: Command, host: Host): void => {
  idCommand(
    connections,
    host,
    {
      name: 'sync',
      summary: 'sync now, and follow it',
      description:
        'Syncs a connection now, and shows the progress until its documents can be found. If this command is stopped, a running server still finishes.',
    },
    syncNow,
  );
  for (const { operation, said, ...command } of [
    {
      name: 'pause',
      operation: pauseConnection,
      summary: 'stop syncing until it is resumed',
      description:
        'Stops a connection: Memoir asks the source nothing until it is resumed. The documents stay and can be found.',
      said: 'is paused',
    },
    {
      name: 'resume',
      operation: resumeConnection,
      summary: 'go on with a paused connection',
      description:
        'Goes on with a paused connection: it looks at the source at once, and by its schedule from then on.',
      said: 'goes on',
    },
    {
      name: 'accept',
      operation: acceptConnectionRemovals,
      summary: 'agree that many documents are removed',
      description:
        'Agrees to a large removal. When a source no longer shows more than 20 documents of a connection, and more than half of them, nothing is removed and the connection is held, because the source may be at fault. After this command the next sync removes what the source does not show.',
      said: 'removes what the next look does not show',
    },
  ])
    idCommand(connections, host, command, async ({ client, print }, id) => {
      const connection = await client.call(operation, { connectionId: id });
      print.answer(connection, [`${connection.provider} ${id} ${said}.`]);
    });
};

export const connectionsChangeCommands = (connections: Command, host: Host): void => {
  const choosing = connections
    .command('choose')
    .argument('<id>', ID)
    .argument('[what...]', 'numbers of the list, or paths')
    .summary('list what can be chosen, and choose')
    .description(
      'Chooses what a connection syncs, such as folders or repositories. Without numbers or paths it lists what can be chosen, with a number for each.',
    )
    .option('--parent <id>', 'list what is inside this folder');
  examples(withCommon(choosing), [
    'memoir connections choose 8Zk3vQm1TfYc7RnWdP2xLs',
    'memoir connections choose 8Zk3vQm1TfYc7RnWdP2xLs 1 3',
  ]).action((id: string, wanted: string[], options: ChooseOptions) =>
    withClient(options, host, (work) => chooseContent(work, id, wanted, options)),
  );
  simpleCommands(connections, host);
  const including = connections
    .command('include')
    .argument('<id>', ID)
    .argument('<item...>', 'the ids of items, as memoir connections problems shows them')
    .summary('bring back what was deleted here, and read failed items again')
    .description(
      'Reads the named items of a source again: those that failed, and those whose documents were deleted in Memoir and would not come back by themselves.',
    );
  examples(withCommon(including), [
    'memoir connections include 8Zk3vQm1TfYc7RnWdP2xLs s3://papers/a.pdf',
  ]).action((id: string, items: string[], options: CommonOptions) =>
    withClient(options, host, async ({ client, print }) => {
      const answer = await client.call(includeConnectionItems, { connectionId: id, items });
      print.answer(answer, [`${plural(answer.included, 'item')} will be read again.`]);
    }),
  );
  const removing = connections
    .command('remove')
    .argument('<id>', ID)
    .summary('remove a connection with its documents')
    .description(
      'Removes a connection and the documents that came from it. At the source nothing is deleted; the access that a sign-in gave is ended there.',
    )
    .option('--keep-documents', 'keep its documents');
  examples(withCommon(removing), [
    'memoir connections remove 8Zk3vQm1TfYc7RnWdP2xLs --keep-documents',
  ]).action((id: string, options: CommonOptions & { keepDocuments?: true }) =>
    withClient(options, host, async ({ client, print }) => {
      const kept = options.keepDocuments === true;
      const answer = await client.call(deleteConnection, { connection: id, deleteDocuments: !kept });
      print.answer(answer, [
        kept
          ? 'The connection was removed; its documents stay.'
          : 'The connection was removed, with the documents that no other connection brings.',
      ]);
    }),
  );
};

// The sign-in of a connection, which a person makes in a browser, and memoir connections reauthorize.
import type { Command } from 'commander';
import type { z } from 'zod';
import type { createConnection } from '../../../../tools/connections/create.ts';
import { reauthorizeConnection } from '../../../../tools/connections/reauthorize.ts';
import { type CommandWork, withClient } from '../../command.ts';
import type { Host } from '../../host.ts';
import { type CommonOptions, examples, withCommon } from '../../options.ts';
import { withoutControls } from '../../output/text.ts';
import { followSync, progressLine, type WaitingStatus } from './follow.ts';
import {
  explainingOptions,
  readSourceOptions,
  type SourceOptions,
  withSourceOptions,
} from './source-options.ts';

type Created = z.output<typeof createConnection.output>;

export interface WaitOption {
  wait: boolean;
}

export const withWait = (command: Command): Command =>
  command.option('--no-wait', 'only print the link to sign in, and wait for nothing');

/** The clocks of this machine and of the server may differ. */
const CLOCKS_MS = 60_000;

const FOR_SIGN_IN =
  'Waiting for the sign-in; the link holds for an hour. Ctrl+C ends the waiting and nothing else.';

const waitingNotes = (id: string, { invocation }: Host): Record<WaitingStatus, string> => ({
  waiting: FOR_SIGN_IN,
  signed_out: FOR_SIGN_IN,
  choosing: `Choose in the browser what it syncs, or press Ctrl+C and run ${invocation} connections choose ${id}.`,
});

/** The link for the browser; then the connection is followed until its documents can be found. */
export const followSignIn = async (
  work: CommandWork,
  created: Created,
  { began, wait }: WaitOption & { began: number },
): Promise<void> => {
  const { print, host } = work;
  const { id, authLink } = created;
  if (!wait) {
    const next = `${host.invocation} connections list shows what it does.`;
    print.answer(created, authLink ? [authLink, `After the sign-in, ${next}`] : [`${id}: ${next}`]);
    return;
  }
  if (authLink) print.note(`Open this address and grant access:\n${authLink}`);
  const notes = waitingNotes(id, host);
  const connection = await followSync(work, {
    ...{ id, since: began - CLOCKS_MS },
    // Without a link nobody can sign in, so the state of the connection is the answer.
    ...(authLink ? { onWaiting: (status: WaitingStatus) => print.note(notes[status]) } : {}),
  });
  const { problem, lastSyncRun } = connection;
  const trouble = problem ?? (lastSyncRun?.status === 'failed' ? lastSyncRun.error : null);
  print.answer(connection, [
    `${id}  ${progressLine(connection, null)}`,
    ...(trouble ? [withoutControls(trouble)] : []),
    ...(connection.status === 'choosing'
      ? [`Choose what it syncs: ${host.invocation} connections choose ${id}`]
      : []),
  ]);
};

interface ReauthorizeOptions extends CommonOptions, SourceOptions, WaitOption {}

const reauthorize = async (work: CommandWork, id: string, options: ReauthorizeOptions): Promise<void> => {
  const began = Date.now();
  const given = await readSourceOptions(options);
  const created = await explainingOptions(
    work.client.call(reauthorizeConnection, { connectionId: id, ...given }),
  );
  await followSignIn(work, created, { began, wait: options.wait });
};

export const connectionsReauthorizeCommand = (connections: Command, host: Host): void => {
  const command = connections
    .command('reauthorize')
    .argument('<id>', 'the id of the connection, as memoir connections list shows it')
    .summary('sign in again, or give new secrets')
    .description(
      'Prints a new link to sign in with the same account, or takes new secrets for a source without a sign-in, and follows the next sync.',
    );
  withWait(withSourceOptions(command));
  examples(withCommon(command), [
    'memoir connections reauthorize 8Zk3vQm1TfYc7RnWdP2xLs',
    'memoir connections reauthorize 8Zk3vQm1TfYc7RnWdP2xLs --secrets keys.txt',
  ]).action((id: string, options: ReauthorizeOptions) =>
    withClient(options, host, (work) => reauthorize(work, id, options)),
  );
};

// memoir connections hook: the webhook that a person sets up at the source, step by step.
import type { Command } from 'commander';
import type { z } from 'zod';
import { makeConnectionHook } from '../../../../tools/hooks/make.ts';
import { readConnectionHook } from '../../../../tools/hooks/read.ts';
import { type CommandWork, withClient } from '../../command.ts';
import { CommandFailure } from '../../failure.ts';
import type { Host } from '../../host.ts';
import { type CommonOptions, examples, withCommon } from '../../options.ts';
import { withoutControls } from '../../output/text.ts';

interface HookOptions extends CommonOptions {
  readonly new?: boolean;
}

type ShownHook = z.output<typeof readConnectionHook.output>;

const isNotFound = (error: unknown): boolean => error instanceof CommandFailure && error.facts.status === 404;

/** Null: there is none yet. */
const readHook = async ({ client }: CommandWork, connectionId: string): Promise<ShownHook | null> => {
  try {
    return await client.call(readConnectionHook, { connectionId });
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
};

const hookLines = ({ state, url, verificationToken }: ShownHook, again: string): string[] => {
  if (url !== undefined)
    return [withoutControls(url), `Paste this address at the source; it is shown once. Then: ${again}`];
  if (state === 'verify')
    return [withoutControls(verificationToken ?? ''), 'Paste this verification token at the source.'];
  return state === 'alive'
    ? ['The source calls when something changes.']
    : [`The source has not called yet. Another address: ${again} --new`];
};

const showHook = async (
  work: CommandWork,
  connectionId: string,
  { new: isNew }: HookOptions,
): Promise<void> => {
  const { client, print, host } = work;
  const known = isNew === true ? null : await readHook(work, connectionId);
  const hook = known ?? (await client.call(makeConnectionHook, { connectionId }));
  print.answer(hook, hookLines(hook, `${host.invocation} connections hook ${connectionId}`));
};

export const connectionsHookCommand = (connections: Command, host: Host): void => {
  const command = connections
    .command('hook')
    .argument('<id>', 'the id of the connection, as memoir connections list shows it')
    .summary('set up the webhook of Notion')
    .description(
      'Sets up the webhook of Notion, by which changes follow within seconds: first it shows the address to enter at Notion, and when it is called again the verification token.',
    )
    .option('--new', 'make another address; the former one stops working');
  examples(withCommon(command), ['memoir connections hook 8Zk3vQm1TfYc7RnWdP2xLs']).action(
    (id: string, options: HookOptions) => withClient(options, host, (work) => showHook(work, id, options)),
  );
};

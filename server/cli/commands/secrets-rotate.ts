// memoir secrets rotate: encrypts the stored secrets with a new key.
import type { Command } from 'commander';
import { rotateSecrets } from '../../../tools/secrets/rotate.ts';
import { type CommandWork, withClient } from '../command.ts';
import { CommandFailure } from '../failure.ts';
import type { Host } from '../host.ts';
import { type CommonOptions, examples, withCommon } from '../options.ts';

const rotateAll = async ({ client, print }: CommandWork): Promise<void> => {
  const rotated = await client.call(rotateSecrets, {});
  const { keyChanged, sealed, unchanged, unreadable } = rotated;
  if (unreadable.length > 0)
    throw new CommandFailure(
      `No known key opens ${unreadable.join(', ')}. Name the former key in MEMOIR_SECRET_KEY_PREVIOUS and run this again, or enter these secrets again.`,
      { facts: rotated },
    );
  print.answer(rotated, [
    keyChanged
      ? 'The key in the data folder was changed; secret.key.previous holds the former one until the next change.'
      : 'MEMOIR_SECRET_KEY holds the key. To change it: set the new key there and the former one in MEMOIR_SECRET_KEY_PREVIOUS, restart, and run this again.',
    `${sealed} secrets were encrypted with the present key, ${unchanged} needed no change.`,
    ...(keyChanged ? [] : ['MEMOIR_SECRET_KEY_PREVIOUS is not needed any more.']),
  ]);
};

export const secretsRotateCommand = (secrets: Command, host: Host): void => {
  const command = secrets
    .command('rotate')
    .summary('encrypt the stored secrets with a new key')
    .description(
      'Changes the key in the data folder, or takes over the one of MEMOIR_SECRET_KEY, and encrypts the secrets of settings and connections with it. Each stays readable at every moment.',
    );
  examples(withCommon(command), ['memoir secrets rotate']).action((options: CommonOptions) =>
    withClient(options, host, rotateAll),
  );
};

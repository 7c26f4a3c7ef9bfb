// memoir compact: rewrites the database without free space and without leftovers of erased text.

import type { Command } from 'commander';
import type { z } from 'zod';
import { compactStorage } from '../../../tools/storage/compact.ts';
import { storageStatus } from '../../../tools/storage/status.ts';
import { pause } from '../../lib/async/wait.ts';
import { type CommandWork, withClient } from '../command.ts';
import { CommandFailure } from '../failure.ts';
import type { Host } from '../host.ts';
import { type CommonOptions, examples, withCommon } from '../options.ts';

type Storage = z.output<typeof storageStatus.output>;

const POLL_MS = 250;

const STEPS: Readonly<Record<NonNullable<Storage['compacting']>['step'], string>> = {
  erasing: 'Erasing what was deleted',
  copying: 'Copying the database',
  replacing: 'Replacing the database with the copy',
};

const compactingText = ({ step, done, total }: NonNullable<Storage['compacting']>): string =>
  step === 'erasing'
    ? `${STEPS[step]} …`
    : `${STEPS[step]}: ${total === 0 ? 100 : Math.floor((done / total) * 100)} % …`;

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

const compactAll = async ({ client, print }: CommandWork): Promise<void> => {
  const before = await client.call(storageStatus, {});
  let now = await client.call(compactStorage, {});
  if (now.elsewhere)
    return print.answer(now, [
      'Asked the workers to compact. This server only answers requests, so it cannot say when they are done; a failure stands in their logs.',
    ]);
  while (now.compacting !== null) {
    print.progress(compactingText(now.compacting));
    await pause(POLL_MS);
    now = await client.call(storageStatus, {});
  }
  if (now.trouble !== null) throw new CommandFailure(now.trouble, { facts: now });
  print.answer(now, [
    `Done: the database takes ${megabytes(now.bytes)}, before it took ${megabytes(before.bytes)}.`,
  ]);
};

export const compactCommand = (program: Command, host: Host): void => {
  const command = program
    .command('compact')
    .summary('give free space back to the disk')
    .description(
      'Erases what was deleted, then rewrites the database without free space and without leftovers of erased text. Searches and reads go on meanwhile; writes wait until it is done. Needs free disk space of about twice the size of the database. If this command is stopped, a running server still finishes.',
    );
  examples(withCommon(command), ['memoir compact', 'memoir compact --json']).action(
    (options: CommonOptions) => withClient(options, host, compactAll),
  );
};

// memoir secrets forget: gives up the stored secrets that no known key opens, so that a server can start without them.
import type { Command } from 'commander';
import { openFolderOrServer } from '../connection/folder-access.ts';
import type { Host } from '../host.ts';
import { examples, withFolder } from '../options.ts';
import { createPrint } from '../output/print.ts';

interface ForgetOptions {
  json?: true;
  dataDir?: string;
}

const NOTHING = 'Nothing was given up: the key opens every stored secret.';

const forgetSecrets = async ({ json, dataDir }: ForgetOptions, host: Host): Promise<void> => {
  const print = createPrint(json === true);
  const plan = host.plan({ quiet: true, ...(dataDir === undefined ? {} : { dataDir }) });
  let forgotten: readonly string[] = [];
  const givenUp = (secrets: readonly string[]): void => {
    forgotten = secrets;
  };
  const turn = await openFolderOrServer({ ...plan, open: () => plan.open({ givenUp }) }, host, print);
  // A server that runs has a key that opens every secret.
  if ('memoir' in turn) await turn.memoir.close();
  print.answer(
    { forgotten },
    forgotten.length === 0
      ? [NOTHING]
      : [
          `Given up: ${forgotten.join(', ')}.`,
          'Enter the secrets of the settings again, and sign in to these connections again with "memoir connections reauthorize".',
        ],
  );
};

export const secretsForgetCommand = (secrets: Command, host: Host): void => {
  const command = secrets
    .command('forget')
    .summary('give up the stored secrets whose key was lost')
    .description(
      'Gives up the secrets of settings and connections that no known key opens, after their key was lost. Until then the server does not start. Documents stay, and so do secrets that a known key opens.',
    );
  examples(withFolder(command), ['memoir secrets forget']).action((options: ForgetOptions) =>
    forgetSecrets(options, host),
  );
};

// memoir migrate-store: moves everything that is stored to another database.
import type { Command } from 'commander';
import { misused } from '../failure.ts';
import type { Host } from '../host.ts';
import { examples, withFolder } from '../options.ts';
import { createPrint } from '../output/print.ts';

interface MigrateStoreOptions {
  to?: string;
  cancel?: true;
  dataDir?: string;
  json?: true;
}

const chosen = ({ to, cancel }: MigrateStoreOptions): string | null => {
  if ((to === undefined) === (cancel === undefined))
    throw misused(
      'Say where the store should move: --to postgres://memoir@db.example.org/memoir, or --to sqlite. With --cancel alone a store that was moved is opened again.',
    );
  return to ?? null;
};

const runMigrateStore = async (options: MigrateStoreOptions, host: Host): Promise<void> => {
  const print = createPrint(options.json === true);
  const to = chosen(options);
  const moves = host.storeMoves(options.dataDir === undefined ? {} : { dataDir: options.dataDir });
  if (to === null) {
    const { place } = await moves.cancel();
    print.answer({ cancelled: true, place }, [`The store is open again in ${place}.`]);
    return;
  }
  const moved = await moves.move(to, print);
  const rows = moved.tables.reduce((sum, table) => sum + table.rows, 0);
  print.answer(moved, [
    `Moved: ${rows.toLocaleString('en')} rows in ${moved.tables.length} tables, compared row by row, are the same in ${moved.to}.`,
    'Start Memoir from now on with:',
    ...moved.settings.map((setting) => `  ${setting}`),
    `Nothing was changed in ${moved.from}, which is not served any more. "memoir migrate-store --cancel" opens it again; delete it when nothing is missing.`,
  ]);
};

export const migrateStoreCommand = (program: Command, host: Host): void => {
  const command = program
    .command('migrate-store')
    .summary('move everything that is stored to another database')
    .description(
      'Copies the store from the data folder to a PostgreSQL, or back, while a server works on it. When everything is copied it asks you to stop the server, compares both databases row by row and switches. A command that was interrupted goes on where it was when it is run again. Uploaded files stay where they are.',
    )
    .option(
      '--to <database>',
      'the address of a PostgreSQL, as in postgres://memoir@db.example.org/memoir (a password may stand in PGPASSWORD); or sqlite, for the data folder',
    )
    .option(
      '--cancel',
      'open the store of the settings again after it was moved, or while a move has not ended',
    );
  examples(withFolder(command), [
    'memoir migrate-store --to postgres://memoir@db.example.org/memoir',
    'memoir migrate-store --to sqlite --data-dir /var/lib/memoir',
    'memoir migrate-store --cancel',
  ]).action((options: MigrateStoreOptions) => runMigrateStore(options, host));
};

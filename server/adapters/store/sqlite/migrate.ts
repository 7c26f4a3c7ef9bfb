// Numbered forward migrations. A database newer than this program is refused.
import { rollbackQuietly, type SqliteConnection } from './connection.ts';
import { init } from './migrations/001-init.ts';
import { memories } from './migrations/002-memories.ts';
import { changes } from './migrations/003-changes.ts';
import { layout } from './migrations/004-layout.ts';
import { tagRecords } from './migrations/005-tag-records.ts';
import { processing } from './migrations/006-processing.ts';
import { versions } from './migrations/007-versions.ts';
import { files } from './migrations/008-files.ts';
import { threads } from './migrations/009-threads.ts';

import { facts } from './migrations/010-facts.ts';
import { namelessThreads } from './migrations/011-nameless-threads.ts';
import { grants } from './migrations/012-grants.ts';

const all: readonly string[] = [
  init,
  memories,
  changes,
  layout,
  tagRecords,
  processing,
  versions,
  files,
  threads,
  facts,
  namelessThreads,
  grants,
];

export const migrate = (connection: SqliteConnection, migrations: readonly string[] = all): void => {
  const row = connection.prepare('pragma user_version').all([])[0];
  const version = Number(row?.user_version ?? 0);
  if (version > migrations.length)
    throw new Error(
      `This data folder was written by a newer Memoir (schema ${version}, this one knows ${migrations.length}). ` +
        'Start the newer version, or give an older backup of the folder in MEMOIR_DATA_DIR.',
    );
  for (const [index, sql] of migrations.entries()) {
    if (index < version) continue;
    connection.exec('begin exclusive');
    try {
      connection.exec(sql);
      connection.exec(`pragma user_version = ${index + 1}`);
      connection.exec('commit');
    } catch (error) {
      rollbackQuietly(connection);
      throw new Error(`Migration ${index + 1} of the data folder failed; nothing was changed.`, {
        cause: error,
      });
    }
  }
};

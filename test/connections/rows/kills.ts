// A server that is killed at random moments of a first sync ends with the same documents as an undisturbed one.

import { chanceOf } from '../../adapters/store/contract/chance.ts';
import { until } from '../../crash/api.ts';
import { count } from '../../crash/sql.ts';
import { disagreement } from '../../crash/uploads.ts';
import { timePasses } from '../../support/until.ts';
import { differenceOf, fillDrive, storedUnder } from '../support/contents.ts';
import {
  connectDrive,
  runsOf,
  type SyncedServer,
  shown,
  startSyncedServer,
  synced,
} from '../support/synced-server.ts';
import { atMost, type ConnectionRow, exactly, type Figure, seen } from './row.ts';

const TAG = 'killed';
const PARALLEL = 8;
const LONGEST_DELAY_MS = 400;

const readsOf = ({ drive }: SyncedServer): number =>
  drive.requests.filter(({ url }) => url.searchParams.get('alt') === 'media').length;

const takenItems = ({ read }: SyncedServer): number =>
  read((query) => count(query, "select count(*) as n from connection_items where state = 'taken'"));

/** Kills it when so many files were read, at a random moment after that. */
const killAfter = async (server: SyncedServer, reads: number, delayMs: number): Promise<void> => {
  await until(`read ${reads} of the drive`, 600_000, async () => readsOf(server) >= reads);
  await timePasses(delayMs, 'the server dies at a moment that the drive does not show');
  await server.kill();
  await server.start();
};

export const kills: ConnectionRow = {
  name: 'kills',
  requirements: [3],
  async run({ files, folders, kills: most }, say) {
    await using server = await startSyncedServer();
    const chance = chanceOf(20_261_125);
    const filled = fillDrive(server.drive, { files, folders });
    const moments = Array.from({ length: most }, () => chance.below(Math.floor(files * 0.95))).sort(
      (a, b) => a - b,
    );
    const id = await connectDrive(server, TAG);
    for (const [at, reads] of moments.entries()) {
      await killAfter(server, reads, chance.below(LONGEST_DELAY_MS));
      say(`Kill ${at + 1} of ${most}: ${takenItems(server)} of ${files} files were taken.`);
    }
    const run = await synced(server, id);
    const { progress } = await shown(server, id);
    const difference = differenceOf(storedUnder(server, TAG), filled.expectedUnder(TAG));
    await until(
      'files of nobody to be erased',
      60_000,
      async () => disagreement(server.folder) === null,
    ).catch(() => undefined);
    const figures: Figure[] = [
      seen('kills', moments.length),
      exactly('documents done', progress.done, files),
      exactly(
        'missing, foreign or doubled',
        JSON.stringify(difference),
        '{"missing":0,"foreign":0,"doubled":0}',
      ),
      exactly('loose files', disagreement(server.folder) ?? 'none', 'none'),
      atMost('reads', readsOf(server), files + most * PARALLEL),
      exactly('runs', (await runsOf(server, id)).length, 1),
      exactly('end of the run', run.status, 'completed'),
      exactly(
        'failed documents',
        server.read((query) => count(query, "select count(*) as n from documents where step = 'failed'")),
        0,
      ),
    ];
    return figures;
  },
};

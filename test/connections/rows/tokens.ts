// Access tokens that end in the middle of a sync, refresh tokens that are replaced, and a kill between the two.

import { until } from '../../crash/api.ts';
import { count } from '../../crash/sql.ts';
import { differenceOf, fillDrive, storedUnder } from '../support/contents.ts';
import {
  connectDrive,
  type SyncedServer,
  shown,
  startSyncedServer,
  synced,
} from '../support/synced-server.ts';
import { type ConnectionRow, exactly, type Figure } from './row.ts';

const TAG = 'tokens';

const secretOf = ({ read }: SyncedServer): string =>
  read((query) => String(query('select sealed from connection_secrets')[0]?.sealed));

const isRead = (url: URL): boolean => url.searchParams.get('alt') === 'media';

/** The token of every so many reads ends. Resolves with the times that it ended. */
const endTokens = ({ drive, google }: SyncedServer, every: number): (() => number) => {
  let [reads, ends] = [0, 0];
  drive.addFault(({ url }) => {
    if (isRead(url) && ++reads % every === 0) {
      google.expireAccess();
      ends += 1;
    }
    return undefined;
  });
  return () => ends;
};

/** The first use of each new access token: true if the secret that was stored before it is another one by then. */
const watchUses = (server: SyncedServer): (() => { uses: number; unstored: number }) => {
  const known = new Set<string>();
  const counts = { uses: 0, unstored: 0 };
  let stored = '';
  server.drive.addFault(({ headers }) => {
    const token = headers.authorization ?? '';
    if (known.has(token)) return undefined;
    known.add(token);
    if (known.size === 1) {
      stored = '';
      return undefined;
    }
    const now = secretOf(server);
    counts.uses += 1;
    if (now === stored) counts.unstored += 1;
    stored = now;
    return undefined;
  });
  return () => counts;
};

/** Kills the server when it uses a renewed token for the first time: the refresh token that came with it must be there. */
const killAtRenewal = async (server: SyncedServer): Promise<void> => {
  const { google, drive } = server;
  const before = google.refreshes();
  google.expireAccess();
  let used = false;
  const end = drive.addFault(() => {
    if (google.refreshes() === before) return undefined;
    used = true;
    return new Promise<never>(() => undefined);
  });
  // Asked for after the end of the token, so that the look needs another one however fast the look before was.
  await server.ask('POST', '/v3/connections/google-drive/import', { containerTags: [TAG] });
  await until('the use of a renewed token', 60_000, async () => used);
  await server.kill();
  end();
  await server.start();
};

export const tokens: ConnectionRow = {
  name: 'tokens',
  requirements: [4],
  async run({ files, folders, kills }, say) {
    const size = Math.ceil(files / 4);
    const every = Math.min(500, Math.ceil(size / 3));
    await using server = await startSyncedServer();
    const filled = fillDrive(server.drive, { files: size, folders });
    server.google.rotate();
    const uses = watchUses(server);
    const ends = endTokens(server, every);
    const id = await connectDrive(server, TAG);
    const run = await synced(server, id);
    const [ended, refreshes] = [ends(), server.google.refreshes()];
    const difference = differenceOf(storedUnder(server, TAG), filled.expectedUnder(TAG));
    server.drive.clearFaults();
    say('Now it is killed between a renewal and its first use.');
    const renewals = Math.ceil(kills / 4);
    for (let n = 0; n < renewals; n++) {
      server.drive.edit(filled.files[n] ?? '', `Another text ${n}.`);
      await killAtRenewal(server);
    }
    await until('the sync after the kills', 120_000, async () => {
      const { status, lastSyncRun } = await shown(server, id);
      return status !== 'active' || lastSyncRun?.status === 'completed';
    });
    const { status, progress } = await shown(server, id);
    const figures: Figure[] = [
      exactly('documents done', progress.done, size),
      exactly(
        'missing, foreign or doubled',
        JSON.stringify(difference),
        '{"missing":0,"foreign":0,"doubled":0}',
      ),
      exactly('end of the run', run.status, 'completed'),
      // The first token of a process is got by a refresh as well.
      exactly(`refreshes for ${ended} ends and one start`, refreshes, ended + 1),
      exactly(
        `tokens of ${uses().uses} that were used before their refresh token was stored`,
        uses().unstored,
        0,
      ),
      exactly(`status after ${renewals} kills at the first use of a renewed token`, status, 'active'),
      exactly(
        'sign-ins that were lost',
        server.read((query) =>
          count(query, "select count(*) as n from connections where state = 'signed_out'"),
        ),
        0,
      ),
    ];
    return figures;
  },
};

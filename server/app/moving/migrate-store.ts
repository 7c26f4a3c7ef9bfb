// memoir migrate-store: opens both databases, copies while the store is in use, waits until it is at rest, and switches.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { TableCopy } from '../../adapters/store/moving/copy-table.ts';
import {
  cancelMove,
  claimTarget,
  copyStore,
  differencesIn,
  switchStore,
} from '../../adapters/store/moving/move-store.ts';
import type { MovingSide } from '../../adapters/store/moving/moving-side.ts';
import { openSqliteSide } from '../../adapters/store/moving/sqlite-side.ts';
import { postgresAddress } from '../../config/settings/database.ts';
import { badRequest, MemoirError } from '../../core/errors.ts';
import { pause } from '../../lib/async/wait.ts';
import { checkDatabase } from '../data-folder/check-database.ts';
import { type DataFolder, databaseFile, isDataFolder, openDataFolder } from '../data-folder/data-folder.ts';

/** The part of the settings that says where the store is. */
export interface StorePlace {
  readonly dataDir: string;
  readonly database: { readonly directUrl: string } | null;
}

export interface MoveTold {
  note(text: string): void;
  progress(text: string): void;
}

export interface StoreMoved {
  readonly from: string;
  readonly to: string;
  readonly tables: readonly Pick<TableCopy, 'table' | 'rows'>[];
  /** The beginning of the digest of each table, the same on both sides. */
  readonly digests: Readonly<Record<string, string>>;
  /** The settings with which the next start finds the store, without secrets. */
  readonly settings: readonly string[];
}

interface Switched {
  readonly source: MovingSide;
  readonly target: MovingSide;
  readonly copies: readonly TableCopy[];
}

/** The word for the embedded database in `--to`. */
export const EMBEDDED = 'sqlite';
const IS_POSTGRES = /^postgres(?:ql)?:\/\//;
const WAIT_MS = 500;
const CONFLICT = 409;
const DIGEST_SHOWN = 16;

/** The driver of PostgreSQL is loaded where it is used. */
const openPostgres = async (url: string): Promise<MovingSide> =>
  (await import('../../adapters/store/moving/postgres-side.ts')).openPostgresSide(url);

/** Null: another process has the folder. */
const takeFolder = (dataDir: string): DataFolder | null => {
  try {
    return openDataFolder(dataDir);
  } catch (error) {
    if (error instanceof MemoirError && error.status === CONFLICT) return null;
    throw error;
  }
};

/** A database of a move: in use at first, and then at rest until it is closed. */
interface Place {
  open(): Promise<MovingSide>;
  /** Waits until nobody works on it; the answer replaces the first side. */
  atRest(side: MovingSide, waits: (users: string) => Promise<void>): Promise<MovingSide>;
  close(): void;
}

const embeddedPlace = (dataDir: string): Place => {
  const file = databaseFile(dataDir);
  let folder: DataFolder | null = null;
  return {
    async open() {
      folder = takeFolder(dataDir);
      if (folder === null && !existsSync(file))
        throw badRequest(
          `A server uses the data folder ${dataDir}, so the store cannot move there. Nothing was changed. Stop that server first, or name another folder with --data-dir.`,
        );
      return openSqliteSide(file, { shared: folder === null });
    },
    async atRest(side, waits) {
      if (folder !== null) return side;
      for (folder = takeFolder(dataDir); folder === null; folder = takeFolder(dataDir))
        await waits(`the server on ${dataDir}`);
      await side.close();
      return openSqliteSide(file, { shared: false });
    },
    close: () => folder?.close(),
  };
};

const postgresPlace = (url: string): Place => ({
  open: () => openPostgres(url),
  async atRest(side, waits) {
    for (let users = await side.users(); users.length > 0; users = await side.users())
      await waits(users.join(', '));
    return side;
  },
  close: () => undefined,
});

const placeOfStore = ({ dataDir, database }: StorePlace): Place => {
  if (database !== null) return postgresPlace(database.directUrl);
  if (!isDataFolder(dataDir) || !existsSync(databaseFile(dataDir)))
    throw badRequest(
      `There is no Memoir in ${dataDir}. Name its folder with --data-dir or MEMOIR_DATA_DIR, or its database with MEMOIR_DATABASE_URL.`,
    );
  checkDatabase(dataDir);
  return embeddedPlace(dataDir);
};

const placeOfTarget = ({ dataDir, database }: StorePlace, to: string): Place => {
  if (IS_POSTGRES.test(to) && database === null) return postgresPlace(postgresAddress(to));
  if (to === EMBEDDED && database !== null) return embeddedPlace(dataDir);
  if (IS_POSTGRES.test(to))
    throw badRequest(
      'The store is in a PostgreSQL already. To take it to another one, use pg_dump and pg_restore; to take it back to a data folder, use --to sqlite.',
    );
  throw badRequest(
    to === EMBEDDED
      ? 'The store is in the data folder already. --to takes the address of a PostgreSQL here, as in postgres://memoir@db.example.org/memoir.'
      : `--to takes the address of a PostgreSQL, as in postgres://memoir@db.example.org/memoir, or the word sqlite, not ${JSON.stringify(to)}.`,
  );
};

const settingsAfter = ({ dataDir }: StorePlace, to: string): readonly string[] => {
  if (to === EMBEDDED)
    return [`MEMOIR_DATA_DIR=${dataDir}`, 'MEMOIR_SECRET_KEY as before', 'without MEMOIR_DATABASE_URL'];
  const key = join(dataDir, 'secret.key');
  return [
    'MEMOIR_DATABASE_URL with the address that you gave here',
    existsSync(key)
      ? `MEMOIR_SECRET_KEY_FILE=${key} (on other machines: a copy of that file)`
      : 'MEMOIR_SECRET_KEY as before, or with at least 32 characters that stay the same',
    'CHROMA_URL with the address of a Chroma server; the first start fills it',
  ];
};

/** Copies while the store is in use, again and again until nobody uses it. */
const settle = async (
  place: Place,
  sides: { source: MovingSide; target: MovingSide; looked: (table: string, rows: number) => void },
  { note }: MoveTold,
): Promise<MovingSide> => {
  let isTold = false;
  return place.atRest(sides.source, async (users) => {
    const copies = await copyStore(sides);
    if (!isTold)
      note(
        `Everything is copied that was there. Stop ${users} now: what it writes until then is copied too, and then the store is switched.`,
      );
    isTold = true;
    if (differencesIn(copies) === 0) await pause(WAIT_MS);
  });
};

const refuseUsers =
  (advice: string) =>
  async (users: string): Promise<never> => {
    throw badRequest(`${advice} (${users}). Nothing was changed. Stop that first.`);
  };

const movedStore = (store: StorePlace, to: string, { source, target, copies }: Switched): StoreMoved => ({
  from: source.place,
  to: target.place,
  tables: copies.map(({ table, rows }) => ({ table, rows })),
  digests: Object.fromEntries(
    copies.map(({ table, digests }) => [table, digests.source.slice(0, DIGEST_SHOWN)]),
  ),
  settings: settingsAfter(store, to),
});

export const migrateStore = async (store: StorePlace, to: string, told: MoveTold): Promise<StoreMoved> => {
  const [from, into] = [placeOfStore(store), placeOfTarget(store, to)];
  const looked = (table: string, rows: number): void => told.progress(`${table}: ${rows} rows …`);
  let [source, target]: (MovingSide | null)[] = [null, null];
  try {
    source = await from.open();
    target = await into.open();
    target = await into.atRest(target, refuseUsers('The database that the store should move to is in use'));
    await claimTarget({ source, target }, Date.now());
    source = await settle(from, { source, target, looked }, told);
    const copies = await switchStore({ source, target, looked }, Date.now());
    return movedStore(store, to, { source, target, copies });
  } finally {
    await source?.close();
    await target?.close();
    for (const place of [from, into]) place.close();
  }
};

/** Opens the store again that the settings name. */
export const cancelStoreMove = async (store: StorePlace): Promise<{ readonly place: string }> => {
  const place = placeOfStore(store);
  const side = await place.atRest(
    await place.open(),
    refuseUsers('The store is in use, so that no move closed it'),
  );
  try {
    await cancelMove(side);
    return { place: side.place };
  } finally {
    await side.close();
    place.close();
  }
};

// The models in a folder of this machine.
import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync, statfsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  filesOf,
  folderNameOf,
  installedModelIn,
  keepMostTokens,
  modelInUse,
  ownRowsIn,
  pathOfModel,
  recordInstalled,
  removeModel,
  useModel,
} from '../../lib/models/model-folder.ts';
import type { ModelRow } from '../../lib/models/model-row.ts';
import { catalogue } from './catalogue.ts';
import { diskFailure, downloadFile, sha256OfFile } from './download.ts';
import { ModelFailure } from './failure.ts';
import { installRuntime } from './install-runtime.ts';
import type { InstallProgress, ListedModel, ModelLibrary } from './port.ts';

export interface LibraryOptions {
  readonly folder: string;
  /** The address of the hub. */
  readonly hub: string;
  /** The address of the repositories of languages of OCR. */
  readonly languageHub: string;
}

interface Installation extends LibraryOptions {
  readonly row: ModelRow;
  /** A folder with the files; null: they are downloaded. */
  readonly from: string | null;
  readonly progress: (progress: InstallProgress) => void;
  readonly signal: AbortSignal;
}

const MEGABYTE = 1_000_000;

/** The files of a model that is not complete yet. Downloaded files stay for the next attempt, and never mix with copied ones. */
const incomingPath = ({ folder, row, from }: Installation): string =>
  `${pathOfModel(folder, row.name)}.${from === null ? 'incoming' : 'copy'}`;

const requireRoom = ({ folder, row }: Installation): void => {
  const { bavail, bsize } = statfsSync(folder);
  const free = (bavail * bsize) / MEGABYTE;
  if (free > row.megabytes * 1.1) return;
  throw new ModelFailure(
    `The model ${row.name} needs ${row.megabytes} MB, and the disk of ${folder} has ${Math.floor(free)} MB left. Free some space and run the command again.`,
  );
};

/** The folder itself, a folder of models with one of this name, or a data folder. */
const sourceFolder = (from: string, row: ModelRow): string => {
  const name = folderNameOf(row.name);
  const places = [from, join(from, name), join(from, 'models', name)];
  const found = places.find((place) => filesOf(row).every((file) => existsSync(join(place, file))));
  if (found !== undefined) return found;
  throw new ModelFailure(
    `${from} does not hold the files of the model ${row.name}: ${filesOf(row).join(', ')}. Name the folder that holds them.`,
  );
};

const copyFiles = (installation: Installation, from: string, incoming: string): void => {
  const { row, progress } = installation;
  const source = sourceFolder(from, row);
  let bytes = 0;
  for (const file of filesOf(row)) {
    const path = join(incoming, file);
    mkdirSync(dirname(path), { recursive: true });
    try {
      copyFileSync(join(source, file), path);
    } catch (error) {
      throw diskFailure(error, path) ?? error;
    }
    bytes += statSync(path).size;
    progress({ step: 'model', bytes, total: null });
  }
};

const hubOf = ({ hub, languageHub, row }: Pick<Installation, 'hub' | 'languageHub' | 'row'>): string =>
  row.for === 'ocr' ? languageHub : hub;

const hubAddress = (installation: Installation, file: string): string => {
  const { hub: repository, revision, name, for: purpose } = installation.row;
  if (repository === null)
    throw new ModelFailure(
      `The row of the model ${name} names no repository of a hub. Install its files with --from <folder>.`,
    );
  return `${hubOf(installation)}/${repository}/${purpose === 'ocr' ? 'raw' : 'resolve'}/${revision}/${file}`;
};

const downloadFiles = async (installation: Installation, incoming: string): Promise<void> => {
  const { row, signal, progress } = installation;
  const all = row.megabytes * MEGABYTE;
  let before = 0;
  for (const file of filesOf(row)) {
    const path = join(incoming, file);
    // A complete file of an interrupted installation.
    if (!existsSync(path))
      await downloadFile({
        url: hubAddress(installation, file),
        path,
        signal,
        progress: (bytes) =>
          progress({ step: 'model', bytes: before + bytes, total: Math.max(all, before + bytes) }),
      });
    before += statSync(path).size;
  }
};

/** Compares with the hashes that are known: those of the row, and those of an earlier installation. */
const checkedHashes = async (
  { folder, row }: Installation,
  incoming: string,
): Promise<Record<string, string>> => {
  const former = installedModelIn(folder, row.name)?.files ?? {};
  const hashes: Record<string, string> = {};
  for (const file of filesOf(row)) {
    const found = await sha256OfFile(join(incoming, file));
    const known = row.sha256[file] ?? former[file];
    if (known !== undefined && known !== found) {
      rmSync(incoming, { recursive: true, force: true });
      throw new ModelFailure(
        `${file} of the model ${row.name} is another file than expected: its SHA-256 is ${found} and not ${known}. Nothing was installed. If the change is intended, remove the model first ("memoir models remove ${row.name}").`,
      );
    }
    hashes[file] = found;
  }
  return hashes;
};

const installFiles = async (installation: Installation): Promise<void> => {
  const { folder, row, from, progress, signal } = installation;
  const incoming = incomingPath(installation);
  if (from !== null) rmSync(incoming, { recursive: true, force: true });
  mkdirSync(incoming, { recursive: true, mode: 0o700 });
  requireRoom(installation);
  if (from === null) await downloadFiles(installation, incoming);
  else copyFiles(installation, from, incoming);
  const files = await checkedHashes(installation, incoming);
  if (row.for !== 'ocr') {
    progress({ step: 'runtime', bytes: 0, total: null });
    await installRuntime(folder, from, signal);
  }
  const source = from ?? `${hubOf(installation)}/${row.hub ?? ''}`;
  recordInstalled(incoming, { row, files, installedAt: new Date().toISOString(), source });
  removeModel(folder, row.name);
  renameSync(incoming, pathOfModel(folder, row.name));
};

export const createModelLibrary = ({ folder, hub, languageHub }: LibraryOptions): ModelLibrary => ({
  list() {
    const listed = (row: ModelRow, isOwn: boolean): ListedModel => {
      const installed = installedModelIn(folder, row.name);
      return { row: installed?.row ?? row, isOwn, installed };
    };
    const own = ownRowsIn(folder);
    const others = catalogue().filter(({ name }) => own.every((one) => one.name !== name));
    return [...others.map((row) => listed(row, false)), ...own.map((row) => listed(row, true))];
  },
  install: (row, from, progress, signal) =>
    installFiles({ folder, hub, languageHub, row, from, progress, signal }),
  remove: (name) => removeModel(folder, name),
  inUse: (purpose) => modelInUse(folder, purpose),
  use: (purpose, name) => useModel(folder, purpose, name),
  keepMostTokens: (name, mostTokens) => keepMostTokens(folder, name, mostTokens),
});

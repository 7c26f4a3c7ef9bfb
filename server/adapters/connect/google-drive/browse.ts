// The choice in Google Drive: My Drive, the shared drives, and what others shared, folder by folder.
import type { Resource } from '../port.ts';
import { SourceError } from '../source-error.ts';
import { ACCOUNT } from './cursor.ts';
import { type DriveApi, queryText } from './drive-api.ts';
import { type DriveFile, FOLDER_TYPE } from './files.ts';
import { isShortcut } from './selection.ts';

const SHARED_WITH_ME = 'shared-with-me';
const MOST_OF_GOOGLE = 1000;

/** A shortcut is chosen as what it leads to. */
const asResource = (file: DriveFile, driveNames: ReadonlyMap<string, string>): Resource => {
  const type = file.shortcutDetails?.targetMimeType ?? file.mimeType;
  const folder = type === FOLDER_TYPE;
  const { driveId } = file;
  return {
    id: isShortcut(file) ? (file.shortcutDetails?.targetId ?? file.id) : file.id,
    name: file.name,
    kind: folder ? 'folder' : 'file',
    hasChildren: folder,
    selectable: true,
    ...(driveId === undefined ? {} : { how: { drive: driveId, driveName: driveNames.get(driveId) ?? '' } }),
  };
};

const namesOfDrives = async (api: DriveApi): Promise<Map<string, string>> =>
  new Map((await api.sharedDrives()).map(({ id, name }) => [id, name]));

const topLevel = async (api: DriveApi): Promise<Resource[]> => {
  const [root, drives] = await Promise.all([api.file('root'), api.sharedDrives()]);
  const own: Resource[] =
    root === null
      ? []
      : [{ id: root.id, name: 'My Drive', kind: 'my_drive', hasChildren: true, selectable: true }];
  return [
    ...own,
    ...drives.map(
      ({ id, name }): Resource => ({
        ...{ id, name, kind: 'drive', hasChildren: true, selectable: true },
        how: { drive: id, driveName: name },
      }),
    ),
    { id: SHARED_WITH_ME, name: 'Shared with me', kind: 'group', hasChildren: true, selectable: false },
  ];
};

/** Google has page tokens and no numbers of pages, so the pages before are asked for too. */
const firstFiles = async (
  api: DriveApi,
  { q, most, drive }: { q: string; most: number; drive: string },
): Promise<{ files: DriveFile[]; complete: boolean }> => {
  const files: DriveFile[] = [];
  let page: string | null = null;
  do {
    const size = Math.min(MOST_OF_GOOGLE, most - files.length);
    const list = await api.list({ q, drive, page, size, orderBy: 'folder,name_natural', anywhere: true });
    files.push(...list.files);
    page = list.nextPageToken ?? null;
  } while (page !== null && files.length < most);
  return { files, complete: page === null };
};

export interface PageOfResources {
  readonly resources: readonly Resource[];
  readonly total?: number;
}

export const browseDrive = async (
  api: DriveApi,
  parent: string | null,
  page: number,
  perPage: number,
): Promise<PageOfResources> => {
  const from = (page - 1) * perPage;
  if (parent === null) {
    const all = await topLevel(api);
    return { resources: all.slice(from, from + perPage), total: all.length };
  }
  const names = await namesOfDrives(api);
  const q = parent === SHARED_WITH_ME ? 'sharedWithMe = true' : `${queryText(parent)} in parents`;
  const drive = names.has(parent) ? parent : ((await driveOfFolder(api, parent)) ?? ACCOUNT);
  const { files, complete } = await firstFiles(api, {
    q: `${q} and trashed = false`,
    most: from + perPage,
    drive,
  });
  return {
    resources: files.slice(from, from + perPage).map((file) => asResource(file, names)),
    ...(complete ? { total: files.length } : {}),
  };
};

const driveOfFolder = async (api: DriveApi, id: string): Promise<string | undefined> => {
  if (id === SHARED_WITH_ME) return undefined;
  const folder = await api.file(id);
  if (folder !== null) return folder.driveId;
  throw new SourceError(
    'not_found',
    'This folder is not in Google Drive, or not visible to the account. Choose another one, or share it with the account.',
  );
};

export const findInDrive = async (api: DriveApi, words: string, most: number): Promise<Resource[]> => {
  const q = `name contains ${queryText(words)} and trashed = false`;
  const { files } = await firstFiles(api, { q, most, drive: ACCOUNT });
  const names = await namesOfDrives(api);
  return files.map((file) => asResource(file, names));
};

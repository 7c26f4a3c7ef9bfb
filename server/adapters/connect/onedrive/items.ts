// The items of a drive: what is shown of them, and which ones are not read.
import { extname } from 'node:path';
import { z } from 'zod';
import type { Seen, Skip } from '../port.ts';

const MOST_FILE_BYTES = 50 * 1024 * 1024;

const HASHES = z
  .object({
    quickXorHash: z.string().nullish(),
    sha1Hash: z.string().nullish(),
    sha256Hash: z.string().nullish(),
  })
  .nullish();
const FILE = z.object({ mimeType: z.string().nullish(), hashes: HASHES }).nullish();
const PARENT = z.object({ id: z.string().nullish(), driveId: z.string().nullish() }).nullish();
/** Present or not: its fields say nothing that is needed. */
const FACET = z.object({}).loose().nullish();

export const DRIVE_ITEM = z.object({
  id: z.string(),
  name: z.string().nullish(),
  size: z.number().nullish(),
  webUrl: z.string().nullish(),
  cTag: z.string().nullish(),
  lastModifiedDateTime: z.string().nullish(),
  lastModifiedBy: z.object({ user: z.object({ displayName: z.string().nullish() }).nullish() }).nullish(),
  ...{ file: FILE, folder: FACET, root: FACET, deleted: FACET, malware: FACET },
  package: FACET,
  parentReference: PARENT,
  remoteItem: z
    .object({
      id: z.string(),
      ...{ file: FILE, folder: FACET, package: FACET, size: z.number().nullish(), parentReference: PARENT },
    })
    .nullish(),
});
export type DriveItem = z.output<typeof DRIVE_ITEM>;

export const ITEM_FIELDS =
  'id,name,size,webUrl,cTag,lastModifiedDateTime,lastModifiedBy,file,folder,root,deleted,malware,package,parentReference,remoteItem';

/** The item that a reading needs: the item itself, or the one to which a shortcut leads. */
export const DRIVE_HOW = z.object({ drive: z.string(), item: z.string(), mimeType: z.string().nullable() });

export interface ListedDrive {
  readonly id: string;
  readonly name: string;
  readonly site: string | null;
  /** The id of its top folder; null until the listing has shown it. */
  readonly root: string | null;
}

/** Ids are those of a drive, so the drive is a part of them; its top folder has one that is known before it is listed. */
export const itemId = (drive: string, item: string): string => `${drive}/${item}`;
export const rootId = (drive: string): string => itemId(drive, 'root');
export const driveOf = (id: string): string => id.slice(0, id.indexOf('/'));

/** The mark of the content alone: the eTag also changes when an item is shared. */
const contentMark = (item: DriveItem): string => {
  const { hashes } = item.remoteItem?.file ?? item.file ?? {};
  const hash = hashes?.quickXorHash ?? hashes?.sha256Hash ?? hashes?.sha1Hash;
  const size = item.remoteItem?.size ?? item.size ?? 0;
  return hash ? `${hash}:${size}` : `${item.cTag ?? item.lastModifiedDateTime ?? ''}:${size}`;
};

const reasonNotRead = (item: DriveItem, name: string): Skip | null => {
  const { remoteItem, malware } = item;
  const size = remoteItem?.size ?? item.size ?? 0;
  if (malware != null)
    return { code: 'malware', message: `Microsoft found malware in ${name}, so it is not read.` };
  if (item.package != null || remoteItem?.package != null)
    return { code: 'type', message: `${name} is a notebook or another package, which is not read.` };
  if (remoteItem?.folder != null)
    return {
      code: 'shared_folder',
      message: `${name} is a folder of another drive. Choose it there to read it.`,
    };
  if (size === 0) return { code: 'empty', message: `${name} is empty.` };
  if (size <= MOST_FILE_BYTES) return null;
  return { code: 'size', message: `${name} is larger than 50 MiB, so it is not read.` };
};

const driveItemMetadata = (item: DriveItem, drive: ListedDrive): Record<string, string> => {
  const editor = item.lastModifiedBy?.user?.displayName;
  return {
    driveName: drive.name,
    ...(drive.site === null ? {} : { siteName: drive.site }),
    ...(item.lastModifiedDateTime ? { modifiedTime: item.lastModifiedDateTime } : {}),
    ...(editor ? { lastModifiedBy: editor } : {}),
  };
};

const parentItemId = (item: DriveItem, drive: ListedDrive): string | undefined => {
  const parent = item.parentReference?.id;
  if (!parent) return undefined;
  return parent === drive.root ? rootId(drive.id) : itemId(drive.id, parent);
};

export const seenItem = (item: DriveItem, drive: ListedDrive): Seen => {
  if (item.root != null)
    return {
      ...{ id: rootId(drive.id), kind: 'folder', mark: '' },
      face: { title: drive.name, metadata: {} },
    };
  const id = itemId(drive.id, item.id);
  const name = item.name ?? 'Untitled';
  const parent = parentItemId(item, drive);
  const below = parent === undefined ? {} : { parent };
  if (item.deleted != null) return { id, kind: 'gone', mark: '', face: { title: name, metadata: {} } };
  if (item.folder != null)
    return { ...{ id, kind: 'folder', mark: '', ...below }, face: { title: name, metadata: {} } };
  const edited = Date.parse(item.lastModifiedDateTime ?? '');
  const skip = reasonNotRead(item, name);
  const { remoteItem } = item;
  return {
    ...{ id, kind: 'file', mark: contentMark(item), bytes: remoteItem?.size ?? item.size ?? 0, ...below },
    face: {
      ...{ title: name, type: 'onedrive', metadata: driveItemMetadata(item, drive) },
      ...(item.webUrl ? { url: item.webUrl } : {}),
      ...(Number.isNaN(edited) ? {} : { editedAt: edited }),
    },
    how: {
      drive: remoteItem?.parentReference?.driveId ?? drive.id,
      item: remoteItem?.id ?? item.id,
      mimeType: remoteItem?.file?.mimeType ?? item.file?.mimeType ?? null,
    },
    ...(skip === null ? {} : { skip }),
  };
};

/** Old formats of Office that are read as the PDF that Microsoft makes of them. */
const CONVERTED = new Set(['.ppt', '.pps', '.pot', '.xls']);

export const isReadAsPdf = (name: string): boolean => CONVERTED.has(extname(name).toLowerCase());

// Files of Google Drive as items: what is read of each type, and what is left out.
import { z } from 'zod';
import { defined } from '../../../lib/defined.ts';
import type { Face, Seen, Skip } from '../port.ts';

export const FOLDER_TYPE = 'application/vnd.google-apps.folder';
export const SHORTCUT_TYPE = 'application/vnd.google-apps.shortcut';

/** The fields that are asked for with every file. */
export const FILE_FIELDS =
  'id,name,mimeType,parents,trashed,driveId,modifiedTime,size,md5Checksum,sha256Checksum,webViewLink,owners(emailAddress,displayName),capabilities(canDownload),shortcutDetails(targetId,targetMimeType)';

export const driveFile = z.object({
  id: z.string(),
  name: z.string().default(''),
  mimeType: z.string().default('application/octet-stream'),
  parents: z.array(z.string()).default([]),
  trashed: z.boolean().default(false),
  driveId: z.string().optional(),
  modifiedTime: z.string().optional(),
  size: z.string().optional(),
  md5Checksum: z.string().optional(),
  sha256Checksum: z.string().optional(),
  webViewLink: z.string().optional(),
  owners: z
    .array(z.object({ emailAddress: z.string().optional(), displayName: z.string().optional() }))
    .default([]),
  capabilities: z.object({ canDownload: z.boolean().default(true) }).default({ canDownload: true }),
  shortcutDetails: z.object({ targetId: z.string(), targetMimeType: z.string().optional() }).optional(),
});
export type DriveFile = z.infer<typeof driveFile>;

const GOOGLE = 'application/vnd.google-apps.';
const OFFICE = 'application/vnd.openxmlformats-officedocument.';

export interface Export {
  readonly mimeType: string;
  readonly ending: string;
}

interface NativeType {
  readonly documentType?: string;
  readonly exported: Export;
}

/** The native types that are read, by the format that keeps the most of them. */
const NATIVE: Readonly<Record<string, NativeType>> = {
  document: {
    documentType: 'google_doc',
    exported: { mimeType: `${OFFICE}wordprocessingml.document`, ending: 'docx' },
  },
  spreadsheet: {
    documentType: 'google_sheet',
    exported: { mimeType: `${OFFICE}spreadsheetml.sheet`, ending: 'xlsx' },
  },
  presentation: {
    documentType: 'google_slide',
    exported: { mimeType: `${OFFICE}presentationml.presentation`, ending: 'pptx' },
  },
  drawing: { exported: { mimeType: 'image/png', ending: 'png' } },
};

const nativeType = (mimeType: string): NativeType | undefined =>
  mimeType.startsWith(GOOGLE) ? NATIVE[mimeType.slice(GOOGLE.length)] : undefined;

/** Undefined: the file is downloaded as it is. */
export const exportOf = (mimeType: string): Export | undefined => nativeType(mimeType)?.exported;

/** Formats without text: archives, programs, fonts and disk images. */
const WITHOUT_TEXT =
  /^(?:font\/|model\/|application\/(?:zip|gzip|java-archive|vnd\.rar|vnd\.android\.package-archive|x-(?:7z-compressed|apple-diskimage|bzip2?|gtar|iso9660-image|msdownload|rar(?:-compressed)?|tar|zip-compressed|font-\w+)))/;

export const MOST_BYTES = 50 * 1024 * 1024;

const driveSkip = ({ name, mimeType, size, capabilities }: DriveFile): Skip | undefined => {
  if (mimeType.startsWith(GOOGLE) && nativeType(mimeType) === undefined)
    return { code: 'type', message: `"${name}" is of the type ${mimeType}, which has no text to export.` };
  if (WITHOUT_TEXT.test(mimeType))
    return { code: 'type', message: `"${name}" is of the type ${mimeType}, which is not read.` };
  if (Number(size ?? 0) > MOST_BYTES) return { code: 'size', message: `"${name}" is larger than 50 MB.` };
  if (!capabilities.canDownload)
    return { code: 'no_download', message: `The owner of "${name}" does not allow downloads of it.` };
  return undefined;
};

/** The checksum of the bytes; native types have none, and their time of change moves with the content. */
const driveMark = ({ sha256Checksum, md5Checksum, modifiedTime = '', size = '' }: DriveFile): string =>
  sha256Checksum ?? md5Checksum ?? `${modifiedTime} ${size}`.trim();

const documentTypeOf = (mimeType: string): string | undefined =>
  mimeType === 'application/pdf' ? 'pdf' : nativeType(mimeType)?.documentType;

const driveFace = (file: DriveFile, driveName: string | undefined): Face => {
  const { name, mimeType, webViewLink: url, modifiedTime, owners } = file;
  const owner = owners[0]?.emailAddress ?? owners[0]?.displayName;
  const editedAt = Date.parse(modifiedTime ?? '');
  return {
    title: name,
    ...defined({ url, type: documentTypeOf(mimeType) }),
    ...(Number.isNaN(editedAt) ? {} : { editedAt }),
    metadata: { mimeType, ...defined({ owner, modifiedTime, driveName }) } as Face['metadata'],
  };
};

/** The target of a shortcut has the folder of the shortcut. */
export interface SeenPlace {
  readonly parent?: string | undefined;
  readonly driveName?: string | undefined;
}

export const seenFile = (file: DriveFile, { parent, driveName }: SeenPlace): Seen => {
  const { id, mimeType, size } = file;
  const folder = mimeType === FOLDER_TYPE;
  const skip = folder ? undefined : driveSkip(file);
  return {
    id,
    kind: folder ? 'folder' : 'file',
    ...(parent === undefined ? {} : { parent }),
    mark: folder ? '' : driveMark(file),
    face: driveFace(file, driveName),
    ...(size === undefined ? {} : { bytes: Number(size) }),
    ...(skip === undefined ? {} : { skip }),
    how: { mimeType },
  };
};

export const goneItem = (id: string): Seen => ({
  id,
  kind: 'gone',
  mark: '',
  face: { title: '', metadata: {} },
});

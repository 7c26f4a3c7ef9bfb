// The requests to Google Drive that a look and a picker make.
import { z } from 'zod';
import { createGoogleApi, type GoogleApi } from '../google/api.ts';
import type { Ask } from '../port.ts';
import { SourceError } from '../source-error.ts';
import { ACCOUNT } from './cursor.ts';
import { type DriveFile, driveFile, FILE_FIELDS } from './files.ts';

export const DRIVE_ADDRESS = 'https://www.googleapis.com/drive/v3';
const PAGE = 1000;

const fileList = z.object({
  files: z.array(driveFile).default([]),
  nextPageToken: z.string().optional(),
  incompleteSearch: z.boolean().default(false),
});
export type FileList = z.infer<typeof fileList>;

const change = z.object({
  changeType: z.string().default('file'),
  fileId: z.string().optional(),
  driveId: z.string().optional(),
  removed: z.boolean().default(false),
  file: driveFile.optional(),
});
export type DriveChange = z.infer<typeof change>;

const changeList = z.object({
  changes: z.array(change).default([]),
  nextPageToken: z.string().optional(),
  newStartPageToken: z.string().optional(),
});
export type ChangeList = z.infer<typeof changeList>;

const driveList = z.object({
  drives: z.array(z.object({ id: z.string(), name: z.string().default('') })).default([]),
  nextPageToken: z.string().optional(),
});

const startToken = z.object({ startPageToken: z.string() });

export interface FileQuery {
  readonly q: string;
  readonly drive: string;
  readonly page?: string | null;
  readonly size?: number;
  readonly orderBy?: string;
  /** Also what lies in shared drives, for a query that names folders. */
  readonly anywhere?: boolean;
}

export interface DriveApi {
  readonly call: GoogleApi;
  list(query: FileQuery): Promise<FileList>;
  changes(drive: string, page: string): Promise<ChangeList>;
  startToken(drive: string): Promise<string>;
  /** Null: it is not there for this account. */
  file(id: string): Promise<DriveFile | null>;
  sharedDrives(): Promise<{ id: string; name: string }[]>;
}

const BOTH_DRIVES = { supportsAllDrives: true } as const;

/** A drive by its id, or the account. */
const feedOf = (drive: string) => (drive === ACCOUNT ? {} : { driveId: drive });

const corporaOf = ({ drive, anywhere = false }: FileQuery) =>
  drive === ACCOUNT
    ? { corpora: 'user', includeItemsFromAllDrives: anywhere }
    : { corpora: 'drive', driveId: drive, includeItemsFromAllDrives: true };

const listSharedDrives = async (call: GoogleApi): Promise<{ id: string; name: string }[]> => {
  const found: { id: string; name: string }[] = [];
  let pageToken: string | undefined;
  do {
    const { drives, nextPageToken } = await call(
      '/drives',
      { pageSize: 100, pageToken },
      { shape: driveList, what: 'a list of shared drives' },
    );
    found.push(...drives);
    pageToken = nextPageToken;
  } while (pageToken !== undefined);
  return found;
};

export const createDriveApi = (ask: Ask, signal: AbortSignal): DriveApi => {
  const call = createGoogleApi(ask, DRIVE_ADDRESS, signal);
  return {
    call,
    list: (query) =>
      call(
        '/files',
        {
          ...BOTH_DRIVES,
          ...corporaOf(query),
          ...{
            q: query.q,
            spaces: 'drive',
            pageSize: query.size ?? PAGE,
            pageToken: query.page ?? undefined,
          },
          orderBy: query.orderBy,
          fields: `nextPageToken,incompleteSearch,files(${FILE_FIELDS})`,
        },
        { shape: fileList, what: 'a list of files' },
      ),
    changes: (drive, pageToken) =>
      call(
        '/changes',
        {
          ...BOTH_DRIVES,
          ...feedOf(drive),
          ...{ pageToken, pageSize: PAGE, spaces: 'drive' },
          ...{ includeItemsFromAllDrives: true, includeRemoved: true },
          fields: `nextPageToken,newStartPageToken,changes(changeType,fileId,driveId,removed,file(${FILE_FIELDS}))`,
        },
        { shape: changeList, what: 'a list of changes' },
      ),
    startToken: async (drive) =>
      (
        await call(
          '/changes/startPageToken',
          { ...BOTH_DRIVES, ...feedOf(drive) },
          { shape: startToken, what: 'a place in the changes' },
        )
      ).startPageToken,
    async file(id) {
      try {
        return await call(
          `/files/${encodeURIComponent(id)}`,
          { ...BOTH_DRIVES, fields: FILE_FIELDS },
          { shape: driveFile, what: 'a file', template: '/files/{id}' },
        );
      } catch (error) {
        if (error instanceof SourceError && error.code === 'not_found') return null;
        throw error;
      }
    },
    sharedDrives: () => listSharedDrives(call),
  };
};

/** In a query, within quotes. */
export const queryText = (text: string): string => `'${text.replace(/['\\]/g, '\\$&')}'`;

// Google Drive on loopback: files, folders, shared drives, shortcuts, the change feeds, export and channels.
import { randomUUID } from 'node:crypto';
import type { drive_v3 } from '@googleapis/drive';
import {
  callChannel,
  createDriveActions,
  emptyModel,
  existing,
  isNative,
  isTrashed,
  type Model,
  type NewFile,
  type Stored,
} from './google/drive-model.ts';
import { queryTest } from './google/drive-query.ts';
import { googleError, invalidCredentials, notFound } from './google/errors.ts';
import { selectFields } from './google/fields.ts';
import {
  type FakeAnswer,
  type FakeRequest,
  type FakeServer,
  startFakeServer,
} from './support/fake-server.ts';
import type { HookCalls } from './support/hook-calls.ts';

type File = drive_v3.Schema$File;

const MOST_EXPORTED = 10 * 1024 * 1024;

export interface FakeDrive extends FakeServer {
  /** The id of the folder that the account sees as My Drive. */
  readonly root: string;
  readonly file: (id: string) => File;
  addFolder(name: string, parent?: string): string;
  addFile(name: string, content: string | Buffer, more?: NewFile): string;
  addShortcut(name: string, target: string, parent?: string): string;
  /** Returns the id of the drive, which is that of its folder too. */
  addDrive(name: string): string;
  removeDrive(id: string): void;
  edit(id: string, content: string | Buffer): void;
  change(id: string, fields: Partial<File>): void;
  move(id: string, parent: string): void;
  trash(id: string): void;
  restore(id: string): void;
  /** For good, or out of what the account may see. */
  remove(id: string): void;
  /** Changes without an entry in the feed, as what happens between listing and reading. */
  editSilently(id: string, content: string): void;
  /** All page tokens given so far are refused. */
  forgetCursors(): void;
  readonly channels: ReadonlyMap<string, drive_v3.Schema$Channel>;
  readonly hookCalls: HookCalls;
}

const shown = (model: Model, file: File): File => ({ ...file, trashed: isTrashed(model, file) });

const pageOf = <T>(
  all: readonly T[],
  token: string | null,
  size: number,
): { some: readonly T[]; next: string | undefined } => {
  const from = Number(token?.split('.')[1] ?? 0);
  const to = from + size;
  return { some: all.slice(from, to), next: to < all.length ? String(to) : undefined };
};

const isKnownToken = ({ epoch }: Model, token: string | null): boolean =>
  token === null || Number(token.split('.')[0]) === epoch;

const tokenError = googleError(400, 'invalid', 'Invalid Value', 'pageToken');

const listFiles = (model: Model, query: URLSearchParams): FakeAnswer => {
  const token = query.get('pageToken');
  if (!isKnownToken(model, token)) return tokenError;
  const driveId = query.get('driveId');
  const matches = queryTest(query.get('q') ?? 'trashed = false');
  const all = [...model.stored.values()]
    .map(({ file }) => shown(model, file))
    .filter((file) => file.id !== model.root && !model.drives.has(file.id ?? ''))
    .filter((file) => (driveId === null ? true : file.driveId === driveId))
    .filter(
      (file) =>
        query.get('corpora') !== 'user' ||
        file.driveId === undefined ||
        query.get('includeItemsFromAllDrives') === 'true',
    )
    .filter(matches);
  const { some, next } = pageOf(
    all,
    token,
    Math.min(Number(query.get('pageSize') ?? 100), model.mostPerPage),
  );
  const answer: drive_v3.Schema$FileList = {
    kind: 'drive#fileList',
    incompleteSearch: false,
    files: [...some],
    ...(next === undefined ? {} : { nextPageToken: `${model.epoch}.${next}` }),
  };
  return {
    body: selectFields(
      answer,
      query.get('fields'),
      'nextPageToken,incompleteSearch,files(id,name,mimeType,kind)',
    ),
  };
};

const startToken = (model: Model, query: URLSearchParams): FakeAnswer => {
  const feed = model.feeds.get(query.get('driveId') ?? '');
  const body: drive_v3.Schema$StartPageToken = { startPageToken: `${model.epoch}.${feed?.length ?? 0}` };
  return feed === undefined ? notFound(query.get('driveId') ?? '') : { body };
};

const listChanges = (model: Model, query: URLSearchParams): FakeAnswer => {
  const token = query.get('pageToken');
  if (token === null || !isKnownToken(model, token)) return tokenError;
  const feed = model.feeds.get(query.get('driveId') ?? '');
  if (feed === undefined) return notFound(query.get('driveId') ?? '');
  const { some, next } = pageOf(
    feed,
    token,
    Math.min(Number(query.get('pageSize') ?? 100), model.mostPerPage),
  );
  const changes = some.map((change) => {
    const file = model.stored.get(change.fileId ?? '')?.file;
    if (change.changeType === 'drive') return change;
    return file === undefined ? { ...change, removed: true } : { ...change, file: shown(model, file) };
  });
  const answer: drive_v3.Schema$ChangeList = {
    kind: 'drive#changeList',
    changes,
    ...(next === undefined
      ? { newStartPageToken: `${model.epoch}.${feed.length}` }
      : { nextPageToken: `${model.epoch}.${next}` }),
  };
  return {
    body: selectFields(
      answer,
      query.get('fields'),
      'kind,nextPageToken,newStartPageToken,changes(changeType,fileId,removed,file(id,name,mimeType))',
    ),
  };
};

const exportFile = ({ exports }: Stored, type: string): FakeAnswer => {
  const content = exports[type];
  if (content === undefined)
    return googleError(400, 'badRequest', 'The requested conversion is not supported.');
  if (Buffer.byteLength(content) > MOST_EXPORTED)
    return googleError(403, 'exportSizeLimitExceeded', 'This file is too large to be exported.');
  return { headers: { 'content-type': type }, body: Buffer.from(content) };
};

const getFile = (model: Model, id: string, query: URLSearchParams): FakeAnswer => {
  const stored = model.stored.get(id === 'root' ? model.root : id);
  if (stored === undefined) return notFound(id);
  const { file, content } = stored;
  if (query.get('alt') !== 'media')
    return { body: selectFields(shown(model, file), query.get('fields'), 'kind,id,name,mimeType') };
  if (isNative(file.mimeType ?? ''))
    return googleError(403, 'fileNotDownloadable', 'Only files with binary content can be downloaded.');
  if (file.capabilities?.canDownload === false)
    return googleError(403, 'cannotDownloadFile', 'This file cannot be downloaded by the user.');
  return { headers: { 'content-type': file.mimeType ?? 'application/octet-stream' }, body: content };
};

const openChannel = (model: Model, request: FakeRequest): FakeAnswer => {
  const asked = JSON.parse(request.body) as drive_v3.Schema$Channel;
  if (!(asked.address ?? '').startsWith('https://'))
    return googleError(400, 'push.webhookUrlNotHttps', 'WebHook callback must be HTTPS');
  const channel = { ...asked, kind: 'api#channel', resourceId: randomUUID() };
  model.channels.set(asked.id ?? '', channel);
  void callChannel(model, channel, 'sync');
  const { address: _, ...answer } = channel;
  return { body: answer };
};

const closeChannel = (model: Model, request: FakeRequest): FakeAnswer => {
  const { id = '' } = JSON.parse(request.body) as drive_v3.Schema$Channel;
  return model.channels.delete(id ?? '') ? { status: 204 } : notFound(id ?? '');
};

const aboutMe: drive_v3.Schema$About = {
  user: { kind: 'drive#user', emailAddress: 'ann@example.org', permissionId: '0815', displayName: 'Ann' },
};

const listDrives = ({ drives }: Model): FakeAnswer => {
  const answer: drive_v3.Schema$DriveList = { drives: [...drives].map(([id, name]) => ({ id, name })) };
  return { body: answer };
};

const routeDrive = (model: Model, request: FakeRequest): FakeAnswer => {
  const { pathname, searchParams: query } = request.url;
  const path = pathname.replace(/^\/drive\/v3/, '');
  const [, id = '', action] = /^\/files\/([^/]+)(\/export)?$/.exec(path) ?? [];
  if (path.startsWith('/export-link/')) {
    const [, file = '', type = ''] = /^\/export-link\/([^/]+)\/(.+)$/.exec(path) ?? [];
    return { body: Buffer.from(existing(model, file).exports[decodeURIComponent(type)] ?? '') };
  }
  if (path === '/about') return { body: selectFields(aboutMe, query.get('fields'), '*') };
  if (path === '/drives') return listDrives(model);
  if (path === '/files') return listFiles(model, query);
  if (path === '/changes/startPageToken') return startToken(model, query);
  if (path === '/changes') return listChanges(model, query);
  if (path === '/changes/watch') return openChannel(model, request);
  if (path === '/channels/stop') return closeChannel(model, request);
  if (id === '') return googleError(404, 'notFound', `No such path: ${path}`);
  if (action === undefined) return getFile(model, id, query);
  const stored = model.stored.get(id);
  return stored === undefined ? notFound(id) : exportFile(stored, query.get('mimeType') ?? '');
};

/** `accepts` decides about the token of a request. */
export const startFakeDrive = async (
  accepts: (token: string) => boolean = () => true,
  { mostPerPage = 1000 }: { mostPerPage?: number } = {},
): Promise<FakeDrive> => {
  const model = emptyModel(mostPerPage);
  const server = await startFakeServer((request) => {
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
    return token === undefined || !accepts(token) ? invalidCredentials : routeDrive(model, request);
  });
  return {
    ...server,
    ...createDriveActions(model),
    root: model.root,
    channels: model.channels,
    hookCalls: model.hookCalls,
    file: (id) => existing(model, id).file,
  };
};

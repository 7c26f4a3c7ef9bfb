// Google Drive on loopback: files, folders, shared drives, shortcuts, the change feeds, export and channels.
import { createHash, randomUUID } from 'node:crypto';
import type { drive_v3 } from '@googleapis/drive';
import { queryTest } from './google/drive-query.ts';
import { googleError, invalidCredentials, notFound } from './google/errors.ts';
import { selectFields } from './google/fields.ts';
import {
  type FakeAnswer,
  type FakeRequest,
  type FakeServer,
  startFakeServer,
} from './support/fake-server.ts';

type File = drive_v3.Schema$File;

export const FOLDER = 'application/vnd.google-apps.folder';
const SHORTCUT = 'application/vnd.google-apps.shortcut';
const MOST_EXPORTED = 10 * 1024 * 1024;

export interface NewFile {
  readonly parent?: string;
  readonly mimeType?: string;
  readonly driveId?: string;
  /** Of a native type: the content by the type of its export. */
  readonly exports?: Readonly<Record<string, string | Buffer>>;
  /** Further fields as Google names them. */
  readonly fields?: Partial<File>;
}

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
}

interface Stored {
  file: File;
  content: Buffer;
  exports: Readonly<Record<string, string | Buffer>>;
}

interface Model {
  readonly stored: Map<string, Stored>;
  readonly drives: Map<string, string>;
  /** By drive; '' is the feed of the account. */
  readonly feeds: Map<string, drive_v3.Schema$Change[]>;
  readonly channels: Map<string, drive_v3.Schema$Channel>;
  readonly root: string;
  /** Google may send fewer than asked for. */
  readonly mostPerPage: number;
  epoch: number;
  clock: number;
}

const sums = (content: Buffer): Partial<File> => ({
  size: String(content.length),
  md5Checksum: createHash('md5').update(content).digest('hex'),
  sha256Checksum: createHash('sha256').update(content).digest('hex'),
});

const isNative = (type: string): boolean => type.startsWith('application/vnd.google-apps.');

const typeOfName = (name: string): string => {
  const types: Record<string, string> = { md: 'text/markdown', txt: 'text/plain', pdf: 'application/pdf' };
  return types[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream';
};

const tick = (model: Model): string => {
  model.clock += 1000;
  return new Date(model.clock).toISOString();
};

/** The feed of the account shows everything that it opened; a shared drive has its own besides. */
const note = (model: Model, change: drive_v3.Schema$Change, driveId: string | null | undefined): void => {
  const entry = { kind: 'drive#change', time: new Date(model.clock).toISOString(), ...change };
  model.feeds.get(driveId ?? '')?.push(entry);
};

const noteFile = (model: Model, id: string): void => {
  const file = model.stored.get(id)?.file;
  note(model, { changeType: 'file', fileId: id, removed: false }, file?.driveId);
};

const existing = (model: Model, id: string): Stored => {
  const found = model.stored.get(id);
  if (found === undefined) throw new Error(`The fake drive has no file ${id}.`);
  return found;
};

/** A folder in the trash takes its files along, without an entry of their own in the feed. */
const isTrashed = (model: Model, file: File): boolean => {
  if (file.explicitlyTrashed === true) return true;
  const parent = model.stored.get(file.parents?.[0] ?? '');
  return parent !== undefined && isTrashed(model, parent.file);
};

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

const addStored = (model: Model, file: File, stored: Omit<Stored, 'file'>): string => {
  const id = randomUUID().replaceAll('-', '');
  const time = tick(model);
  const parent = model.stored.get(file.parents?.[0] ?? '')?.file;
  const driveId = file.driveId ?? parent?.driveId;
  const whole: File = {
    ...{
      kind: 'drive#file',
      id,
      trashed: false,
      explicitlyTrashed: false,
      createdTime: time,
      modifiedTime: time,
    },
    ...{ webViewLink: `https://drive.google.com/file/d/${id}/view`, capabilities: { canDownload: true } },
    ...{ owners: [{ emailAddress: 'ann@example.org', displayName: 'Ann' }], ...file },
    ...(driveId === undefined ? {} : { driveId }),
  };
  model.stored.set(id, { file: whole, ...stored });
  noteFile(model, id);
  return id;
};

const setFile = (model: Model, id: string, fields: Partial<File>, content?: Buffer): void => {
  const stored = existing(model, id);
  model.stored.set(id, {
    ...stored,
    file: { ...stored.file, ...fields },
    ...(content === undefined ? {} : { content }),
  });
};

const emptyModel = (mostPerPage: number): Model => {
  const root = 'root0000000000000000';
  const nothing = { content: Buffer.alloc(0), exports: {} };
  return {
    stored: new Map([[root, { file: { id: root, name: 'My Drive', mimeType: FOLDER }, ...nothing }]]),
    drives: new Map(),
    feeds: new Map([['', []]]),
    channels: new Map(),
    root,
    mostPerPage,
    epoch: 1,
    clock: Date.UTC(2026, 0, 1),
  };
};

const createDriveActions = (model: Model) => ({
  addFolder: (name: string, parent = model.root) =>
    addStored(
      model,
      { name, mimeType: FOLDER, parents: [parent] },
      { content: Buffer.alloc(0), exports: {} },
    ),
  addFile(
    name: string,
    content: string | Buffer,
    { parent = model.root, mimeType, driveId, exports = {}, fields }: NewFile = {},
  ) {
    const bytes = Buffer.from(content);
    const type = mimeType ?? typeOfName(name);
    const own: File = { name, mimeType: type, parents: [parent], ...(isNative(type) ? {} : sums(bytes)) };
    return addStored(
      model,
      { ...own, ...(driveId === undefined ? {} : { driveId }), ...fields },
      { content: bytes, exports },
    );
  },
  addShortcut(name: string, target: string, parent = model.root) {
    const shortcutDetails = { targetId: target, targetMimeType: existing(model, target).file.mimeType ?? '' };
    return addStored(
      model,
      { name, mimeType: SHORTCUT, parents: [parent], shortcutDetails },
      { content: Buffer.alloc(0), exports: {} },
    );
  },
  addDrive(name: string) {
    const id = `0A${randomUUID().replaceAll('-', '').slice(0, 17)}`;
    model.drives.set(id, name);
    model.feeds.set(id, []);
    model.stored.set(id, {
      file: { id, name, mimeType: FOLDER, driveId: id },
      content: Buffer.alloc(0),
      exports: {},
    });
    note(model, { changeType: 'drive', driveId: id, removed: false }, null);
    return id;
  },
  removeDrive(id: string) {
    model.drives.delete(id);
    model.feeds.delete(id);
    for (const [key, { file }] of [...model.stored]) if (file.driveId === id) model.stored.delete(key);
    note(model, { changeType: 'drive', driveId: id, removed: true }, null);
  },
  edit(id: string, content: string | Buffer) {
    const bytes = Buffer.from(content);
    const native = isNative(existing(model, id).file.mimeType ?? '');
    setFile(model, id, { modifiedTime: tick(model), ...(native ? {} : sums(bytes)) }, bytes);
    noteFile(model, id);
  },
  editSilently: (id: string, content: string) =>
    setFile(model, id, sums(Buffer.from(content)), Buffer.from(content)),
  change(id: string, fields: Partial<File>) {
    setFile(model, id, fields);
    noteFile(model, id);
  },
  move(id: string, parent: string) {
    setFile(model, id, { parents: [parent] });
    noteFile(model, id);
  },
  trash(id: string) {
    setFile(model, id, { explicitlyTrashed: true });
    noteFile(model, id);
  },
  restore(id: string) {
    setFile(model, id, { explicitlyTrashed: false });
    noteFile(model, id);
  },
  remove(id: string) {
    const { driveId } = existing(model, id).file;
    model.stored.delete(id);
    note(model, { changeType: 'file', fileId: id, removed: true }, driveId);
  },
  forgetCursors() {
    model.epoch += 1;
  },
});

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
    file: (id) => existing(model, id).file,
  };
};

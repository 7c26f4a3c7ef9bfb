// What the fake Google Drive holds, and how tests change it.
import { createHash, randomUUID } from 'node:crypto';
import type { drive_v3 } from '@googleapis/drive';
import { createHookCalls, type HookCalls } from '../support/hook-calls.ts';

type File = drive_v3.Schema$File;

export const FOLDER = 'application/vnd.google-apps.folder';
const SHORTCUT = 'application/vnd.google-apps.shortcut';

export interface NewFile {
  readonly parent?: string;
  readonly mimeType?: string;
  readonly driveId?: string;
  /** Of a native type: the content by the type of its export. */
  readonly exports?: Readonly<Record<string, string | Buffer>>;
  /** Further fields as Google names them. */
  readonly fields?: Partial<File>;
}

export interface Stored {
  file: File;
  content: Buffer;
  exports: Readonly<Record<string, string | Buffer>>;
}

export interface Model {
  readonly stored: Map<string, Stored>;
  readonly drives: Map<string, string>;
  /** By drive; '' is the feed of the account. */
  readonly feeds: Map<string, drive_v3.Schema$Change[]>;
  readonly channels: Map<string, drive_v3.Schema$Channel>;
  readonly hookCalls: HookCalls;
  /** Of all channels. */
  messages: number;
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

export const isNative = (type: string): boolean => type.startsWith('application/vnd.google-apps.');

const typeOfName = (name: string): string => {
  const types: Record<string, string> = { md: 'text/markdown', txt: 'text/plain', pdf: 'application/pdf' };
  return types[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream';
};

const tick = (model: Model): string => {
  model.clock += 1000;
  return new Date(model.clock).toISOString();
};

/** Without a body: all of it is in the headers. */
export const callChannel = (
  model: Model,
  { address, id, resourceId, token }: drive_v3.Schema$Channel,
  state: 'sync' | 'change',
): Promise<unknown> =>
  model.hookCalls.call({
    address: address ?? '',
    headers: {
      ...{ 'x-goog-channel-id': id ?? '', 'x-goog-channel-token': token ?? '' },
      ...{ 'x-goog-resource-id': resourceId ?? '', 'x-goog-resource-state': state },
      'x-goog-message-number': String(++model.messages),
    },
  });

/** The feed of the account shows everything that it opened; a shared drive has its own besides. */
const note = (model: Model, change: drive_v3.Schema$Change, driveId: string | null | undefined): void => {
  const entry = { kind: 'drive#change', time: new Date(model.clock).toISOString(), ...change };
  model.feeds.get(driveId ?? '')?.push(entry);
  for (const channel of model.channels.values()) void callChannel(model, channel, 'change');
};

const noteFile = (model: Model, id: string): void => {
  const file = model.stored.get(id)?.file;
  note(model, { changeType: 'file', fileId: id, removed: false }, file?.driveId);
};

export const existing = (model: Model, id: string): Stored => {
  const found = model.stored.get(id);
  if (found === undefined) throw new Error(`The fake drive has no file ${id}.`);
  return found;
};

/** A folder in the trash takes its files along, without an entry of their own in the feed. */
export const isTrashed = (model: Model, file: File): boolean => {
  if (file.explicitlyTrashed === true) return true;
  const parent = model.stored.get(file.parents?.[0] ?? '');
  return parent !== undefined && isTrashed(model, parent.file);
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

export const emptyModel = (mostPerPage: number): Model => {
  const root = 'root0000000000000000';
  const nothing = { content: Buffer.alloc(0), exports: {} };
  return {
    stored: new Map([[root, { file: { id: root, name: 'My Drive', mimeType: FOLDER }, ...nothing }]]),
    drives: new Map(),
    feeds: new Map([['', []]]),
    channels: new Map(),
    hookCalls: createHookCalls(),
    messages: 0,
    root,
    mostPerPage,
    epoch: 1,
    clock: Date.UTC(2026, 0, 1),
  };
};

export const createDriveActions = (model: Model) => ({
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

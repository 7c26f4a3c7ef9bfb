// A page of a change feed as items. A feed names a folder that moved and not the files in it, so the files are listed.
import type { Seen } from '../port.ts';
import { ACCOUNT, type DriveCursor, type FolderPlace, type Step } from './cursor.ts';
import { type DriveChange, queryText } from './drive-api.ts';
import { type DriveFile, goneItem, seenFile } from './files.ts';
import { isFolder, isShortcut } from './selection.ts';
import { folderPlace, type LookContext, type StepResult, shortcutTarget } from './steps.ts';

type ChangesStep = Extract<Step, { kind: 'changes' }>;

interface Changed {
  readonly items: Seen[];
  readonly folders: FolderPlace[];
  /** Outside of the selection, unless a shortcut in it leads there. */
  readonly outside: DriveFile[];
}

/** The targets of one query. */
const TARGETS_TOGETHER = 50;

const nameOfDrive = ({ names }: DriveCursor, { driveId }: DriveFile): string | undefined =>
  driveId === undefined ? undefined : names[driveId];

const addShortcut = async (
  context: LookContext,
  shortcut: DriveFile,
  changed: Changed,
  cursor: DriveCursor,
): Promise<void> => {
  const { selection } = context;
  const targetId = shortcut.shortcutDetails?.targetId;
  if (selection.everything || targetId === undefined) return;
  const inside = !shortcut.trashed && (await selection.isInside(shortcut));
  if (!inside) {
    const target = await context.api.file(targetId);
    if (target === null || !(await selection.isInside(target))) changed.items.push(goneItem(targetId));
    return;
  }
  const found = await shortcutTarget(context, shortcut);
  if (found === null) return;
  const { target, parent } = found;
  changed.items.push(seenFile(target, { parent, driveName: nameOfDrive(cursor, target) }));
  if (isFolder(target)) changed.folders.push(folderPlace(target));
};

const addFile = async (
  context: LookContext,
  file: DriveFile,
  changed: Changed,
  cursor: DriveCursor,
): Promise<void> => {
  if (isShortcut(file)) return addShortcut(context, file, changed, cursor);
  if (file.trashed) return void changed.items.push(goneItem(file.id));
  if (!(await context.selection.isInside(file))) return void changed.outside.push(file);
  changed.items.push(seenFile(file, { parent: file.parents[0], driveName: nameOfDrive(cursor, file) }));
  if (isFolder(file)) changed.folders.push(folderPlace(file));
};

/** Files outside of the selection that a shortcut inside of it leads to are items in the folder of the shortcut. */
const addOutside = async (context: LookContext, changed: Changed, cursor: DriveCursor): Promise<void> => {
  const { outside, items } = changed;
  for (let from = 0; from < outside.length; from += TARGETS_TOGETHER) {
    const some = outside.slice(from, from + TARGETS_TOGETHER);
    const terms = some.map(({ id }) => `shortcutDetails.targetId = ${queryText(id)}`).join(' or ');
    const q = `(${terms}) and trashed = false`;
    const shortcuts = await context.api.list({ q, drive: ACCOUNT, anywhere: true });
    const parents = new Map<string, string | undefined>();
    for (const shortcut of shortcuts.files)
      if (await context.selection.isInside(shortcut))
        parents.set(shortcut.shortcutDetails?.targetId ?? '', shortcut.parents[0]);
    for (const file of some)
      items.push(
        parents.has(file.id)
          ? seenFile(file, { parent: parents.get(file.id), driveName: nameOfDrive(cursor, file) })
          : goneItem(file.id),
      );
  }
};

/** A shared drive that the account joined or left; it is listed as a whole, or gone with all that is in it. */
const changedDrive = async (
  { api, selection }: LookContext,
  { driveId, removed }: DriveChange,
  cursor: DriveCursor,
): Promise<Omit<StepResult, 'following'> & { following: Step[] }> => {
  if (driveId === undefined) return { items: [], following: [] };
  if (removed) return { items: [goneItem(driveId)], following: [], droppedFeeds: [driveId] };
  if (!selection.everything || cursor.feeds[driveId] !== undefined) return { items: [], following: [] };
  const known = (await api.sharedDrives()).find(({ id }) => id === driveId);
  if (known === undefined) return { items: [], following: [] };
  return {
    items: [],
    following: [{ kind: 'list', drive: driveId, page: null }],
    feed: { drive: driveId, token: await api.startToken(driveId) },
    names: { [driveId]: known.name },
  };
};

export const seenChanges = async (
  context: LookContext,
  step: ChangesStep,
  cursor: DriveCursor,
): Promise<StepResult> => {
  const { drive } = step;
  const page = step.page ?? cursor.feeds[drive] ?? '';
  const { changes, nextPageToken, newStartPageToken } = await context.api.changes(drive, page);
  const changed: Changed = { items: [], folders: [], outside: [] };
  const drives: StepResult[] = [];
  // The feed may name a file several times; it shows it as it is now.
  const last = new Map(
    changes.map((change) => [`${change.changeType} ${change.fileId ?? change.driveId}`, change]),
  );
  for (const change of last.values()) {
    const { changeType, fileId, removed, file } = change;
    if (changeType === 'drive') drives.push(await changedDrive(context, change, cursor));
    else if (removed || file === undefined) {
      if (fileId !== undefined) changed.items.push(goneItem(fileId));
    } else await addFile(context, file, changed, cursor);
  }
  await addOutside(context, changed, cursor);
  const below: Step[] =
    changed.folders.length === 0
      ? []
      : [{ kind: 'below', folders: changed.folders, taking: 0, page: null, followed: [] }];
  return {
    items: [...changed.items, ...drives.flatMap(({ items }) => items)],
    following: [
      ...(nextPageToken === undefined ? [] : [{ ...step, page: nextPageToken }]),
      ...below,
      ...drives.flatMap(({ following }) => following),
    ],
    ...(newStartPageToken === undefined ? {} : { feed: { drive, token: newStartPageToken } }),
    names: Object.assign({}, ...drives.map(({ names }) => names ?? {})) as Record<string, string>,
    droppedFeeds: drives.flatMap(({ droppedFeeds = [] }) => droppedFeeds),
  };
};

// A look at Google Drive: the whole listing at first and once a week, the change feeds otherwise.
import type { Choice, LookPage, Seen, SourceJson } from '../port.ts';
import { seenChanges } from './changes.ts';
import {
  ACCOUNT,
  type DriveCursor,
  type FolderPlace,
  fitsCursor,
  readCursor,
  type Step,
  selectionMark,
} from './cursor.ts';
import { type DriveApi, queryText } from './drive-api.ts';
import { type DriveFile, goneItem, seenFile } from './files.ts';
import { createSelection, isFolder, isShortcut } from './selection.ts';
import { folderPlace, type LookContext, type StepResult, shortcutTarget } from './steps.ts';

/** A change that no feed told, as one that was made while access was missing, is found then. */
const WHOLE_EVERY_MS = 7 * 24 * 60 * 60_000;
/** The folders of one query. */
const TOGETHER = 20;
const CHOSEN_TOGETHER = 20;

type StepOf<K extends Step['kind']> = Extract<Step, { kind: K }>;

const driveOfChoice = ({ how }: NonNullable<Choice>[number]): { id: string; name: string } | null => {
  const { drive, driveName } = (how ?? {}) as { drive?: unknown; driveName?: unknown };
  return typeof drive === 'string' && drive !== ACCOUNT ? { id: drive, name: String(driveName ?? '') } : null;
};

/** The shared drives of a selection, or all of them. */
const drivesOf = async ({ api, chosen }: LookContext): Promise<{ id: string; name: string }[]> => {
  if (chosen === null) return api.sharedDrives();
  const named = chosen.flatMap((one) => driveOfChoice(one) ?? []);
  return [...new Map(named.map((one) => [one.id, one])).values()];
};

/** The places in the feeds are taken before the listing, so that no change in between is missed. */
const beginWhole = async (context: LookContext, now: number): Promise<DriveCursor> => {
  const { api, chosen } = context;
  const feeds: Record<string, string> = { [ACCOUNT]: await api.startToken(ACCOUNT) };
  const drives = await drivesOf(context);
  for (const { id } of drives) feeds[id] = await api.startToken(id);
  const steps: Step[] =
    chosen === null
      ? Object.keys(feeds).map((drive) => ({ kind: 'list', drive, page: null }))
      : [{ kind: 'chosen', from: 0 }];
  return {
    ...{ v: 1, selection: selectionMark(chosen), feeds },
    names: Object.fromEntries(drives.map(({ id, name }) => [id, name])),
    ...{ wholeAt: now, whole: true, incomplete: false, steps },
  };
};

const beginChanges = (cursor: DriveCursor): DriveCursor => ({
  ...cursor,
  whole: false,
  incomplete: false,
  steps: Object.keys(cursor.feeds).map((drive) => ({ kind: 'changes', drive, page: null })),
});

const driveFolder = (id: string, name: string): Seen => ({
  id,
  kind: 'folder',
  mark: '',
  face: { title: name, metadata: {} },
});

const listDrive = async (
  { api }: LookContext,
  step: StepOf<'list'>,
  { names }: DriveCursor,
): Promise<StepResult> => {
  const { drive, page } = step;
  const { files, nextPageToken, incompleteSearch } = await api.list({ q: 'trashed = false', drive, page });
  const driveName = names[drive];
  const top = drive === ACCOUNT || page !== null ? [] : [driveFolder(drive, driveName ?? drive)];
  // The target of a shortcut is in the listing itself.
  const items = files
    .filter((file) => !isShortcut(file))
    .map((file) => seenFile(file, { parent: file.parents[0], driveName }));
  return {
    items: [...top, ...items],
    following: nextPageToken === undefined ? [] : [{ ...step, page: nextPageToken }],
    incomplete: incompleteSearch,
  };
};

interface Found {
  readonly items: Seen[];
  readonly folders: FolderPlace[];
  readonly followed: string[];
}

const addFound = async (
  context: LookContext,
  file: DriveFile,
  found: Found,
  names: DriveCursor['names'],
): Promise<void> => {
  const through = isShortcut(file) ? await shortcutTarget(context, file) : null;
  if (isShortcut(file) && through === null) return;
  const { target, parent } = through ?? { target: file, parent: file.parents[0] };
  if (isFolder(target)) {
    if (found.followed.includes(target.id)) return;
    if (through !== null) found.followed.push(target.id);
    else context.selection.noteInside(target.id);
    found.folders.push(folderPlace(target));
  }
  found.items.push(seenFile(target, { parent, driveName: names[target.driveId ?? ACCOUNT] }));
};

const listChosen = async (
  context: LookContext,
  { from }: StepOf<'chosen'>,
  { names }: DriveCursor,
): Promise<StepResult> => {
  const chosen = context.chosen ?? [];
  const found: Found = { items: [], folders: [], followed: [] };
  for (const { id, name, kind } of chosen.slice(from, from + CHOSEN_TOGETHER)) {
    const file = await context.api.file(id);
    if (file === null || file.trashed) found.items.push(goneItem(id));
    else if (kind === 'my_drive') found.folders.push(folderPlace(file));
    else if (kind === 'drive') {
      found.items.push(driveFolder(id, name));
      found.folders.push([id, id]);
    } else await addFound(context, file, found, names);
  }
  const to = from + CHOSEN_TOGETHER;
  const { folders, followed, items } = found;
  return {
    items,
    following: [
      ...(folders.length === 0 ? [] : [{ kind: 'below', folders, taking: 0, page: null, followed } as const]),
      ...(to < chosen.length ? [{ kind: 'chosen', from: to } as const] : []),
    ],
  };
};

/** Folders of one drive share a query. */
const takeTogether = (folders: readonly FolderPlace[]): number => {
  const drive = folders[0]?.[1];
  const other = folders.findIndex(([, one]) => one !== drive);
  return Math.min(TOGETHER, other < 0 ? folders.length : other);
};

const listBelow = async (
  context: LookContext,
  step: StepOf<'below'>,
  { names }: DriveCursor,
): Promise<StepResult> => {
  const taking = step.page === null ? takeTogether(step.folders) : step.taking;
  const parents = step.folders.slice(0, taking);
  const inParents = parents.map(([id]) => `${queryText(id)} in parents`).join(' or ');
  const { files, nextPageToken, incompleteSearch } = await context.api.list({
    q: `(${inParents}) and trashed = false`,
    drive: parents[0]?.[1] ?? ACCOUNT,
    page: step.page,
    anywhere: true,
  });
  const found: Found = { items: [], folders: [...step.folders], followed: [...step.followed] };
  for (const file of files) await addFound(context, file, found, names);
  const { items, followed } = found;
  const folders = nextPageToken === undefined ? found.folders.slice(taking) : found.folders;
  const rest: Step = { ...step, folders, followed, taking, page: nextPageToken ?? null };
  return {
    items,
    following: folders.length === 0 ? [] : [rest],
    incomplete: incompleteSearch,
  };
};

const runStep = (context: LookContext, step: Step, cursor: DriveCursor): Promise<StepResult> => {
  if (step.kind === 'list') return listDrive(context, step, cursor);
  if (step.kind === 'chosen') return listChosen(context, step, cursor);
  if (step.kind === 'below') return listBelow(context, step, cursor);
  return seenChanges(context, step, cursor);
};

const advance = async (
  context: LookContext,
  cursor: DriveCursor,
  step: Step,
): Promise<{ items: readonly Seen[]; next: DriveCursor }> => {
  const {
    items,
    following,
    feed,
    names = {},
    droppedFeeds = [],
    incomplete = false,
  } = await runStep(context, step, cursor);
  const feeds = Object.entries(cursor.feeds).filter(([drive]) => !droppedFeeds.includes(drive));
  const next: DriveCursor = {
    ...cursor,
    feeds: { ...Object.fromEntries(feeds), ...(feed === undefined ? {} : { [feed.drive]: feed.token }) },
    names: { ...cursor.names, ...names },
    incomplete: cursor.incomplete || incomplete,
    steps: [...following, ...cursor.steps.slice(1)].filter(
      (one) => !('drive' in one && droppedFeeds.includes(one.drive)),
    ),
  };
  return { items, next };
};

const beginLook = async (context: LookContext, stored: SourceJson, now: number): Promise<DriveCursor> => {
  const cursor = readCursor(stored);
  if (cursor === null || cursor.selection !== selectionMark(context.chosen)) return beginWhole(context, now);
  if (cursor.steps.length > 0) return cursor;
  return now - cursor.wholeAt >= WHOLE_EVERY_MS ? beginWhole(context, now) : beginChanges(cursor);
};

/** `chosen` null: everything. */
export async function* lookAtDrive(
  api: DriveApi,
  { stored, chosen, now }: { stored: SourceJson; chosen: Choice; now: number },
): AsyncGenerator<LookPage> {
  const context: LookContext = { api, chosen, selection: createSelection(api, chosen) };
  let cursor = await beginLook(context, stored, now);
  // An interrupted look whose folders to be listed do not fit into a cursor repeats some of its requests.
  let resumable = cursor;
  for (let [step] = cursor.steps; step !== undefined; [step] = cursor.steps) {
    const { items, next } = await advance(context, cursor, step);
    cursor = next;
    if (fitsCursor(next)) resumable = next;
    const end = next.whole && !next.incomplete ? 'whole' : 'delta';
    yield { items, cursor: resumable, ...(next.steps.length === 0 ? { end } : {}) };
  }
}

// The parts that the steps of a look share.
import type { Choice, Seen } from '../port.ts';
import { ACCOUNT, type FolderPlace, type Step } from './cursor.ts';
import type { DriveApi } from './drive-api.ts';
import type { DriveFile } from './files.ts';
import type { DriveSelection } from './selection.ts';

export interface LookContext {
  readonly api: DriveApi;
  readonly selection: DriveSelection;
  readonly chosen: Choice;
}

/** The items that a step showed, and the steps that follow in its place. */
export interface StepResult {
  readonly items: readonly Seen[];
  readonly following: readonly Step[];
  readonly feed?: { readonly drive: string; readonly token: string };
  readonly names?: Readonly<Record<string, string>>;
  readonly droppedFeeds?: readonly string[];
  readonly incomplete?: boolean;
}

export const folderPlace = ({ id, driveId = ACCOUNT }: Pick<DriveFile, 'id' | 'driveId'>): FolderPlace => [
  id,
  driveId,
];

/**
 * The target of a shortcut, as an item in the folder of the shortcut. Null: it is in the trash or out of reach, or it
 * lies in the selection itself and is listed in its own place.
 */
export const shortcutTarget = async (
  { api, selection }: LookContext,
  { shortcutDetails, parents }: DriveFile,
): Promise<{ target: DriveFile; parent: string | undefined } | null> => {
  const target = shortcutDetails === undefined ? null : await api.file(shortcutDetails.targetId);
  if (target === null || target.trashed || (await selection.isInside(target))) return null;
  return { target, parent: parents[0] };
};

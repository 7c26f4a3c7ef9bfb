// The selection of a connection: whether a file lies below a chosen folder, by the folders above it.
import type { Choice } from '../port.ts';
import type { DriveApi } from './drive-api.ts';
import { type DriveFile, FOLDER_TYPE, SHORTCUT_TYPE } from './files.ts';

export interface DriveSelection {
  /** True: the whole drive, without a selection. */
  readonly everything: boolean;
  isInside(file: Pick<DriveFile, 'id' | 'parents' | 'driveId'>): Promise<boolean>;
  /** A folder that is known to lie inside spares the request. */
  noteInside(folder: string): void;
}

/** Google allows no deeper tree. */
const DEEPEST = 100;

/** `chosen` null: everything. What is known of folders lives for one look, because folders move. */
export const createSelection = (api: DriveApi, chosen: Choice): DriveSelection => {
  const ids = new Set((chosen ?? []).map(({ id }) => id));
  const known = new Map<string, boolean>();

  const isFolderInside = async (id: string, depth: number): Promise<boolean> => {
    if (ids.has(id)) return true;
    const before = known.get(id);
    if (before !== undefined) return before;
    if (depth > DEEPEST) return false;
    const folder = await api.file(id);
    const inside =
      folder !== null &&
      !folder.trashed &&
      ((folder.driveId !== undefined && ids.has(folder.driveId)) ||
        (await isAnyInside(folder.parents, depth + 1)));
    known.set(id, inside);
    return inside;
  };

  const isAnyInside = async (parents: readonly string[], depth: number): Promise<boolean> => {
    for (const parent of parents) if (await isFolderInside(parent, depth)) return true;
    return false;
  };

  return {
    everything: chosen === null,
    isInside: async ({ id, parents, driveId }) =>
      chosen === null ||
      ids.has(id) ||
      (driveId !== undefined && ids.has(driveId)) ||
      isAnyInside(parents, 0),
    noteInside: (folder) => void known.set(folder, true),
  };
};

export const isFolder = ({ mimeType }: DriveFile): boolean => mimeType === FOLDER_TYPE;
export const isShortcut = ({ mimeType }: DriveFile): boolean => mimeType === SHORTCUT_TYPE;

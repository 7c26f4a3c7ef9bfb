// The cursor of a look at Google Drive: the places in the change feeds, and the steps of the look that are still to do.
import { z } from 'zod';
import { sha256 } from '../../../lib/hash.ts';
import type { Choice, SourceJson } from '../port.ts';
import { SourceError } from '../source-error.ts';

/** The feed of the account; a shared drive has a feed of its own, by its id. */
export const ACCOUNT = '';

const place = z.tuple([z.string(), z.string()]);
/** The id of a folder, and of its shared drive or ACCOUNT. */
export type FolderPlace = z.infer<typeof place>;

const step = z.discriminatedUnion('kind', [
  /** Everything in a drive. */
  z.object({ kind: z.literal('list'), drive: z.string(), page: z.string().nullable() }),
  /** The chosen files and folders themselves. */
  z.object({ kind: z.literal('chosen'), from: z.number() }),
  /** The content of folders, one level after the other; `taking`: so many of them are in the query of `page`. */
  z.object({
    kind: z.literal('below'),
    folders: z.array(place),
    taking: z.number(),
    page: z.string().nullable(),
    /** Folders that a shortcut led to, because shortcuts can form a circle. */
    followed: z.array(z.string()),
  }),
  /** A change feed. */
  z.object({ kind: z.literal('changes'), drive: z.string(), page: z.string().nullable() }),
]);
export type Step = z.infer<typeof step>;

const driveCursor = z.object({
  v: z.literal(1),
  /** The selection that the look was for; another one is listed anew. */
  selection: z.string(),
  /** By drive. */
  feeds: z.record(z.string(), z.string()),
  /** The names of the shared drives. */
  names: z.record(z.string(), z.string()),
  wholeAt: z.number(),
  whole: z.boolean(),
  /** Some of a listing was missing, so it proves nothing about absence. */
  incomplete: z.boolean(),
  steps: z.array(step),
});
export type DriveCursor = z.infer<typeof driveCursor>;

/** Null: everything. */
export const selectionMark = (chosen: Choice): string =>
  chosen === null
    ? 'everything'
    : sha256(
        chosen
          .map(({ id }) => id)
          .sort()
          .join('\n'),
      );

/** Null: there is none yet. */
export const readCursor = (cursor: SourceJson): DriveCursor | null => {
  if (cursor === null) return null;
  const read = driveCursor.safeParse(cursor);
  if (read.success) return read.data;
  throw new SourceError('cursor_refused', 'The stored place in Google Drive has an unknown form.');
};

/** Below the 64 KB that a cursor may have. */
const MOST_LENGTH = 60_000;

export const fitsCursor = (cursor: DriveCursor): boolean => JSON.stringify(cursor).length <= MOST_LENGTH;

// Deleting many documents: by ids, by container tags or by path.

import type { BulkDeleteInput } from '../../../tools/documents/schemas/inputs.ts';
import type { BulkDeleteOutput } from '../../../tools/documents/schemas/outputs.ts';
import type { Removal, Removed } from '../../adapters/store/ports/documents.ts';
import { badRequest } from '../../core/errors.ts';
import type { Principal } from '../../core/principal.ts';
import { notDeletable } from './refusals.ts';

export const toRemoval = ({ ids, tags, filepath }: BulkDeleteInput): Removal => {
  if (ids !== undefined) return { by: 'ids', ids };
  if (tags !== undefined) return { by: 'tags', tags };
  if (filepath !== undefined) return { by: 'filepath', filepath };
  throw badRequest('Name what to delete: ids, containerTags or filepath.');
};

/** The published text, which clients compare. */
const NOT_FOUND = 'Memory not found';
const SEVERAL = 'This customId names several documents; nothing was deleted. Delete each by its id.';

export const presentRemoved = (removal: Removal, removed: Removed, caller: Principal): BulkDeleteOutput => {
  const refusedAll = removed.forbidden.length > 0 && removed.deleted.length === 0;
  if (refusedAll && removed.missing.length === 0) throw notDeletable(caller);
  const because = (ids: readonly string[], error: string) => ids.map((id) => ({ id, error }));
  const errors = [
    ...because(removed.missing, NOT_FOUND),
    ...because(removed.ambiguous, SEVERAL),
    ...because(removed.forbidden, notDeletable(caller).message),
  ];
  return {
    success: removed.forbidden.length === 0,
    deletedCount: removed.deleted.length,
    ...(errors.length === 0 ? {} : { errors }),
    ...(removal.by === 'tags' ? { containerTags: [...removal.tags] } : {}),
  };
};

// Deleting many documents: by ids, by container tags or by path.

import type { BulkDeleteInput } from '../../../tools/documents/schemas/inputs.ts';
import type { BulkDeleteOutput } from '../../../tools/documents/schemas/outputs.ts';
import type { Removal, Removed } from '../../adapters/store/ports/documents.ts';
import type { AuditSubject } from '../../core/audit.ts';
import { badRequest } from '../../core/errors.ts';
import type { Caller, Principal } from '../../core/principal.ts';
import { notDeletable } from './refusals.ts';

export const toRemoval = ({ ids, tags, filepath }: BulkDeleteInput): Removal => {
  if (ids !== undefined) return { by: 'ids', ids };
  if (tags !== undefined) return { by: 'tags', tags };
  if (filepath !== undefined) return { by: 'filepath', filepath };
  throw badRequest('Name what to delete: ids, containerTags or filepath.');
};

const MOST_IDS_NOTED = 40;

/** The note of a removal in the audit log, besides the number of documents. */
export const removalSubject = (removal: Removal): AuditSubject => {
  switch (removal.by) {
    case 'ref':
      return { target: { kind: 'document', id: removal.ref } };
    case 'ids':
      return { details: { ids: removal.ids.slice(0, MOST_IDS_NOTED) } };
    case 'tags':
      return { tags: removal.tags };
    case 'filepath':
      return { details: { filepath: removal.filepath } };
  }
};

/** The published text, which clients compare. */
const NOT_FOUND = 'Memory not found';
const SEVERAL = 'This customId names several documents; nothing was deleted. Delete each by its id.';

/** For a call inside one tag, which learns nothing about what exists elsewhere. */
const NOT_HERE =
  'This namespace has no document with this id, or the document also has container tags that this key does not hold.';

export const presentRemoved = (
  removal: Removal,
  removed: Removed,
  caller: Principal & Pick<Caller, 'isInside'>,
): BulkDeleteOutput => {
  const { isInside = false } = caller;
  const refusedAll = !isInside && removed.forbidden.length > 0 && removed.deleted.length === 0;
  if (refusedAll && removed.missing.length === 0) throw notDeletable(caller);
  const because = (ids: readonly string[], error: string) => ids.map((id) => ({ id, error }));
  const errors = [
    ...because(removed.missing, isInside ? NOT_HERE : NOT_FOUND),
    ...because(removed.ambiguous, SEVERAL),
    ...because(removed.forbidden, isInside ? NOT_HERE : notDeletable(caller).message),
  ];
  return {
    success: removed.forbidden.length === 0,
    deletedCount: removed.deleted.length,
    ...(errors.length === 0 ? {} : { errors }),
    ...(removal.by === 'tags' ? { containerTags: [...removal.tags] } : {}),
  };
};

// Container tags as records that callers list, read, describe, delete and merge.

import type {
  MergeAccepted,
  MergeState,
  MergeTagsInput,
  TagDeleted,
  TagListOutput,
  TagOutput,
  TagUpdated,
  UpdateTagInput,
} from '../../../tools/tags/schemas/tags.ts';
import type {
  MergeRecord,
  TagChanges,
  TagRecord,
  TagStore,
  TagSummary,
} from '../../adapters/store/ports/tags.ts';
import type { AuditDetails, AuditNote } from '../../core/audit.ts';
import { auditNote, quotaNames } from '../../core/audit-note.ts';
import { conflict, forbidden, notFound } from '../../core/errors.ts';
import type { Caller } from '../../core/principal.ts';
import { quotedList } from '../../core/quoted-list.ts';
import { defined } from '../../lib/defined.ts';
import { sha256 } from '../../lib/hash.ts';
import { isoTime, isoTimeOrNull } from '../../lib/text/dates/format.ts';

export interface Tags {
  list(caller: Caller): Promise<TagListOutput>;
  get(caller: Caller, tag: string): Promise<TagOutput>;
  update(caller: Caller, input: UpdateTagInput): Promise<TagUpdated>;
  remove(caller: Caller, tag: string): Promise<TagDeleted>;
  merge(caller: Caller, input: MergeTagsInput): Promise<MergeAccepted>;
  mergeState(caller: Caller, id: string): Promise<MergeState>;
}

/** Tags are known by their names; published clients want an id as well, which stays the same for the same name. */
const tagId = (tag: string): string => sha256(`container tag ${tag}`).slice(0, 22);

const presentSummary = (tag: TagSummary): TagListOutput[number] => ({
  id: tagId(tag.tag),
  name: tag.name ?? tag.tag,
  containerTag: tag.tag,
  description: null,
  createdAt: isoTime(tag.createdAt),
  updatedAt: isoTime(tag.updatedAt),
  isExperimental: false,
  isNova: tag.tag.startsWith('sm_project_'),
  documentCount: tag.documents,
  memoryCount: tag.memories,
  lastActivityAt: isoTimeOrNull(tag.lastActivityAt),
  ...(tag.merge === null
    ? {}
    : { mergeStatus: tag.merge.as, mergeId: tag.merge.id, mergeTargetTag: tag.merge.target }),
});

const presentUpdated = (record: TagRecord): TagUpdated => ({
  containerTag: record.tag,
  name: record.name,
  entityContext: record.entityContext,
  memoryFilesystemPaths: record.memoryFilesystemPaths,
  profileBuckets: record.profileBuckets,
  updatedAt: isoTime(record.updatedAt),
});

const presentMerge = (merge: MergeRecord): MergeState => ({
  id: merge.id,
  status: merge.status,
  targetTag: merge.target,
  sourceTags: [...merge.sources],
  mergedCount: merge.moved,
  customIdsDropped: merge.unnamed,
  createdAt: isoTime(merge.createdAt),
  updatedAt: isoTime(merge.updatedAt),
});

const tagNotFound = (tags: readonly string[]) =>
  notFound(
    `There is no container tag ${quotedList(tags)}. List the container tags to see which exist; adding content under a tag, or PATCH of it, creates it.`,
  );

const merging = (id: string) =>
  conflict(
    `A merge has this container tag in hand. Wait until GET /v3/container-tags/merge/${id} says completed.`,
  );

const fullKeysOnly = () =>
  forbidden(
    'A key that is bound to container tags may not delete or merge whole tags. Use a key with full access.',
  );

const changesIn = ({ containerTag: _tag, quotas, ...given }: UpdateTagInput): TagChanges =>
  defined({ ...given, quotas: quotas && defined(quotas) });

const tagNote = (caller: Caller, tag: string, details: AuditDetails = {}): AuditNote | null =>
  auditNote(caller, { target: { kind: 'tag', id: tag }, tags: [tag], details });

interface TagsDeps {
  store: TagStore;
  newId: () => string;
}

const deleteTag = async ({ store }: TagsDeps, caller: Caller, tag: string): Promise<TagDeleted> => {
  const removed = await store.remove(caller.scope, tag, tagNote(caller, tag));
  switch (removed.outcome) {
    case 'removed':
      return {
        success: true,
        containerTag: tag,
        deletedDocumentsCount: removed.documents,
        deletedMemoriesCount: removed.memories,
      };
    case 'merging':
      throw merging(removed.id);
    case 'forbidden':
      throw fullKeysOnly();
    case 'missing':
      throw tagNotFound([tag]);
  }
};

const acceptMerge = async (
  { store, newId }: TagsDeps,
  caller: Caller,
  { sources, target }: MergeTagsInput,
): Promise<MergeAccepted> => {
  const id = newId();
  const started = await store.merge(
    caller.scope,
    { id, sources, target },
    tagNote(caller, target, { sources, merge: id }),
  );
  switch (started.outcome) {
    case 'started':
      return { success: true, status: 'queued', mergeId: id, targetTag: target, sourceTags: sources };
    case 'merging':
      throw merging(started.id);
    case 'forbidden':
      throw fullKeysOnly();
    case 'missing':
      throw tagNotFound(started.tags);
  }
};

export const createTags = (deps: TagsDeps): Tags => {
  const { store } = deps;
  return {
    list: async (caller) => (await store.list(caller.scope)).map(presentSummary),

    async get(caller, tag) {
      const record = await store.get(caller.scope, tag);
      if (record === null) throw tagNotFound([tag]);
      return { ...presentUpdated(record), createdAt: isoTime(record.createdAt), usage: record.tokens };
    },

    async update(caller, input) {
      if (input.profileBuckets !== undefined && caller.tags !== null)
        throw forbidden(
          'A key that is bound to container tags may not change profile buckets. Use a key with full access, or leave profileBuckets out.',
        );
      const changes = changesIn(input);
      const details = { fields: Object.keys(changes), ...quotaNames(changes.quotas ?? {}) };
      const note = tagNote(caller, input.containerTag, details);
      return presentUpdated(await store.upsert(caller.scope, input.containerTag, changes, note));
    },

    remove: (caller, tag) => deleteTag(deps, caller, tag),

    merge: (caller, input) => acceptMerge(deps, caller, input),

    async mergeState(caller, id) {
      const merge = await store.mergeStatus(caller.scope, id);
      if (merge === null)
        throw notFound(
          `There is no merge ${JSON.stringify(id)}. Use the mergeId from the answer that started the merge.`,
        );
      return presentMerge(merge);
    },
  };
};

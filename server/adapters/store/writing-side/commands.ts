// The writes of requests, by name: the request thread sends them, the writing thread runs them.

import type { AuditNote } from '../../../core/audit.ts';
import type { Reach } from '../../../core/scope.ts';
import type { Writer } from '../engine/writer.ts';
import type { Patch, Removal, Removed, Submission, Updated } from '../ports/documents.ts';
import type { KeyChanges, KeyRecord, KeyReplacement } from '../ports/keys.ts';
import type { PreparedMemory, Revision } from '../ports/memories/memories.ts';
import type { Organisation } from '../ports/organisation.ts';
import type { Calibration, FillSpace, SpaceRecord } from '../ports/spaces.ts';
import {
  changeKey,
  createFirstKey,
  createKey,
  enableKey,
  replaceKey,
  touchKeys,
} from '../queries/access/keys.ts';
import { mayHaveMore, removeDocuments } from '../queries/documents/delete.ts';
import { retryDocument, retryDocuments } from '../queries/documents/retry.ts';
import { type SentTogether, submitAll } from '../queries/documents/submit.ts';
import { updateDocument } from '../queries/documents/update.ts';
import {
  forgetMemories,
  reviewMemory,
  reviseMemory,
  storeDirectMemories,
} from '../queries/memories/change.ts';
import { uniteArrived } from '../queries/memories/join-chains.ts';
import { askToRedraw } from '../queries/memories/remembering/redraw.ts';
import {
  ensureOrganisation,
  keepModelChoices,
  replaceSigningKeys,
} from '../queries/organisation/organisation.ts';
import { abandonSpace, calibrateSpace, createSpace } from '../queries/spaces/spaces.ts';
import type { Db } from '../tables/tables.ts';
import { type Audited, createAuditCommands, createAudited, ifDone } from './audited.ts';
import { createConnectionCommands } from './connection-commands.ts';
import { createGrantCommands } from './grant-commands.ts';
import { createGrouped } from './grouped.ts';
import { createHookCommands } from './hook-commands.ts';
import { createOrganisationCommands, type Deciding } from './organisation-commands.ts';
import { createSignInCommands } from './sign-in-commands.ts';
import { createTeamCommands } from './team-commands.ts';
import { createUsageCommands } from './usage-commands.ts';

interface DirectMemories {
  tags: readonly string[];
  documentId: string;
  memories: readonly PreparedMemory[];
}

interface Removing {
  readonly writer: Writer;
  readonly audited: Audited;
  readonly now: () => number;
}

/** A single document is named; of more the number is noted. */
const removedDetails = ({ deleted, left = 0 }: Removed) =>
  deleted.length === 0 ? null : { documents: deleted.length + left };

/** A large removal runs in slices, so that other writes do not wait for it; the first one notes all of it. */
const removeAll = async (
  { writer, audited, now }: Removing,
  reach: Reach,
  target: Removal,
  note: AuditNote | null | undefined,
): Promise<Removed> => {
  const deleted: string[] = [];
  for (;;) {
    const said = deleted.length === 0 ? note : null;
    const slice = await writer.together(
      audited(said, (tx) => removeDocuments(tx, reach, target, now()), removedDetails),
    );
    deleted.push(...slice.deleted);
    if (!mayHaveMore(target, slice)) return { ...slice, deleted };
  }
};

/** In slices, so that other writes do not wait for it. */
const askAllToRedraw = async (
  writer: Writer,
  reach: Reach,
  tags: readonly string[] | undefined,
): Promise<number> => {
  let documents = 0;
  let after: number | null = 0;
  while (after !== null) {
    const from: number = after;
    const asked = await writer.together((tx) => askToRedraw({ tx, reach }, tags, from));
    documents += asked.documents;
    after = asked.last;
  }
  return documents;
};

export interface CommandOptions extends Deciding {
  /** `crowded`: several requests waited at once a moment ago. */
  changed: (crowded: boolean) => void;
  /** Called after a write that wants a document now that waited after a failure. */
  retried: () => void;
  /** Callers that wait share a transaction; false: the writer itself stores several at once. */
  groupsCallers: boolean;
}

/** Reports the retry when there was one. */
type AnnounceRetries = <T>(work: Promise<T>, isRetry: (result: T) => boolean) => Promise<T>;

const createRetryCommands = (writer: Writer, now: () => number, announcedRetries: AnnounceRetries) => ({
  retry: (reach: Reach, ref: string) =>
    announcedRetries(
      writer.together((tx) => retryDocument({ tx, reach, now: now() }, ref)),
      ({ outcome }) => outcome === 'updated',
    ),
  retryAll: (reach: Reach, ids: readonly string[]) =>
    announcedRetries(
      writer.together((tx) => retryDocuments({ tx, reach, now: now() }, ids)),
      (count) => count > 0,
    ),
});

const createKeyCommands = (writer: Writer, audited: Audited) => ({
  createKey: (key: KeyRecord, note?: AuditNote | null) =>
    writer.write(
      audited(note, (tx) => createKey(tx, key)),
      'access',
    ),
  createFirstKey: (key: KeyRecord, given: boolean, note?: AuditNote | null) =>
    writer.write(
      audited(note, (tx) => createFirstKey(tx, key, given), ifDone),
      'access',
    ),
  enableKey: (id: string, enabled: boolean, note?: AuditNote | null) =>
    writer.write(
      audited(note, (tx) => enableKey(tx, id, enabled), ifDone),
      'access',
    ),
  changeKey: (id: string, changes: KeyChanges, note?: AuditNote | null) =>
    writer.write(
      audited(note, (tx) => changeKey(tx, id, changes), ifDone),
      'access',
    ),
  replaceKey: (replacement: KeyReplacement, note?: AuditNote | null) =>
    writer.write(
      audited(note, (tx) => replaceKey(tx, replacement), ifDone),
      'access',
    ),
  touchKeys: (uses: readonly { id: string; at: number }[]) => writer.together((tx) => touchKeys(tx, uses)),
});

const createMemoryCommands = (
  writer: Writer,
  { now, relating, audited }: Deciding & { audited: Audited },
  announced: <T>(work: Promise<T>) => Promise<T>,
) => ({
  createMemories: (reach: Reach, request: DirectMemories, spaces: readonly FillSpace[]) =>
    announced(
      writer.together((tx) => storeDirectMemories({ tx, reach, spaces, now: now() }, request, relating)),
    ),
  reviseMemory: (reach: Reach, id: string, revision: Revision, spaces: readonly FillSpace[]) =>
    announced(writer.together((tx) => reviseMemory({ tx, reach, spaces, now: now() }, id, revision))),
  forgetMemories: (
    reach: Reach,
    ids: readonly string[],
    request: { reason: string | null; batch: string | null },
    note?: AuditNote | null,
  ) =>
    writer.together(
      audited(
        note,
        (tx) => forgetMemories({ tx, reach, now: now() }, ids, request),
        (forgotten) => (forgotten.length === 0 ? null : { memories: forgotten.length }),
      ),
    ),
  redrawMemories: (reach: Reach, tags: readonly string[] | undefined) =>
    announced(askAllToRedraw(writer, reach, tags)),
  reviewMemory: (reach: Reach, id: string, action: 'approve' | 'decline' | 'undo') =>
    writer.together((tx) => reviewMemory({ tx, reach, now: now() }, id, action)),
});

const createSpaceCommands = (writer: Writer, now: () => number) => ({
  createSpace: (space: Omit<SpaceRecord, 'id'>) => writer.write((tx) => createSpace(tx, space, now())),
  calibrateSpace: (id: number, calibration: Calibration) =>
    writer.write((tx) => calibrateSpace(tx, id, calibration)),
  abandonSpace: (id: number) => writer.write((tx) => abandonSpace(tx, id)),
});

export const createCommands = (
  writer: Writer,
  { now, changed, retried, relating, groupsCallers }: CommandOptions,
) => {
  const audited = createAudited(now);
  /** The pipeline looks for work at once instead of at its next round. */
  const announced = async <T>(work: Promise<T>): Promise<T> => {
    const result = await work;
    changed(writer.crowded());
    return result;
  };
  const announcedRetries: AnnounceRetries = async (work, isRetry) => {
    const result = await announced(work);
    if (isRetry(result)) retried();
    return result;
  };
  const submitTogether = (sent: readonly SentTogether[]) =>
    writer.together((tx) => submitAll(tx, sent, now()), 'request', sent.length);
  const submitting = groupsCallers
    ? createGrouped(submitTogether)
    : async (sent: SentTogether) => (await submitTogether([sent]))[0] ?? [];
  return {
    submit: (reach: Reach, items: readonly Submission[]) =>
      announcedRetries(submitting({ reach, items }), (all) =>
        all.some((each) => each.outcome === 'accepted' && each.retried === true),
      ),
    update: (reach: Reach, ref: string, patch: Patch) => {
      const work = async (tx: Db): Promise<Updated> => {
        const updated = await updateDocument({ tx, reach, now: now() }, ref, patch);
        await uniteArrived(tx, relating, now());
        return updated;
      };
      return announcedRetries(
        // Memories move with their document to other tags.
        patch.tags === undefined ? writer.together(work) : writer.write(work),
        (updated) => updated.outcome === 'updated' && updated.retried === true,
      );
    },
    remove: (reach: Reach, target: Removal, note?: AuditNote | null) =>
      announced(removeAll({ writer, audited, now }, reach, target, note)),
    replaceSigningKeys: (read: string | null, sealed: string) =>
      writer.write((tx) => replaceSigningKeys(tx, read, sealed)),
    keepModelChoices: (choices: string) => writer.write((tx) => keepModelChoices(tx, choices)),
    ensureOrganisation: (fresh: Organisation) => writer.write((tx) => ensureOrganisation(tx, fresh)),
    ...createSpaceCommands(writer, now),
    ...createMemoryCommands(writer, { now, relating, audited }, announced),
    ...createRetryCommands(writer, now, announcedRetries),
    ...createKeyCommands(writer, audited),
    ...createAuditCommands(writer, audited, now),
    ...createUsageCommands(writer, audited),
    ...createGrantCommands(writer, now, audited),
    ...createConnectionCommands({ writer, now, audited }, announced),
    ...createSignInCommands(writer, now),
    ...createHookCommands(writer, { now, audited }, announced),
    ...createTeamCommands(writer, now, audited),
    ...createOrganisationCommands(writer, { now, relating, audited }, announced),
  };
};

/** The commands that the request side sends. */
export type WritingCommands = ReturnType<typeof createCommands>;

// The writes that a request can ask for, by name: the request thread sends them, the writing thread runs them.
import type { Handlers } from '../../../lib/rpc.ts';
import type { Reach } from '../../../lib/scope.ts';
import type { FillSpace } from '../ingest-port.ts';
import type { KeyRecord } from '../key-port.ts';
import type { PreparedMemory, Revision } from '../memory-port.ts';
import type { Calibration, Organisation, Patch, Removal, Removed, SpaceRecord, Submission } from '../port.ts';
import { mayHaveMore, removeDocuments, updateDocument } from '../queries/change.ts';
import { createKey, enableKey, touchKeys } from '../queries/keys.ts';
import { createMemories, forgetMemories, reviewMemory, reviseMemory } from '../queries/memory-change.ts';
import { uniteArrived } from '../queries/memory-unite.ts';
import { ensureOrganisation } from '../queries/organisation.ts';
import { calibrateSpace, createSpace, forgetSlice } from '../queries/spaces.ts';
import { submit } from '../queries/submit.ts';
import { createGrantCommands } from './grant-commands.ts';
import { createOrganisationCommands, type Deciding } from './organisation-commands.ts';
import type { Writer } from './writer.ts';

interface DirectMemories {
  tags: readonly string[];
  documentId: string;
  memories: readonly PreparedMemory[];
}

const VECTORS_ERASED_AT_ONCE = 200;

/** A large removal goes slice by slice, so that nobody waits behind it. */
const removeAll = async (
  writer: Writer,
  reach: Reach,
  target: Removal,
  now: () => number,
): Promise<Removed> => {
  const deleted: string[] = [];
  for (;;) {
    const slice = await writer.write((tx) => removeDocuments(tx, reach, target, now()));
    deleted.push(...slice.deleted);
    if (!mayHaveMore(target, slice)) return { ...slice, deleted };
  }
};

export const forgetSpace = async (writer: Writer, id: number, signal?: AbortSignal): Promise<void> => {
  let more = true;
  while (more && signal?.aborted !== true)
    more = await writer.write((tx) => forgetSlice(tx, id, VECTORS_ERASED_AT_ONCE), 'ingest');
};

export interface CommandOptions extends Deciding {
  changed: () => void;
}

export const createCommands = (writer: Writer, { now, changed, relating }: CommandOptions): Handlers => {
  /** The pipeline looks for work at once instead of at its next round. */
  const announced = async <T>(work: Promise<T>): Promise<T> => {
    const result = await work;
    changed();
    return result;
  };
  return {
    submit: (reach: Reach, items: Submission[]) =>
      announced(writer.write((tx) => submit(tx, reach, items, now()))),
    update: (reach: Reach, ref: string, patch: Patch) =>
      announced(
        writer.write(async (tx) => {
          const updated = await updateDocument(tx, reach, ref, patch, now());
          await uniteArrived(tx, relating, now());
          return updated;
        }),
      ),
    remove: (reach: Reach, target: Removal) => announced(removeAll(writer, reach, target, now)),
    createMemories: (reach: Reach, request: DirectMemories, spaces: FillSpace[]) =>
      announced(writer.write((tx) => createMemories(tx, reach, request, relating, spaces, now()))),
    reviseMemory: (reach: Reach, id: string, revision: Revision, spaces: FillSpace[]) =>
      announced(writer.write((tx) => reviseMemory(tx, reach, id, revision, spaces, now()))),
    forgetMemories: (reach: Reach, ids: string[], request: { reason: string | null; batch: string | null }) =>
      writer.write((tx) => forgetMemories(tx, reach, ids, request, now())),
    reviewMemory: (reach: Reach, id: string, action: 'approve' | 'decline' | 'undo') =>
      writer.write((tx) => reviewMemory(tx, reach, id, action, now())),
    createKey: (key: KeyRecord) => writer.write((tx) => createKey(tx, key)),
    enableKey: (id: string, enabled: boolean) => writer.write((tx) => enableKey(tx, id, enabled)),
    touchKeys: (uses: { id: string; at: number }[]) => writer.write((tx) => touchKeys(tx, uses)),
    ensureOrganisation: (fresh: Organisation) => writer.write((tx) => ensureOrganisation(tx, fresh)),
    createSpace: (space: Omit<SpaceRecord, 'id'>) => writer.write((tx) => createSpace(tx, space, now())),
    calibrateSpace: (id: number, calibration: Calibration) =>
      writer.write((tx) => calibrateSpace(tx, id, calibration)),
    ...createGrantCommands(writer, now),
    ...createOrganisationCommands(writer, { now, relating }, announced),
  };
};

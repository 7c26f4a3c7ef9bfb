// The writes of requests to tags, settings, secrets and usage, by name; large ones run in slices.

import type { AuditDetails, AuditNote } from '../../../core/audit.ts';
import type { Reach } from '../../../core/scope.ts';
import type { Writer } from '../engine/writer.ts';
import type { Relating } from '../ports/memories/remembering.ts';
import type { ConnectionSecret, ListedSecret } from '../ports/secrets.ts';
import type { ResetCounts } from '../ports/settings.ts';
import type { MergeRequest, TagChanges, TagRemoved } from '../ports/tags.ts';
import type { Spent, TokenCount } from '../ports/usage/usage.ts';
import { addTokens } from '../queries/access/usage.ts';
import { uniteArrived } from '../queries/memories/join-chains.ts';
import { replaceSecret, secretsOfConnections } from '../queries/organisation/secrets.ts';
import { countMemories, resetSlice, writeSettings } from '../queries/organisation/settings.ts';
import { startMerge } from '../queries/tags/merges.ts';
import { countUnderTag, type Removing, removeTagSlice, upsertTag } from '../queries/tags/tags.ts';
import type { Db } from '../tables/tables.ts';
import type { Audited } from './audited.ts';

export interface Deciding {
  now: () => number;
  /** Finds the relations of memories to others; null: they get none. */
  relating: Relating | null;
}

interface AuditedDeciding extends Deciding {
  audited: Audited;
}

interface RemovalSlice extends Removing {
  /** Under the tag before. */
  all: number;
}

const removalDetails = ({ removed, all }: RemovalSlice): AuditDetails | null =>
  removed.outcome === 'removed' ? { documents: all } : null;

/** The first slice notes all of it. */
const removeTag = async (
  writer: Writer,
  reach: Reach,
  tag: string,
  { now, relating, audited, note }: AuditedDeciding & { note: AuditNote | null | undefined },
): Promise<TagRemoved> => {
  let documents = 0;
  let memories = 0;
  for (let first = true; ; first = false) {
    const work = async (tx: Db): Promise<RemovalSlice> => {
      const all = first ? await countUnderTag(tx, tag) : 0;
      const slice = await removeTagSlice(tx, reach, tag, now());
      await uniteArrived(tx, relating, now());
      return { ...slice, all };
    };
    const { more, removed } = await writer.write(audited(first ? note : null, work, removalDetails));
    // Another call removed the tag between two slices: the documents that this call removed stay removed.
    if (removed.outcome !== 'removed')
      return !first && removed.outcome === 'missing' ? { outcome: 'removed', documents, memories } : removed;
    documents += removed.documents;
    memories += removed.memories;
    if (!more) return { outcome: 'removed', documents, memories };
  }
};

/** The first slice notes all of it. */
const reset = async (
  writer: Writer,
  defaultTag: string,
  { now, audited, note }: AuditedDeciding & { note: AuditNote | null | undefined },
): Promise<ResetCounts> => {
  const memories = await writer.together(countMemories);
  let documents = 0;
  let batches = 0;
  for (let first = true; ; first = false) {
    const { more, counts } = await writer.write(
      audited(
        first ? note : null,
        (tx) => resetSlice(tx, defaultTag, now()),
        () => ({ memories }),
      ),
    );
    documents += counts.documents;
    batches += counts.batches;
    if (!more) return { ...counts, documents, batches, memories };
  }
};

export const createOrganisationCommands = (
  writer: Writer,
  options: AuditedDeciding,
  announced: <T>(work: Promise<T>) => Promise<T>,
) => ({
  upsertTag: (reach: Reach, tag: string, changes: TagChanges, note?: AuditNote | null) =>
    writer.together(
      options.audited(note, (tx) => upsertTag({ tx, reach, now: options.now() }, tag, changes)),
    ),
  removeTag: (reach: Reach, tag: string, note?: AuditNote | null) =>
    announced(removeTag(writer, reach, tag, { ...options, note })),
  mergeTags: (reach: Reach, request: MergeRequest, note?: AuditNote | null) =>
    announced(
      writer.write(
        options.audited(
          note,
          (tx) => startMerge(tx, reach, request, options.now()),
          ({ outcome }) => (outcome === 'started' ? {} : null),
        ),
      ),
    ),
  addTokens: (what: Spent, tokens: TokenCount) =>
    writer.together((tx) => addTokens(tx, what, tokens, options.now()), 'ingest'),
  writeSettings: (changes: Readonly<Record<string, unknown>>, note?: AuditNote | null) =>
    writer.write(options.audited(note, (tx) => writeSettings(tx, changes, options.now()))),
  secretsOfConnections: (of: ConnectionSecret, slice: { after: string; limit: number }) =>
    writer.together((tx) => secretsOfConnections(tx, of, slice)),
  replaceSecret: (secret: ListedSecret, sealed: string) =>
    writer.write((tx) => replaceSecret(tx, secret, sealed)),
  resetEverything: (defaultTag: string, note?: AuditNote | null) =>
    announced(reset(writer, defaultTag, { ...options, note })),
});

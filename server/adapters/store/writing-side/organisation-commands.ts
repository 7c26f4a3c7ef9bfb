// The writes of requests to tags, settings, secrets and usage, by name; large ones run in slices.

import type { Reach } from '../../../core/scope.ts';
import type { Writer } from '../engine/writer.ts';
import type { Relating } from '../ports/remembering.ts';
import type { SealedSecret } from '../ports/secrets.ts';
import type { ResetCounts } from '../ports/settings.ts';
import type { MergeRequest, TagChanges, TagRemoved } from '../ports/tags.ts';
import type { Spent, TokenCount } from '../ports/usage.ts';
import { addTokens } from '../queries/access/usage.ts';
import { uniteArrived } from '../queries/memories/join-chains.ts';
import { replaceSecret } from '../queries/organisation/secrets.ts';
import { countMemories, resetSlice, writeSettings } from '../queries/organisation/settings.ts';
import { startMerge } from '../queries/tags/merges.ts';
import { removeTagSlice, upsertTag } from '../queries/tags/tags.ts';

export interface Deciding {
  now: () => number;
  /** Finds the relations of memories to others; null: they get none. */
  relating: Relating | null;
}

const removeTag = async (
  writer: Writer,
  reach: Reach,
  tag: string,
  { now, relating }: Deciding,
): Promise<TagRemoved> => {
  let documents = 0;
  let memories = 0;
  for (let first = true; ; first = false) {
    const { more, removed } = await writer.write(async (tx) => {
      const slice = await removeTagSlice(tx, reach, tag, now());
      await uniteArrived(tx, relating, now());
      return slice;
    });
    // Another call removed the tag between two slices: the documents that this call removed stay removed.
    if (removed.outcome !== 'removed')
      return !first && removed.outcome === 'missing' ? { outcome: 'removed', documents, memories } : removed;
    documents += removed.documents;
    memories += removed.memories;
    if (!more) return { outcome: 'removed', documents, memories };
  }
};

const reset = async (writer: Writer, defaultTag: string, now: () => number): Promise<ResetCounts> => {
  const memories = await writer.write(countMemories);
  let documents = 0;
  let batches = 0;
  for (;;) {
    const { more, counts } = await writer.write((tx) => resetSlice(tx, defaultTag, now()));
    documents += counts.documents;
    batches += counts.batches;
    if (!more) return { ...counts, documents, batches, memories };
  }
};

export const createOrganisationCommands = (
  writer: Writer,
  options: Deciding,
  announced: <T>(work: Promise<T>) => Promise<T>,
) => ({
  upsertTag: (reach: Reach, tag: string, changes: TagChanges) =>
    writer.write((tx) => upsertTag({ tx, reach, now: options.now() }, tag, changes)),
  removeTag: (reach: Reach, tag: string) => announced(removeTag(writer, reach, tag, options)),
  mergeTags: (reach: Reach, request: MergeRequest) =>
    announced(writer.write((tx) => startMerge(tx, reach, request, options.now()))),
  addTokens: (what: Spent, tokens: TokenCount) =>
    writer.write((tx) => addTokens(tx, what, tokens, options.now()), 'ingest'),
  writeSettings: (changes: Readonly<Record<string, unknown>>) =>
    writer.write((tx) => writeSettings(tx, changes, options.now())),
  replaceSecret: (secret: SealedSecret, sealed: string) =>
    writer.write((tx) => replaceSecret(tx, secret, sealed)),
  resetEverything: (defaultTag: string) => announced(reset(writer, defaultTag, options.now)),
});

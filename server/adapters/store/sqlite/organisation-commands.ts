// The writes about tags, settings and usage that a request can ask for, by name; large ones go slice by slice.
import type { Handlers } from '../../../lib/rpc.ts';
import type { Reach } from '../../../lib/scope.ts';
import type { Relating } from '../memory-port.ts';
import { uniteArrived } from '../queries/memory-unite.ts';
import { startMerge } from '../queries/merges.ts';
import { countMemories, resetSlice, writeSettings } from '../queries/settings.ts';
import { removeTagSlice, upsertTag } from '../queries/tags.ts';
import { addTokens } from '../queries/usage.ts';
import type { ResetCounts } from '../settings-port.ts';
import type { MergeRequest, TagChanges, TagRemoved } from '../tag-port.ts';
import type { Spent, TokenCount } from '../usage-port.ts';
import type { Writer } from './writer.ts';

export interface Deciding {
  now: () => number;
  /** How memories stand to others; null: each stays by itself. */
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
    // Somebody else took the tag away between two slices: what this call removed is removed all the same.
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
): Handlers => ({
  upsertTag: (reach: Reach, tag: string, changes: TagChanges) =>
    writer.write((tx) => upsertTag(tx, reach, tag, changes, options.now())),
  removeTag: (reach: Reach, tag: string) => announced(removeTag(writer, reach, tag, options)),
  mergeTags: (reach: Reach, request: MergeRequest) =>
    announced(writer.write((tx) => startMerge(tx, reach, request, options.now()))),
  addTokens: (what: Spent, tokens: TokenCount) =>
    writer.write((tx) => addTokens(tx, what, tokens, options.now()), 'ingest'),
  writeSettings: (changes: Record<string, unknown>) =>
    writer.write((tx) => writeSettings(tx, changes, options.now())),
  resetEverything: (defaultTag: string) => announced(reset(writer, defaultTag, options.now)),
});

// One transaction of a merge: moves some documents to the target, or deletes the sources if none is left.

import { textList } from '../../engine/lists.ts';
import type { Relating } from '../../ports/memories/remembering.ts';
import type { MergeRecord } from '../../ports/tags.ts';
import type { Db } from '../../tables/tables.ts';
import { inheritTokens } from '../access/usage.ts';
import { mergeTagsOfConnections } from '../connections/tags.ts';
import { retag } from '../documents/update.ts';
import { uniteArrived } from '../memories/join-chains.ts';
import { inheritUsage } from '../usage/write.ts';
import { inheritRecord, noteMerge, unfinishedMerges } from './merges.ts';
import { eraseTags, taggedWith } from './tags.ts';

/** In the place of the first source, each once. */
const mergedTags = (tags: readonly string[], { sources, target }: MergeRecord): string[] => [
  ...new Set(tags.map((tag) => (sources.includes(tag) ? target : tag))),
];

export const mergeSlice = async (
  tx: Db,
  limit: number,
  relating: Relating | null,
  now: number,
): Promise<boolean> => {
  const [merge] = await unfinishedMerges(tx);
  if (!merge) return false;
  const rows = await tx.selectFrom('tags').select('n').where('tag', 'in', textList(merge.sources)).execute();
  const sources = rows.map((row) => row.n);
  const documents = await taggedWith(tx, sources, limit);
  let unnamed = 0;
  for (const { n, tags } of documents) {
    const { keptName } = await retag(tx, n, mergedTags(JSON.parse(tags), merge), now);
    if (!keptName) unnamed += 1;
  }
  await uniteArrived(tx, relating, now);
  const done = documents.length === 0;
  if (done) {
    await inheritRecord(tx, merge, now);
    await inheritTokens(tx, sources, merge.target);
    await inheritUsage(tx, sources, merge.target);
    await mergeTagsOfConnections(tx, merge.sources, merge.target);
    await eraseTags(tx, sources);
  }
  await noteMerge(tx, merge.id, { moved: documents.length, unnamed, done }, now);
  return true;
};

// One transaction's worth of a merge: some documents carry the target instead, or none is left and the sources go.
import type { Relating } from '../memory-port.ts';
import type { Db } from '../tables.ts';
import type { MergeRecord } from '../tag-port.ts';
import { retag } from './change.ts';
import { uniteArrived } from './memory-unite.ts';
import { inheritRecord, noteMerge, unfinishedMerges } from './merges.ts';
import { eraseTags, taggedWith } from './tags.ts';
import { inheritTokens } from './usage.ts';
import { inList } from './visible.ts';

/** In the place of the first source, each once. */
const merged = (tags: readonly string[], { sources, target }: MergeRecord): string[] => [
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
  const rows = await tx.selectFrom('tags').select('n').where('tag', 'in', inList(merge.sources)).execute();
  const sources = rows.map((row) => row.n);
  const documents = await taggedWith(tx, sources, limit);
  let unnamed = 0;
  for (const { n, tags } of documents) {
    const { keptName } = await retag(tx, n, merged(JSON.parse(tags), merge), now);
    if (!keptName) unnamed += 1;
  }
  await uniteArrived(tx, relating, now);
  const done = documents.length === 0;
  if (done) {
    await inheritRecord(tx, merge, now);
    await inheritTokens(tx, sources, merge.target);
    await eraseTags(tx, sources);
  }
  await noteMerge(tx, merge.id, { moved: documents.length, unnamed, done }, now);
  return true;
};

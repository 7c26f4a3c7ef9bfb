// Finds existing memories that statements seem to change, for the sender to judge.
import type { SimilarMemories } from '../../../tools/documents/schemas/facts.ts';
import type { Caller } from '../../core/principal.ts';
import { statementKey } from '../../core/statement.ts';
import { mapBounded } from '../../lib/async/bounded.ts';
import type { FoundMemory, Search } from '../search/search.ts';

export interface StatedFacts {
  /** The tags of the document: a version of a memory under others could not follow. */
  tags: readonly string[];
  facts: readonly { content: string; replaces?: string | undefined }[];
}

/** From here on two statements are taken to be about the same thing. */
const SEEMS_CHANGED = 0.5;
const MOST_SHOWN = 3;
const AT_ONCE = 4;
/** Some of the nearest may be the facts themselves, or carry further tags. */
const LOOKED_AT = 8;
const LONGEST_SEARCH_MS = 2000;

const sameTags = (one: readonly string[], other: readonly string[]): boolean =>
  new Set(one).size === new Set([...one, ...other]).size && one.length === other.length;

/** Facts that say which memory they replace need no hint, and a memory that says the same as a fact is none. */
export const findSimilarMemories = async (
  search: Search['findMemories'],
  caller: Caller,
  { tags, facts }: StatedFacts,
): Promise<SimilarMemories> => {
  const said = new Set(facts.map(({ content }) => statementKey(content)));
  const replaced = new Set(facts.map(({ replaces }) => replaces));
  const open = facts.filter(({ replaces }) => replaces === undefined);
  const asked = { tags, threshold: SEEMS_CHANGED, limit: LOOKED_AT, forgotten: false };
  const found = await mapBounded(open, AT_ONCE, ({ content }) =>
    search(caller, { ...asked, q: content }, AbortSignal.timeout(LONGEST_SEARCH_MS)),
  );
  const best = new Map<string, FoundMemory>();
  for (const one of found.flat()) {
    const { record } = one;
    if (!record.isLatest || replaced.has(record.id) || said.has(statementKey(record.memory))) continue;
    if (!sameTags(record.tags, tags)) continue;
    if (one.similarity > (best.get(record.id)?.similarity ?? 0)) best.set(record.id, one);
  }
  return [...best.values()]
    .sort((a, b) => b.similarity - a.similarity)
    .slice(0, MOST_SHOWN)
    .map(({ record: { id, memory } }) => ({ id, memory }));
};

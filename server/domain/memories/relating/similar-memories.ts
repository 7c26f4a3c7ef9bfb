// Finds existing memories that statements seem to change, for the sender to judge.
import type { SimilarMemories } from '../../../../tools/documents/schemas/facts.ts';
import type { Caller } from '../../../core/principal.ts';
import { statementKey } from '../../../core/statements/statement-key.ts';
import { mapBounded } from '../../../lib/async/bounded.ts';
import type { FoundMemory } from '../../search/find-memories.ts';
import type { Search } from '../../search/search.ts';
import { NO_SUBJECT, type SubjectsOf } from '../direct-memories.ts';

export interface StatedFacts {
  /** The tags of the document: a version of a memory under others could not follow. */
  tags: readonly string[];
  facts: readonly { content: string; replaces?: string | undefined }[];
}

/**
 * Among few memories all that is said of Anna answers a question about Anna, and changes nothing else of her: what is likely
 * only there does not count. Of 20 changes in other words ("is engaged to", "married") this similarity finds 17, with no other of the 19 memories of the
 * same tag; a change of place that finds no word again ("lives in", "moved to") is found by its slot.
 */
const SEEMS_CHANGED = 0.4;
const MOST_SHOWN = 3;
const AT_ONCE = 4;
/** Some of the nearest may be the facts themselves, or carry further tags. */
const LOOKED_AT = 8;
const LONGEST_SEARCH_MS = 2000;

interface Similar extends FoundMemory {
  /** The memory holds another value of the one thing that the fact is about. */
  sameSlot: boolean;
}

export interface SimilarDeps {
  search: Search['findMemories'];
  subjectsOf: SubjectsOf;
}

const sameTags = (one: readonly string[], other: readonly string[]): boolean =>
  new Set(one).size === new Set([...one, ...other]).size && one.length === other.length;

const similarTo = async (
  { search, subjectsOf }: SimilarDeps,
  caller: Caller,
  tags: readonly string[],
  statement: string,
): Promise<Similar[]> => {
  const query = { q: statement, tags, threshold: 0, limit: LOOKED_AT, forgotten: false };
  const found = await search(caller, query, AbortSignal.timeout(LONGEST_SEARCH_MS));
  const [{ slot } = NO_SUBJECT] = await subjectsOf([statement]);
  return found
    .map((one) => ({ ...one, sameSlot: slot !== null && one.record.slot === slot }))
    .filter(({ sameSlot, sure }) => sameSlot || sure >= SEEMS_CHANGED);
};

const nearestFirst = (a: Similar, b: Similar): number =>
  Number(b.sameSlot) - Number(a.sameSlot) || b.sure - a.sure;

/** Facts that say which memory they replace need no hint, and a memory that says the same as a fact is none. */
export const findSimilarMemories = async (
  deps: SimilarDeps,
  caller: Caller,
  { tags, facts }: StatedFacts,
): Promise<SimilarMemories> => {
  const said = new Set(facts.map(({ content }) => statementKey(content)));
  const replaced = new Set(facts.map(({ replaces }) => replaces));
  const open = facts.filter(({ replaces }) => replaces === undefined);
  const found = await mapBounded(open, AT_ONCE, ({ content }) => similarTo(deps, caller, tags, content));
  const isCandidate = ({ record }: Similar): boolean =>
    record.isLatest &&
    !replaced.has(record.id) &&
    !said.has(statementKey(record.memory)) &&
    sameTags(record.tags, tags);
  const best = new Map<string, string>();
  for (const { record } of found.flat().filter(isCandidate).sort(nearestFirst))
    if (best.size < MOST_SHOWN) best.set(record.id, record.memory);
  return [...best].map(([id, memory]) => ({ id, memory }));
};

// Finds the memory that replaced what a passage says of the query: it answers in place of the passage.
import type { RecallStore, ReplacedMemory, Stated } from '../../../adapters/store/ports/memories/recall.ts';
import type { Scope } from '../../../core/scope.ts';
import { memoryWords } from '../words/memory-words.ts';
import { countHeldRoots, sentencesWithRoots, statingSentences } from '../words/stating-sentences.ts';
import { asHighAs, type RankedMemory, type RankedPassage } from './fuse-memories-and-passages.ts';

/** A replaced memory with at least this share of the words that the query shares with its sentence is what the query asks for. */
const ASKED_SHARE = 0.5;

interface PassageStatements {
  readonly passage: RankedPassage;
  readonly replaced: readonly ReplacedMemory[];
  /** The texts of the memories that it states and that still hold. */
  readonly held: readonly string[];
}

/** The numbers of the memories that replaced what the passage says of the query. */
const replacingFor = (query: string, { passage, replaced, held }: PassageStatements): number[] => {
  const said = sentencesWithRoots(passage.candidate.text);
  const queryRoots = memoryWords(query).roots();
  const counts = countHeldRoots(said, queryRoots);
  const most = Math.max(0, ...counts);
  // A passage that states nothing else says only what was replaced, unless words tell what is asked for.
  if (most === 0) return held.length === 0 ? replaced.map(({ by }) => by) : [];
  const asked = new Set(counts.flatMap((count, at) => (count === most ? [at] : [])));
  const statesAsked = (memory: string): boolean => !statingSentences(said, memory).isDisjointFrom(asked);
  const isAlone = !held.some(statesAsked);
  // "Ich wohne in Köln" and "Der Nutzer wohnt in Köln" share one word: no sentence states the memory for sure.
  const mayStateAsked = (memory: string): boolean => {
    const places = statingSentences(said, memory);
    return places.size === 0 ? isAlone : !places.isDisjointFrom(asked);
  };
  const isAskedFor = (memory: string): boolean =>
    memoryWords(memory).roots().intersection(queryRoots).size >= ASKED_SHARE * most;
  return replaced
    .filter(({ memory }) => mayStateAsked(memory) && (isAlone || isAskedFor(memory)))
    .map(({ by }) => by);
};

/** The numbers of the memories that replaced what a passage says of the query, by the number of the passage. */
export type Replacing = ReadonlyMap<number, readonly number[]>;

export interface ReplacingInput {
  readonly query: string;
  /** The passages for which no memory stands. */
  readonly passages: readonly RankedPassage[];
  readonly stated: ReadonlyMap<number, Stated>;
  /** Also those below the threshold. */
  readonly memories: readonly RankedMemory[];
}

const byNumber = (memories: readonly RankedMemory[]): Map<number, RankedMemory> =>
  new Map(memories.map((memory) => [memory.candidate.n, memory]));

export const readReplacing = async (
  { recall, scope }: { readonly recall: RecallStore; readonly scope: Scope },
  { query, passages, stated, memories }: ReplacingInput,
): Promise<Replacing> => {
  const ns = memories.length === 0 ? [] : passages.map(({ candidate }) => candidate.n);
  const replacedIn =
    ns.length === 0 ? new Map<number, ReplacedMemory[]>() : await recall.replacing(scope, ns);
  if (replacedIn.size === 0) return new Map();
  const known = byNumber(memories);
  const replacing = passages.map((passage): [number, number[]] => {
    const { n } = passage.candidate;
    const replaced = replacedIn.get(n) ?? [];
    const held = (stated.get(n)?.memories ?? []).flatMap((one) => known.get(one)?.candidate.text ?? []);
    return [n, replaced.length === 0 ? [] : replacingFor(query, { passage, replaced, held })];
  });
  return new Map(replacing.filter(([, by]) => by.length > 0));
};

/** Such a memory answers as well as the passage, whatever its own words are: "moved to Bremen" for "Where do I live?". */
export const withReplacing = (
  found: readonly RankedMemory[],
  { passages, memories }: Pick<ReplacingInput, 'passages' | 'memories'>,
  replacing: Replacing,
): readonly RankedMemory[] => {
  if (replacing.size === 0) return found;
  const [lifted, known] = [byNumber(found), byNumber(memories)];
  for (const passage of passages)
    for (const n of replacing.get(passage.candidate.n) ?? []) {
      const memory = lifted.get(n) ?? known.get(n);
      if (memory) lifted.set(n, asHighAs(memory, [passage]));
    }
  return [...lifted.values()].sort((a, b) => b.order - a.order);
};

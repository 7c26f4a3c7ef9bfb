// Redraws the memories of a document that was read before: what the present reader still draws stays as it is, new
// statements are added, and what it draws no more is dropped. Whatever a person settled stays.
import type {
  MemoryHarvest,
  PassageMemory,
  PreparedRelation,
  RedrawJob,
} from '../../adapters/store/ports/memories/remembering.ts';
import { statementKey } from '../../core/statements/statement-key.ts';
import { rootsOf } from '../../lib/text/terms/derivations.ts';
import { type HarvestDeps, harvestMemories } from './harvest.ts';

/** Two statements of one passage share at least this part of the shorter one's words when they say the same. */
const SAME_WORDS = 0.6;

const saysTheSame = (
  one: Pick<PassageMemory, 'memory' | 'slot'>,
  other: Pick<PassageMemory, 'memory' | 'slot'>,
): boolean => {
  if (one.slot !== null && other.slot !== null) return one.slot === other.slot;
  const [words, others] = [new Set(rootsOf(one.memory)), new Set(rootsOf(other.memory))];
  const shared = words.intersection(others).size;
  return shared > 0 && shared >= SAME_WORDS * Math.min(words.size, others.size);
};

/** The memory that stands for a statement already: in the same words, or settled by a person in other words. */
const standingFor = (
  statement: Pick<PassageMemory, 'memory' | 'slot'>,
  chunks: readonly string[],
  stated: readonly PassageMemory[],
): PassageMemory | undefined => {
  const here = stated.filter(({ chunk }) => chunks.includes(chunk));
  const key = statementKey(statement.memory);
  return (
    here.find(({ memory }) => statementKey(memory) === key) ??
    here.find((memory) => memory.settled && saysTheSame(statement, memory))
  );
};

/** A relation to a statement that a memory stands for is a relation to that memory. */
const towards = (
  relation: PreparedRelation,
  standing: readonly (PassageMemory | undefined)[],
): PreparedRelation => {
  const memory = 'drawn' in relation.to ? standing[relation.to.drawn] : undefined;
  return memory === undefined ? relation : { ...relation, to: { known: memory.id } };
};

export interface Redrawn {
  harvest: MemoryHarvest;
  /** The ids of memories that were not drawn again. */
  dropped: string[];
}

export const harvestAgain = async (
  deps: HarvestDeps,
  job: RedrawJob,
  signal: AbortSignal,
): Promise<Redrawn> => {
  const { stated } = job;
  const harvest = await harvestMemories(deps, job, signal);
  const standing = harvest.prepared.map((prepared, at) =>
    standingFor(prepared, harvest.chunks[at] ?? [], stated),
  );
  const kept = new Set(standing.flatMap((memory) => memory?.id ?? []));
  const others = stated.filter(({ id, settled }) => !settled && !kept.has(id));
  return {
    harvest: {
      ...harvest,
      // Without a passage nothing is stored.
      chunks: harvest.chunks.map((chunks, at) => (standing[at] === undefined ? chunks : [])),
      relationsOf: async (known) =>
        (await harvest.relationsOf(known)).map((relations) =>
          relations.map((relation) => towards(relation, standing)),
        ),
    },
    dropped: [...new Set(others.map(({ id }) => id))],
  };
};

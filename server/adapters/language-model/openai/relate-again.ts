// Relates a model's memories again with the currently stored ones, because other documents may have changed them.
import type { DrawnMemory, DrawnRelation, KnownMemory } from '../ports/memory-reader.ts';

/** True for a statement without relations: the model may not have seen the memory that it changes. */
const isNewStatement = ({ relations, outdatedBy, isInference }: DrawnMemory): boolean =>
  relations.length === 0 && outdatedBy === null && !isInference;

const replaces = ({ kind }: DrawnRelation): boolean => kind === 'updates';

/** `ruled`: the memories as the rules relate them. A relation to a memory that is no longer the latest moves to the latest memory of the same slot. */
export const relateAgain = (
  drawn: readonly DrawnMemory[],
  known: readonly KnownMemory[],
  ruled: readonly DrawnMemory[],
): DrawnMemory[] => {
  const ids = new Set(known.map(({ id }) => id));
  const isCurrent = ({ to }: DrawnRelation): boolean => 'drawn' in to || ids.has(to.known);

  const replacementsFor = ({ slot, relations, outdatedBy }: DrawnMemory): DrawnRelation[] => {
    const isLost =
      relations.some((relation) => replaces(relation) && !isCurrent(relation)) ||
      (outdatedBy !== null && !ids.has(outdatedBy));
    if (!isLost || slot === null) return [];
    return known
      .filter((one) => one.slot === slot)
      .map(({ id }): DrawnRelation => ({ kind: 'updates', to: { known: id } }));
  };

  return drawn.map((one, at) => {
    const rule = isNewStatement(one) ? ruled[at] : undefined;
    const { outdatedBy } = rule ?? one;
    return {
      ...one,
      relations: [
        ...one.relations.filter(isCurrent),
        ...replacementsFor(one),
        ...(rule?.relations.filter(replaces) ?? []),
      ],
      outdatedBy: outdatedBy !== null && ids.has(outdatedBy) ? outdatedBy : null,
    };
  });
};

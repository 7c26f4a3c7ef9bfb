// What a model drew, related once more with the memories as they are by now: others may have stored theirs meanwhile.
import type { DrawnMemory, DrawnRelation, KnownMemory } from '../port.ts';

type Relate = (drawn: readonly DrawnMemory[], known: readonly KnownMemory[]) => readonly DrawnMemory[];

/** The model took it for something new: it may not have been shown what it changes. */
const isNews = ({ relations, outdatedBy, isInference }: DrawnMemory): boolean =>
  relations.length === 0 && outdatedBy === null && !isInference;

const replaces = ({ kind }: DrawnRelation): boolean => kind === 'updates';

/** Whom it replaced may be replaced by now: then the one that stands in its place is. */
export function relateAgain(
  drawn: readonly DrawnMemory[],
  known: readonly KnownMemory[],
  byRules: Relate,
): DrawnMemory[] {
  const ids = new Set(known.map(({ id }) => id));
  const isThere = ({ to }: DrawnRelation): boolean => 'drawn' in to || ids.has(to.known);
  const ruled = byRules(drawn, known);

  const inPlaceOf = ({ slot, relations, outdatedBy }: DrawnMemory): DrawnRelation[] => {
    const isLost =
      relations.some((relation) => replaces(relation) && !isThere(relation)) ||
      (outdatedBy !== null && !ids.has(outdatedBy));
    if (!isLost || slot === null) return [];
    return known
      .filter((one) => one.slot === slot)
      .map(({ id }): DrawnRelation => ({ kind: 'updates', to: { known: id } }));
  };

  return drawn.map((one, at) => {
    const rule = isNews(one) ? ruled[at] : undefined;
    const { outdatedBy } = rule ?? one;
    return {
      ...one,
      relations: [
        ...one.relations.filter(isThere),
        ...inPlaceOf(one),
        ...(rule?.relations.filter(replaces) ?? []),
      ],
      outdatedBy: outdatedBy !== null && ids.has(outdatedBy) ? outdatedBy : null,
    };
  });
}

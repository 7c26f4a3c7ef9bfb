// Containers that are large enough for an index which leaves small ones out: their vectors are added to the outbox in slices, so
// that each write is short and the outbox stays so.
import type { FillSpace } from '../../../adapters/store/ports/spaces.ts';
import { containerOfNumber } from '../../../core/chunks/chunk-number.ts';
import type { IndexerContext } from './context.ts';

const ENQUEUED_AT_ONCE = 2000;

/** Looks at all containers. From then on the outbox tells which ones have grown. */
export const findGrowing = async (
  { deps: { store, indexFrom }, growing }: IndexerContext,
  space: FillSpace,
): Promise<void> => {
  growing.set(space.id, indexFrom === 0 ? null : new Set(await store.containersToIndex(space.id, null)));
};

/** The numbers among these whose vectors the index is to hold. */
export const indexableOf = async (
  { deps: { store }, growing }: IndexerContext,
  space: FillSpace,
  ns: readonly number[],
): Promise<ReadonlySet<number>> => {
  const those = growing.get(space.id) ?? null;
  if (those === null) return new Set(ns);
  const indexable = new Set(await store.indexable(space.id, ns));
  const containers = new Set(ns.filter((n) => !indexable.has(n)).map(containerOfNumber));
  if (containers.size > 0)
    for (const container of await store.containersToIndex(space.id, [...containers])) those.add(container);
  return indexable;
};

export const isGrowing = ({ growing }: IndexerContext, space: FillSpace): boolean =>
  (growing.get(space.id)?.size ?? 0) > 0;

/** Adds a slice of one growing container to the outbox. */
export const enqueueGrowing = async (
  { deps: { store }, growing }: IndexerContext,
  space: FillSpace,
): Promise<void> => {
  const those = growing.get(space.id) ?? new Set();
  const [container] = those;
  if (container === undefined) return;
  if (!(await store.enqueueContainer(space, container, ENQUEUED_AT_ONCE))) those.delete(container);
};

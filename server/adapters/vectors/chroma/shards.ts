// The shards of a space: with the setting each space has several collections, and all vectors of a container lie in one.
import { containerOfNumber } from '../../../core/chunks/chunk-number.ts';

/** The shards of a space to which one call goes at the same time. */
export const SHARDS_AT_ONCE = 8;

export interface ShardLayout {
  /** The names of a space's collections. */
  collections(space: number): string[];
  /** The collections that may hold vectors of these containers; null: of any. */
  holding(space: number, containers: readonly number[] | null): string[];
  /** The items by the collection of their chunk. */
  divided<T>(space: number, items: readonly T[], numberOf: (item: T) => number): Map<string, T[]>;
  /** A collection of this installation that another number of shards left. */
  isOther(collection: string): boolean;
}

const NAMESPACE = /^[A-Za-z0-9](?:[A-Za-z0-9_-]{0,62}[A-Za-z0-9])?$/;
/** A point never occurs in a namespace, so no other collection has such an end. */
const END = /^\d+(?:\.\d+-of-(\d+))?$/;

/** One shard keeps the name that spaces had before there were shards. */
export const collectionName = (namespace: string, space: number, shard = 0, shards = 1): string =>
  `memoir-${namespace}-${space}${shards === 1 ? '' : `.${shard}-of-${shards}`}`;

/** Stays as it is for ever: it says where each stored vector lies. Mixed, because numbers of containers have patterns. */
const shardOf = (container: number, shards: number): number => {
  let mixed = Math.imul(container ^ (container >>> 16), 2246822507);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 3266489909);
  return ((mixed ^ (mixed >>> 16)) >>> 0) % shards;
};

export const createShardLayout = (namespace: string, shards: number): ShardLayout => {
  if (!NAMESPACE.test(namespace))
    throw new Error(
      'The Chroma namespace may hold up to 64 letters, digits, "-" and "_", and may neither begin nor end with "-" or "_".',
    );
  const collections = (space: number): string[] =>
    Array.from({ length: shards }, (_, shard) => collectionName(namespace, space, shard, shards));
  const nameFor = (space: number, container: number): string =>
    collectionName(namespace, space, shardOf(container, shards), shards);
  const beginning = `memoir-${namespace}-`;
  return {
    collections,
    holding(space, containers) {
      if (containers === null || shards === 1) return collections(space);
      const held = new Set<string>();
      for (const container of containers) {
        if (held.size === shards) break;
        held.add(nameFor(space, container));
      }
      return [...held];
    },
    divided: (space, items, numberOf) =>
      Map.groupBy(items, (item) => nameFor(space, containerOfNumber(numberOf(item)))),
    isOther(collection) {
      const end = collection.startsWith(beginning) ? END.exec(collection.slice(beginning.length)) : null;
      return end !== null && Number(end[1] ?? 1) !== shards;
    },
  };
};

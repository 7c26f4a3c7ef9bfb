// Finds the place of a new memory: its chain of versions, its position there, and its relations to other chains.
import { type SpokenTime, wasSaidBefore } from '../../../../core/statements/spoken-time.ts';
import type { PreparedMemory, StoredRelation } from '../../ports/memories/memories.ts';
import type { PreparedRelation } from '../../ports/memories/remembering.ts';
import type { MemoryRow } from '../../statements/memory-rows.ts';
import type { Db } from '../../tables/tables.ts';
import { type ChainVersion, chainVersions, memoryById, positionAmong, spokenTime } from './versions.ts';

export interface Arrival {
  prepared: PreparedMemory;
  relations: readonly PreparedRelation[];
  /** The chunks that state it; null: the document as a whole. */
  chunks: readonly string[] | null;
  said: SpokenTime;
  /** Its position in the document. */
  position: number;
}

/** The context in which a new memory is placed. */
export interface ArrivalContext {
  container: number;
  /** The memories drawn earlier from the same document. */
  stored: readonly (MemoryRow | null)[];
  /** Memories drawn earlier from a later part of the document, by their last position. */
  below: ReadonlyMap<number, number>;
}

export interface Placement {
  /** The other versions of its chain; empty: it starts a chain. */
  versions: readonly ChainVersion[];
  position: number;
  relations: { other: number; kind: StoredRelation }[];
  /** Chains that it ends without being a version of them. */
  ended: number[];
}

export const ALONE: Placement = { versions: [], position: 0, relations: [], ended: [] };

interface RelationTargets {
  /** The chains of memories that it replaces or that replace it; its own comes first. */
  roots: number[];
  /** The memories that already replace it. */
  after: number[];
  /** True: its sender says that it replaces the latest version of its chain, whatever the dates say. */
  isLast: boolean;
  relations: Placement['relations'];
}

const findRelationTarget = async (
  tx: Db,
  { to }: PreparedRelation,
  stored: ArrivalContext['stored'],
): Promise<MemoryRow | null | undefined> => ('known' in to ? memoryById(tx, to.known) : stored[to.drawn]);

/** The text may contain ids: memories of other containers are ignored. */
const relationTargets = async (
  tx: Db,
  { relations }: Arrival,
  around: ArrivalContext,
): Promise<RelationTargets> => {
  const targets: RelationTargets = { roots: [], after: [], isLast: false, relations: [] };
  for (const relation of relations) {
    const target = await findRelationTarget(tx, relation, around.stored);
    if (!target || target.container !== around.container) continue;
    const { n, root } = target;
    if (relation.kind === 'updatedBy') {
      targets.after.push(n);
      targets.roots.unshift(root);
    } else if (relation.kind === 'replaces') {
      targets.isLast = true;
      targets.roots.unshift(root);
    } else if (relation.kind === 'updates') targets.roots.push(root);
    else targets.relations.push({ other: n, kind: relation.kind });
  }
  return { ...targets, roots: [...new Set(targets.roots)] };
};

/** Within one document the order of the text counts, not the order of reading. */
const comesLater = (
  { said, position }: Arrival,
  version: ChainVersion,
  { below }: ArrivalContext,
): boolean => {
  const its = spokenTime(version);
  const dated = said.saidAt !== null && its.saidAt !== null && said.saidAt !== its.saidAt;
  const stands = below.get(version.n);
  return stands !== undefined && !dated ? position < stands : wasSaidBefore(said, its);
};

export const findPlacement = async (tx: Db, arrival: Arrival, around: ArrivalContext): Promise<Placement> => {
  const { roots, after, isLast, relations } = await relationTargets(tx, arrival, around);
  const isLater = (version: ChainVersion): boolean =>
    after.includes(version.n) || comesLater(arrival, version, around);
  const [own, ...others] = roots;
  const versions = own === undefined ? [] : await chainVersions(tx, own);
  const ended: number[] = [];
  for (const root of others) {
    const last = (await chainVersions(tx, root)).at(-1);
    if (!last || isLater(last)) continue;
    relations.push({ other: last.n, kind: 'updates' });
    ended.push(root);
  }
  const position = isLast ? versions.length : positionAmong(versions, isLater);
  return { versions, position, relations, ended };
};

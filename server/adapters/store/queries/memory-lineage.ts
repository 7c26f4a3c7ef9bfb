// Where a new memory stands: in which chain of versions and at which place, what it replaces elsewhere, what it adds to.
import { type Said, wasSaidBefore } from '../../../lib/said.ts';
import type { MemoryRelation, PreparedMemory, PreparedRelation } from '../memory-port.ts';
import type { Db } from '../tables.ts';
import { memoryById, placeAmong, saidOf, type Version, versionsOf } from './memory-chain.ts';
import type { MemoryRow } from './memory-rows.ts';

export interface Arrival {
  prepared: PreparedMemory;
  relations: readonly PreparedRelation[];
  /** The chunks that state it; null: the document as a whole does. */
  chunks: readonly string[] | null;
  said: Said;
  /** Where in its document it is said. */
  position: number;
}

/** What stands around an arrival. */
export interface Around {
  container: number;
  /** What the same document yielded before it. */
  stored: readonly (MemoryRow | null)[];
  /** Memories that the document states further down and that were drawn before, by the last position. */
  below: ReadonlyMap<number, number>;
}

export interface Lineage {
  /** Of its chain, without itself; none: it begins one. */
  versions: readonly Version[];
  place: number;
  relations: { other: number; kind: MemoryRelation }[];
  /** Chains that it ends, though it is no version of theirs. */
  ended: number[];
}

export const ALONE: Lineage = { versions: [], place: 0, relations: [], ended: [] };

interface Targets {
  /** Of the chains of what it replaces or is replaced by: its own comes first. */
  roots: number[];
  /** What had replaced it before it came. */
  after: number[];
  relations: Lineage['relations'];
}

const resolve = async (
  tx: Db,
  { to }: PreparedRelation,
  stored: Around['stored'],
): Promise<MemoryRow | null | undefined> => ('known' in to ? memoryById(tx, to.known) : stored[to.drawn]);

/** A reader may be told ids by what it reads: those of another container are none of its business. */
const targetsOf = async (tx: Db, { relations }: Arrival, around: Around): Promise<Targets> => {
  const targets: Targets = { roots: [], after: [], relations: [] };
  for (const relation of relations) {
    const target = await resolve(tx, relation, around.stored);
    if (!target || target.container !== around.container) continue;
    const { n, root } = target;
    if (relation.kind === 'updatedBy') {
      targets.after.push(n);
      targets.roots.unshift(root);
    } else if (relation.kind === 'updates') targets.roots.push(root);
    else targets.relations.push({ other: n, kind: relation.kind });
  }
  return { ...targets, roots: [...new Set(targets.roots)] };
};

/** Within one document the order of its text counts, whenever the parts of it were read. */
const comesLater = ({ said, position }: Arrival, version: Version, { below }: Around): boolean => {
  const its = saidOf(version);
  const dated = said.saidAt !== null && its.saidAt !== null && said.saidAt !== its.saidAt;
  const stands = below.get(version.n);
  return stands !== undefined && !dated ? position < stands : wasSaidBefore(said, its);
};

export const lineageOf = async (tx: Db, arrival: Arrival, around: Around): Promise<Lineage> => {
  const { roots, after, relations } = await targetsOf(tx, arrival, around);
  const isLater = (version: Version): boolean =>
    after.includes(version.n) || comesLater(arrival, version, around);
  const [own, ...others] = roots;
  const versions = own === undefined ? [] : await versionsOf(tx, own);
  const ended: number[] = [];
  for (const root of others) {
    const last = (await versionsOf(tx, root)).at(-1);
    if (!last || isLater(last)) continue;
    relations.push({ other: last.n, kind: 'updates' });
    ended.push(root);
  }
  return { versions, place: placeAmong(versions, isLater), relations, ended };
};

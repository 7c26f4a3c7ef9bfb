// The chunks that searches of a small scope have ranked, as ranking needs them: to read their terms again costs most of a
// search by words. A stored chunk changes only when its document is sent again, which counts as a change of its tags.

import { LRUCache } from 'lru-cache';
import { sql } from '#kysely';
import { CONTAINER_SPAN } from '../../../../core/chunks/chunk-number.ts';
import type { Reach } from '../../../../core/scope.ts';
import { engineOf, type RankedUnit } from '../../engine/engine.ts';
import { keptByDatabase } from '../../engine/kept-by-database.ts';
import { groupedNumbers } from '../../engine/lists.ts';
import { scopedTemplate } from '../../engine/template.ts';
import type { ScopeMeasure } from '../../ports/search.ts';
import { tagChanges } from '../../statements/live-memories.ts';
import { unitsByContainer } from '../../statements/units-by-number.ts';
import type { Db } from '../../tables/tables.ts';
import { passageChanges } from './kept-passages.ts';

/** The document of each chunk of a scope. */
interface KeptDocuments {
  /** The changes of its passages and the number of its chunks, read before: new ones are more, and erased ones are a change. */
  readonly mark: string;
  readonly byChunk: ReadonlyMap<number, number>;
}

interface KeptScope {
  /** The changes of its tags, read before its chunks. */
  readonly mark: string;
  readonly units: Map<number, RankedUnit>;
  /** Null: not read yet. */
  documents: KeptDocuments | null;
}

/** About 8 MB, for each thread that searches. */
const MOST_UNITS = 8_000;

const keptScopes = () =>
  new LRUCache<string, KeptScope & { readonly size: number }>({
    maxSize: MOST_UNITS,
    sizeCalculation: ({ size }) => size,
  });

/** By the tags of the reach. */
const keptOf = keptByDatabase(keptScopes);

/** The whole containers of a few tags, on a database that answers at once. */
export const mayKeepUnits = (
  db: Db,
  { reads }: Reach,
  { containers, byNumber, byDocument }: ScopeMeasure,
): boolean => reads !== null && containers !== null && (byNumber || byDocument) && !engineOf(db).isRemote;

/** Erased chunks stay among them, so they are forgotten when they are as many as the others. */
const isCurrent = ({ units }: KeptScope, size: number): boolean => units.size <= 2 * (size + 1);

const scopeOf = async (db: Db, tags: string, size: number): Promise<KeptScope> => {
  const scopes = keptOf(db);
  const mark = await tagChanges(db, tags);
  const found = scopes.get(tags);
  const known = found?.mark === mark && isCurrent(found, size) ? found : null;
  if (known !== null && known.size >= size) return known;
  const scope = {
    ...{ mark, size: size + 1, units: known?.units ?? new Map() },
    documents: known?.documents ?? null,
  };
  scopes.set(tags, scope);
  return scope;
};

interface SearchedScope {
  readonly db: Db;
  readonly reach: Reach;
  readonly measure: ScopeMeasure;
}

const documentsInContainers = scopedTemplate((db, reach) =>
  unitsByContainer(db, reach, {})
    .selectFrom('visible_units')
    .select([groupedNumbers(sql.ref('n')).as('ns'), groupedNumbers(sql.ref('doc')).as('documents')]),
);

/** The document of each chunk of the scope, by the number of the chunk. */
export const documentsOfChunks = async ({
  db,
  reach,
  measure,
}: SearchedScope): Promise<ReadonlyMap<number, number>> => {
  const tags = JSON.stringify(reach.reads);
  const scope = await scopeOf(db, tags, measure.chunks);
  const mark = `${await passageChanges(db, tags)}/${measure.chunks}`;
  if (scope.documents?.mark === mark) return scope.documents.byChunk;
  const [row] = await documentsInContainers(db, reach, {});
  const ns: number[] = JSON.parse(row?.ns ?? '[]');
  const documents: number[] = JSON.parse(row?.documents ?? '[]');
  const byChunk = new Map(ns.map((n, at) => [n, documents[at] ?? 0]));
  scope.documents = { mark, byChunk };
  return byChunk;
};

/** The units of these numbers that are in the scope, by `read`, which is asked for those alone that are not kept. */
export const keptUnits = async (
  { db, reach, measure }: SearchedScope,
  ns: readonly number[],
  read: (ns: readonly number[]) => Promise<RankedUnit[]>,
): Promise<RankedUnit[]> => {
  const containers = new Set(measure.containers);
  const inScope = ns.filter((n) => containers.has(Math.floor(n / CONTAINER_SPAN)));
  const { units } = await scopeOf(db, JSON.stringify(reach.reads), measure.chunks);
  const missing = inScope.filter((n) => !units.has(n));
  if (missing.length > 0) for (const unit of await read(missing)) units.set(unit.n, unit);
  return inScope.flatMap((n) => units.get(n) ?? []);
};

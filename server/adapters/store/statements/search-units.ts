// The units that a search ranks, chunks or memories in one shape, inside the reach and the restriction.
import { type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import { MEMORY_OFFSET } from '../../../core/chunks/chunk-number.ts';
import type { Reach } from '../../../core/scope.ts';
import type { UnitKind } from '../ports/filters.ts';
import type { Db, MemoriesTable } from '../tables/tables.ts';
import {
  documentRestriction,
  type EvaluatedRestriction,
  memoryRestriction,
  UNSPOKEN_CHUNK,
} from './filters.ts';
import { IS_LATEST } from './memory-rows.ts';
import { type VisibleTables, visible, withMemories } from './scoped-views.ts';

interface UnitsTable {
  n: number;
  /** The document, or the memory itself, in which neighbours are searched. */
  doc: number;
  position: number;
  part: number;
  flags: number;
  body_tokens: number;
  message_tokens: number;
  terms: Uint8Array;
  /** Set for memories alone. */
  forget_after: number | null;
}

export type UnitsDb = Kysely<VisibleTables & { visible_units: UnitsTable }>;

export const unitKindOf = (restriction: EvaluatedRestriction): UnitKind => restriction.units ?? 'chunks';

/** The first number of a container's units, and the one after the last. */
export const UNIT_NUMBERS: Readonly<Record<UnitKind, readonly [number, number]>> = {
  chunks: [0, MEMORY_OFFSET],
  memories: [MEMORY_OFFSET, 2 * MEMORY_OFFSET],
};

export const UNIT_COLUMNS = [
  'n',
  'doc',
  'position',
  'part',
  'flags',
  'body_tokens',
  'message_tokens',
  'terms',
] as const;

/** Further columns of chunks and memories. */
export type MoreColumns = readonly string[];

export interface UnitOptions {
  readonly now?: number;
  readonly more?: MoreColumns;
}

/** Joined to their documents, so that the cost of a restriction depends on the chunks that are read, and not on all chunks inside it. */
const chunkUnits = (db: Db, reach: Reach, restriction: EvaluatedRestriction, more: MoreColumns) =>
  visible(db, reach).with('visible_units', (query) => {
    const all = query
      .selectFrom('chunks')
      .innerJoin('visible', 'visible.n', 'chunks.doc')
      .select(UNIT_COLUMNS.map((column) => `chunks.${column}` as const))
      .select(more.map((column) => sql.ref(`chunks.${column}`).as(column)))
      .where(documentRestriction(reach, restriction, 'visible'));
    return restriction.unspoken ? all.where(UNSPOKEN_CHUNK) : all;
  });

/** The latest memory of each chain in the shape of units, unless it was declined, forgotten or has expired. */
export const latestMemories = <Tables extends { memories: MemoriesTable }>(
  memories: SelectQueryBuilder<Tables, 'memories', object>,
  restriction: EvaluatedRestriction,
  now: number,
  more: MoreColumns = [],
) => {
  // The type is wider, but these are the columns of memories.
  const from = memories as unknown as SelectQueryBuilder<VisibleTables, 'memories', object>;
  const latest = from
    .select([
      'n',
      'n as doc',
      sql<number>`0`.as('position'),
      sql<number>`0`.as('part'),
      sql<number>`0`.as('flags'),
      'body_tokens',
      'body_tokens as message_tokens',
      'terms',
      'forget_after',
    ])
    .select(more.map((column) => sql.ref(column).as(column)))
    .where(IS_LATEST)
    .where(sql<boolean>`review is distinct from 'declined'`);
  if (restriction.forgotten) return latest;
  return latest
    .where('is_forgotten', '=', sql.lit(0))
    .where((eb) => eb.or([eb('forget_after', 'is', null), eb('forget_after', '>', now)]));
};

const memoryUnits = (
  db: Db,
  reach: Reach,
  restriction: EvaluatedRestriction,
  { now, more }: { now: number; more: MoreColumns },
) =>
  withMemories(db, reach).with('visible_units', (query) =>
    latestMemories(query.selectFrom('visible_memories as memories'), restriction, now, more).where(
      memoryRestriction(reach, restriction),
    ),
  );

/** `visible_units` holds the units inside the scope and the restriction. */
export const restrictedUnits = (
  db: Db,
  reach: Reach,
  restriction: EvaluatedRestriction,
  { now = Date.now(), more = [] }: UnitOptions = {},
): UnitsDb =>
  (unitKindOf(restriction) === 'chunks'
    ? chunkUnits(db, reach, restriction, more)
    : memoryUnits(db, reach, restriction, { now, more })) as unknown as UnitsDb;

// The units that a search ranks, chunks or memories in one shape, inside the reach and the restriction.
import { type Kysely, type SelectQueryBuilder, sql } from '#kysely';
import { MEMORY_OFFSET } from '../../../core/chunks/chunk-number.ts';
import type { Reach } from '../../../core/scope.ts';
import { ROW_VERSION } from '../engine/engine.ts';
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

export interface UnitOptions {
  readonly now?: number;
  /** True: with the column `ROW_VERSION`, for a `RowCache`. */
  readonly versioned?: boolean;
}

/** The version of its words: whatever ranking weighs of a chunk changes with them. */
export const CHUNK_VERSION = sql<number>`coalesce(
  (select chunk_words.${sql.ref(ROW_VERSION)} from chunk_words where chunk_words.n = chunks.n), 0)`.as(
  ROW_VERSION,
);

/** Joined to their documents, so that the cost of a restriction depends on the chunks that are read, and not on all chunks inside it. */
const chunkUnits = (db: Db, reach: Reach, restriction: EvaluatedRestriction, versioned: boolean) =>
  visible(db, reach).with('visible_units', (query) => {
    const all = query
      .selectFrom('chunks')
      .innerJoin('visible', 'visible.n', 'chunks.doc')
      .select(UNIT_COLUMNS.map((column) => `chunks.${column}` as const))
      .$if(versioned, (units) => units.select(CHUNK_VERSION))
      .where(documentRestriction(reach, restriction, 'visible'));
    return restriction.unspoken ? all.where(UNSPOKEN_CHUNK) : all;
  });

/** The latest memory of each chain in the shape of units, unless it was declined, forgotten or has expired. */
export const latestMemories = <Tables extends { memories: MemoriesTable }>(
  memories: SelectQueryBuilder<Tables, 'memories', object>,
  restriction: EvaluatedRestriction,
  now: number,
  versioned = false,
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
    .$if(versioned, (units) => units.select(sql.ref(ROW_VERSION).as(ROW_VERSION)))
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
  { now, versioned }: Required<UnitOptions>,
) =>
  withMemories(db, reach).with('visible_units', (query) =>
    latestMemories(query.selectFrom('visible_memories as memories'), restriction, now, versioned).where(
      memoryRestriction(reach, restriction),
    ),
  );

/** `visible_units` holds the units inside the scope and the restriction. */
export const restrictedUnits = (
  db: Db,
  reach: Reach,
  restriction: EvaluatedRestriction,
  { now = Date.now(), versioned = false }: UnitOptions = {},
): UnitsDb =>
  (unitKindOf(restriction) === 'chunks'
    ? chunkUnits(db, reach, restriction, versioned)
    : memoryUnits(db, reach, restriction, { now, versioned })) as unknown as UnitsDb;

/** The numbers of the units inside the scope and the restriction; null: more than `most`. */
export const fewUnits = async (
  db: Db,
  reach: Reach,
  restriction: EvaluatedRestriction,
  most: number,
): Promise<number[] | null> => {
  const rows = await restrictedUnits(db, reach, restriction)
    .selectFrom('visible_units')
    // A table of which nothing but the number is read counts as read outside the view.
    .select(['n', 'doc'])
    .limit(most + 1)
    .execute();
  return rows.length > most ? null : rows.map(({ n }) => n);
};

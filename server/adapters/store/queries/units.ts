// What a search ranks, in one shape: passages of documents, or memories; bound to the reach and the restriction.
import { type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import type { Reach } from '../../../lib/scope.ts';
import type { Restriction, Units } from '../port.ts';
import { type Db, MEMORY_OFFSET, type MemoriesTable } from '../tables.ts';
import { restricted, restrictedMemories, UNSPOKEN_CHUNK } from './filters.ts';
import { IS_LATEST } from './memory-rows.ts';
import { type VisibleTables, visible, withMemories } from './visible.ts';

interface UnitsTable {
  n: number;
  /** The document, or the memory itself: what neighbours are looked for in. */
  doc: number;
  position: number;
  part: number;
  flags: number;
  body_tokens: number;
  message_tokens: number;
  terms: Uint8Array;
}

export type UnitsDb = Kysely<VisibleTables & { visible_units: UnitsTable }>;

export const unitsOf = (restriction: Restriction): Units => restriction.units ?? 'chunks';

/** Which keyword index holds the words. */
export const WORDS: Readonly<Record<Units, string>> = { chunks: 'chunk_words', memories: 'memory_words' };

/** Where the numbers of a container's units begin and end. */
export const RANGE: Readonly<Record<Units, readonly [number, number]>> = {
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

/** Joined to their documents, so that a restriction costs as much as what it is asked of, and not as all that it leaves. */
const chunkUnits = (db: Db, reach: Reach, restriction: Restriction) =>
  visible(db, reach).with('visible_units', (query) => {
    const all = query
      .selectFrom('chunks')
      .innerJoin('visible', 'visible.n', 'chunks.doc')
      .select(UNIT_COLUMNS.map((column) => `chunks.${column}` as const))
      .where(restricted(reach, restriction, 'visible'));
    return restriction.unspoken ? all.where(UNSPOKEN_CHUNK) : all;
  });

/** Of each chain the latest, in the shape of units, as far as it may be told. */
export const latestMemories = <Tables extends { memories: MemoriesTable }>(
  memories: SelectQueryBuilder<Tables, 'memories', object>,
  restriction: Restriction,
  now: number,
) => {
  // Whatever else the tables are, these are the columns of memories.
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
    ])
    .where(IS_LATEST)
    .where(sql<boolean>`review is not 'declined'`);
  if (restriction.forgotten) return latest;
  return latest
    .where('is_forgotten', '=', sql.lit(0))
    .where((eb) => eb.or([eb('forget_after', 'is', null), eb('forget_after', '>', now)]));
};

const memoryUnits = (db: Db, reach: Reach, restriction: Restriction, now: number) =>
  withMemories(db, reach).with('visible_units', (query) =>
    latestMemories(query.selectFrom('visible_memories as memories'), restriction, now).where(
      restrictedMemories(reach, restriction),
    ),
  );

/** `visible_units` is what the scope and the restriction leave. */
export const units = (db: Db, reach: Reach, restriction: Restriction, now = Date.now()): UnitsDb =>
  (unitsOf(restriction) === 'chunks'
    ? chunkUnits(db, reach, restriction)
    : memoryUnits(db, reach, restriction, now)) as unknown as UnitsDb;

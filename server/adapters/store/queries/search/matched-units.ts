// Reads the chunks or memories that matched, with what ranking weighs. A database that is another process sends only their
// numbers and versions, and what this process does not have in memory.
import { type RawBuilder, sql } from '#kysely';
import type { Reach } from '../../../../core/scope.ts';
import { type RankedUnit, ROW_VERSION, type RowCache } from '../../engine/engine.ts';
import { groupedNumbers, numberList } from '../../engine/lists.ts';
import { run } from '../../engine/run.ts';
import { scopedTemplate } from '../../engine/template.ts';
import type { UnitKind } from '../../ports/filters.ts';
import type { ScopeMeasure } from '../../ports/search.ts';
import {
  allowsUnit,
  type EvaluatedRestriction,
  isOnlyUnspoken,
  ONLY_UNSPOKEN,
} from '../../statements/filters.ts';
import { restrictedUnits, type UnitsDb } from '../../statements/search-units.ts';
import { cheapestUnits, unitsByContainer } from '../../statements/units-by-number.ts';
import type { Db } from '../../tables/tables.ts';

export interface MatchSearch {
  readonly db: Db;
  readonly reach: Reach;
  readonly restriction: EvaluatedRestriction;
  readonly kind: UnitKind;
  readonly measure: ScopeMeasure;
}

/** The units that hold the words, or those of these numbers. */
export type Among = { readonly expression: string } | { readonly ns: readonly number[] };

/** The units of the whole store that hold the words of an expression. */
export const HOLDERS: Readonly<Record<UnitKind, (expression: string) => RawBuilder<number>>> = {
  chunks: (expression) => sql`(select n from chunks_holding(${expression}) as held)`,
  memories: (expression) => sql`(select n from memories_holding(${expression}) as held)`,
};

const NUMBERS = ['n', 'doc', 'position', 'part', 'flags', 'body_tokens', 'message_tokens'] as const;

/** Each a list in JSON of the values of all units. */
interface VersionsRow {
  readonly n: string;
  readonly [ROW_VERSION]: string;
}

interface UnitsRow extends Record<(typeof NUMBERS)[number] | 'lengths', string> {
  readonly terms: Uint8Array | null;
}

/** All in one row, because a row or a separate blob for each unit would take longer than everything else. */
const grouped = (units: UnitsDb, columns: readonly string[], among: RawBuilder<number>) =>
  units
    .selectFrom('visible_units')
    .select(columns.map((column) => groupedNumbers(sql.ref(column)).as(column)))
    .where('n', 'in', among);

const wholeUnits = (more: readonly string[]) => (units: UnitsDb, among: RawBuilder<number>) =>
  grouped(units, [...NUMBERS, ...more], among).select([
    groupedNumbers(sql`length(terms)`).as('lengths'),
    sql<Uint8Array | null>`group_bytes(terms)`.as('terms'),
  ]);

type ReadUnits<Row> = (search: MatchSearch, among: Among) => Promise<Row>;

/** The statements that most searches run are built once. */
const matchReading = <Row extends object>(
  versioned: boolean,
  select: (units: UnitsDb, among: RawBuilder<number>) => ReturnType<typeof grouped>,
): ReadUnits<Row> => {
  const inContainers = (kind: UnitKind) =>
    scopedTemplate((db, reach, at: (name: 'expression' | 'now') => never) =>
      select(
        unitsByContainer(db, reach, { units: kind }, { now: at('now'), versioned }),
        HOLDERS[kind](at('expression')),
      ).$castTo<Row>(),
    );
  const ofKind = { chunks: inContainers('chunks'), memories: inContainers('memories') };
  const unspoken = scopedTemplate((db, reach, at: (name: 'expression') => never) =>
    select(
      restrictedUnits(db, reach, ONLY_UNSPOKEN, { versioned }),
      HOLDERS.chunks(at('expression')),
    ).$castTo<Row>(),
  );
  const read = ({ db, reach, restriction, kind, measure }: MatchSearch, among: Among): Promise<Row[]> => {
    const isByContainer = measure.byNumber || measure.byDocument;
    if ('expression' in among && isByContainer && !restriction.forgotten)
      return ofKind[kind](db, reach, { expression: among.expression, now: Date.now() });
    if ('expression' in among && isOnlyUnspoken(restriction))
      return unspoken(db, reach, { expression: among.expression });
    const chosen = 'expression' in among ? HOLDERS[kind](among.expression) : numberList(among.ns);
    const units = cheapestUnits(db, reach, restriction, { byNumber: measure.byNumber, versioned });
    return select(units, chosen).$castTo<Row>().execute();
  };
  return async (search, among) => {
    const [row] = await read(search, among);
    if (!row) throw new Error('An aggregate is always one row.');
    return row;
  };
};

const readUnits = matchReading<UnitsRow>(false, wholeUnits([]));
const readVersionedUnits = matchReading<UnitsRow & VersionsRow>(true, wholeUnits([ROW_VERSION]));
const readUnitVersions = matchReading<VersionsRow>(true, (units, among) =>
  grouped(units, ['n', ROW_VERSION], among),
);

/** Reads the index alone where the number of a chunk shows that it is in the scope. */
const VERSIONS_OF_HOLDERS = `select group_list(n) as n, group_list(${ROW_VERSION}) as ${ROW_VERSION}
  from chunks_holding($1) as held`;

const readVersions = async (search: MatchSearch, among: Among): Promise<VersionsRow> => {
  const { db, kind, measure } = search;
  if (kind !== 'chunks' || !measure.byNumber || !('expression' in among))
    return readUnitVersions(search, among);
  const { rows } = await run<VersionsRow>(db, VERSIONS_OF_HOLDERS, [among.expression]);
  const [row] = rows;
  if (!row) throw new Error('An aggregate is always one row.');
  return row;
};

const numbersIn = (list: string): number[] => JSON.parse(list);

const unitsOf = (row: UnitsRow): RankedUnit[] => {
  const [documents, positions, parts] = [row.doc, row.position, row.part].map(numbersIn);
  const [flags, bodies, messages] = [row.flags, row.body_tokens, row.message_tokens].map(numbersIn);
  const lengths = numbersIn(row.lengths);
  const terms = row.terms ?? new Uint8Array();
  let end = 0;
  return numbersIn(row.n).map((n, at) => {
    const start = end;
    end += lengths[at] ?? 0;
    return {
      n,
      document: documents?.[at] ?? 0,
      position: positions?.[at] ?? 0,
      part: parts?.[at] ?? 0,
      flags: flags?.[at] ?? 0,
      bodyTokens: bodies?.[at] ?? 0,
      messageTokens: messages?.[at] ?? 0,
      terms: terms.subarray(start, end),
    };
  });
};

/** The units that the filter of a search allows, where `units` are those of whole containers. */
export const filteredUnits = (
  { restriction: { allowed }, kind, measure }: MatchSearch,
  units: RankedUnit[],
): RankedUnit[] => {
  if (!measure.byDocument || allowed === undefined) return units;
  const isAllowed = allowsUnit(allowed, kind);
  return units.filter(({ document }) => isAllowed(document));
};

export const readRanked = async (search: MatchSearch, among: Among): Promise<RankedUnit[]> =>
  filteredUnits(search, unitsOf(await readUnits(search, among)));

/** A unit that changed since its number was read is read as it is now; one that left is left out. */
const readMissing = async (
  search: MatchSearch,
  ns: readonly number[],
  cache: RowCache<RankedUnit>,
): Promise<ReadonlyMap<number, RankedUnit>> => {
  if (ns.length === 0) return new Map();
  const row = await readVersionedUnits(search, { ns });
  const written = numbersIn(row[ROW_VERSION]);
  return new Map(
    unitsOf(row).map((unit, at) => [unit.n, cache.keep(search.db, written[at] ?? 0, unit)] as const),
  );
};

/** From the memory of this process, where the database says that their rows are still the same. */
export const versionedUnits = async (
  search: MatchSearch,
  among: Among,
  cache: RowCache<RankedUnit>,
): Promise<RankedUnit[]> => {
  const row = await readVersions(search, among);
  const written = numbersIn(row[ROW_VERSION]);
  const known = numbersIn(row.n).map((n, at) => cache.find(search.db, n, written[at] ?? 0) ?? n);
  const missing = await readMissing(
    search,
    known.filter((each) => typeof each === 'number'),
    cache,
  );
  return known.flatMap((each) => (typeof each === 'number' ? (missing.get(each) ?? []) : each));
};

// Passages and neighbours from the memory of this process, on a database that is another one: it sends numbers and versions
// of what the scope allows, and whole rows of what is not kept.
import { sql } from '#kysely';
import type { Reach } from '../../../../core/scope.ts';
import { ROW_VERSION, type RowCaches } from '../../engine/engine.ts';
import { groupedNumbers, numberList } from '../../engine/lists.ts';
import { type Placeholder, scopedTemplate } from '../../engine/template.ts';
import type { ChunkRecord } from '../../ports/documents.ts';
import type { ChunkWithDocument, Stretch } from '../../ports/search.ts';
import type { Db } from '../../tables/tables.ts';
import type { ScopedRead } from '../contexts.ts';
import { documentRestriction, type EvaluatedRestriction, isRestricted } from '../filters.ts';
import { visible } from '../scoped-views.ts';
import { CHUNK_COLUMNS, chunkRecord } from './document-rows.ts';
import { documentOfPassage, PASSAGE_COLUMNS, type PassageRow } from './passage-rows.ts';
import { INSIDE_STRETCH, stretchList, stretchTable } from './stretches.ts';

type Wanted = readonly number[] | Placeholder;

/**
 * The chunks of these numbers with their documents, where the scope allows them. The chunks are read first: the planner would
 * look for all of them in each document of the reach.
 */
const wantedPassages = (
  db: Db,
  { reach, restriction, ns }: { reach: Reach; restriction: EvaluatedRestriction; ns: Wanted },
  columns: readonly (typeof CHUNK_COLUMNS)[number][],
) =>
  visible(db, reach)
    .with(
      (cte) => cte('visible_wanted').materialized(),
      (query) =>
        query
          .selectFrom('chunks')
          .select(columns)
          .select(sql<number>`${sql.ref(ROW_VERSION)}`.as('version'))
          .where('n', 'in', numberList(ns)),
    )
    .selectFrom('visible_wanted as chunks')
    .innerJoin('visible', 'visible.n', 'chunks.doc')
    .where(documentRestriction(reach, restriction, 'visible'));

const documentVersion = sql.ref<number>(`visible.${ROW_VERSION}`);

/** Each a list in JSON of the values of all passages. */
interface VersionsRow {
  readonly ns: string;
  readonly versions: string;
  readonly documents: string;
  readonly document_versions: string;
}

const versionsOf = (db: Db, reach: Reach, restriction: EvaluatedRestriction, ns: Wanted) =>
  wantedPassages(db, { reach, restriction, ns }, ['n', 'doc'])
    .select([
      groupedNumbers(sql.ref('chunks.n')).as('ns'),
      groupedNumbers(sql.ref('chunks.version')).as('versions'),
      groupedNumbers(sql.ref('visible.n')).as('documents'),
      groupedNumbers(documentVersion).as('document_versions'),
    ])
    .$castTo<VersionsRow>();

type VersionedPassage = PassageRow & { readonly version: number; readonly document_version: number };

const rowsOf = (db: Db, reach: Reach, restriction: EvaluatedRestriction, ns: Wanted) =>
  wantedPassages(db, { reach, restriction, ns }, CHUNK_COLUMNS)
    .select(PASSAGE_COLUMNS)
    .select(['chunks.version', documentVersion.as('document_version')])
    .$castTo<VersionedPassage>();

const versionsUnrestricted = scopedTemplate((db, reach, at: (name: 'ns') => never) =>
  versionsOf(db, reach, {}, at('ns')),
);
const rowsUnrestricted = scopedTemplate((db, reach, at: (name: 'ns') => never) =>
  rowsOf(db, reach, {}, at('ns')),
);

const readVersions = async (
  { db, reach }: ScopedRead,
  restriction: EvaluatedRestriction,
  ns: readonly number[],
): Promise<VersionsRow> => {
  const [row] = isRestricted(restriction)
    ? await versionsOf(db, reach, restriction, ns).execute()
    : await versionsUnrestricted(db, reach, { ns: JSON.stringify(ns) });
  if (!row) throw new Error('An aggregate is always one row.');
  return row;
};

const readRows = async (
  { db, reach }: ScopedRead,
  { chunks, sources }: RowCaches,
  restriction: EvaluatedRestriction,
  ns: readonly number[],
): Promise<ReadonlyMap<number, ChunkWithDocument>> => {
  if (ns.length === 0) return new Map();
  const rows = isRestricted(restriction)
    ? await rowsOf(db, reach, restriction, ns).execute()
    : await rowsUnrestricted(db, reach, { ns: JSON.stringify(ns) });
  return new Map(
    rows.map((row) => {
      const document =
        sources.find(db, row.document_n, row.document_version) ??
        sources.keep(db, row.document_version, documentOfPassage(row));
      return [row.n, { ...chunks.keep(db, row.version, chunkRecord(row)), document }] as const;
    }),
  );
};

const numbersIn = (list: string): number[] => JSON.parse(list);

/** A smaller share of kept passages is not worth a trip for their versions. */
const WORTH_ASKING = 0.5;

/** A passage that changes while it is read is read as it is then; one that leaves is left out. */
export const versionedPassages = async (
  read: ScopedRead,
  caches: RowCaches,
  restriction: EvaluatedRestriction,
  ns: readonly number[],
): Promise<ChunkWithDocument[]> => {
  const { db } = read;
  const held = ns.filter((n) => caches.chunks.holds(db, n)).length;
  if (held < WORTH_ASKING * ns.length) return [...(await readRows(read, caches, restriction, ns)).values()];
  const row = await readVersions(read, restriction, ns);
  const [versions, documents] = [numbersIn(row.versions), numbersIn(row.documents)];
  const documentVersions = numbersIn(row.document_versions);
  const known = numbersIn(row.ns).map((n, at) => {
    const chunk = caches.chunks.find(db, n, versions[at] ?? 0);
    const document = caches.sources.find(db, documents[at] ?? 0, documentVersions[at] ?? 0);
    return chunk && document ? { ...chunk, document } : n;
  });
  const missing = known.filter((each) => typeof each === 'number');
  const fresh = await readRows(read, caches, restriction, missing);
  return known.flatMap((each) => (typeof each === 'number' ? (fresh.get(each) ?? []) : each));
};

interface NeighbourRow {
  readonly stretch: number;
  readonly n: number;
  readonly version: number;
}

/** The chunks first, as for passages. */
const neighbourVersions = scopedTemplate<NeighbourRow, 'stretches'>((db, reach, at) =>
  visible(db, reach)
    .with(
      (cte) => cte('visible_wanted').materialized(),
      (query) =>
        query
          .selectFrom(stretchTable(at('stretches')).as('stretch'))
          .innerJoin('chunks', (join) => join.on(INSIDE_STRETCH))
          .select(['stretch.at as stretch', 'chunks.n', 'chunks.doc', 'chunks.position', 'chunks.part'])
          .select(sql<number>`chunks.${sql.ref(ROW_VERSION)}`.as('version')),
    )
    .selectFrom('visible_wanted as chunks')
    .innerJoin('visible', 'visible.n', 'chunks.doc')
    .select(['chunks.stretch', 'chunks.n', 'chunks.version'])
    .orderBy('chunks.stretch')
    .orderBy('chunks.position')
    .orderBy('chunks.part'),
);

/** The chunks of each stretch in reading order. */
export const versionedNeighbours = async (
  read: ScopedRead,
  caches: RowCaches,
  stretches: readonly Stretch[],
): Promise<ChunkRecord[][]> => {
  const { db, reach } = read;
  const found = await neighbourVersions(db, reach, { stretches: stretchList(stretches) });
  const known = found.map(({ n, version }) => caches.chunks.find(db, n, version) ?? n);
  const missing = known.filter((each) => typeof each === 'number');
  const fresh = await readRows(read, caches, {}, missing);
  const chunks: ChunkRecord[][] = stretches.map(() => []);
  for (const [at, { stretch }] of found.entries()) {
    const each = known[at];
    const chunk = typeof each === 'number' ? fresh.get(each) : each;
    if (chunk !== undefined) chunks[stretch]?.push(chunk);
  }
  return chunks;
};

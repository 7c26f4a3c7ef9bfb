// Stretches of documents, whose chunks are read together.
import { type RawBuilder, type SqlBool, sql } from '#kysely';
import type { Placeholder } from '../../engine/template.ts';
import type { Stretch } from '../../ports/search.ts';

/** A message of more parts is a pasted file; parts far from its beginning are not neighbours of the next message. */
const MOST_PARTS = 200;

const STRETCH_COLUMNS = ['document', 'first', 'last', 'first_part', 'last_part'] as const;
type StretchRow = Record<(typeof STRETCH_COLUMNS)[number] | 'at', number>;

const stretchBounds = ({ document, from, to, parts = { from: 0, to: MOST_PARTS } }: Stretch): number[] => [
  document,
  from,
  to,
  parts.from,
  parts.to,
];

/** As a statement takes them. */
export const stretchList = (stretches: readonly Stretch[]): string =>
  JSON.stringify(stretches.map(stretchBounds));

/** A row for each, with its place in the list. */
export const stretchTable = (list: Placeholder): RawBuilder<StretchRow> =>
  sql`number_rows(${list}, ${sql.raw(STRETCH_COLUMNS.join(', '))})`;

/** Of `chunks` in a `stretch`. */
export const INSIDE_STRETCH = sql<SqlBool>`chunks.doc = stretch.document
  and chunks.position >= stretch.first and chunks.position <= stretch.last
  and chunks.part >= stretch.first_part and chunks.part <= stretch.last_part`;

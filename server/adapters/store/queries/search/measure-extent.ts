// Measures a scope: its containers, the number of its chunks and their lengths.
import { sql } from '#kysely';
import type { Reach } from '../../../../core/scope.ts';
import { inOneTrip } from '../../engine/engine.ts';
import { scopedTemplate } from '../../engine/template.ts';
import type { Extent } from '../../ports/search.ts';
import { evaluateIfFew, isBroad } from '../../statements/evaluate-broad.ts';
import {
  documentRestriction,
  type EvaluatedRestriction,
  isOnlyUnspoken,
  isRestricted,
  ONLY_UNSPOKEN,
} from '../../statements/filters.ts';
import { visible } from '../../statements/scoped-views.ts';
import { restrictedUnits, unitKindOf } from '../../statements/search-units.ts';
import { measureScope } from '../../statements/units-by-number.ts';
import type { Db } from '../../tables/tables.ts';
import { anyThread } from '../documents/threads.ts';
import { filteredNumbers } from './vector-search.ts';

const documentsWithin = (db: Db, reach: Reach, restriction: EvaluatedRestriction, most: number) =>
  visible(db, reach)
    .selectFrom((query) =>
      query
        .selectFrom('visible')
        .select('chunks')
        .where(documentRestriction(reach, restriction, 'visible'))
        .limit(most)
        .as('surviving'),
    )
    .select([sql<number>`coalesce(sum(chunks), 0)`.as('chunks'), sql<number>`count(*)`.as('documents')]);

const unspokenWithin = scopedTemplate((db, reach, at: (name: 'most') => never) =>
  documentsWithin(db, reach, ONLY_UNSPOKEN, at('most')),
);

const countDocumentsWithin = async (
  db: Db,
  reach: Reach,
  restriction: EvaluatedRestriction,
  bound: number,
) => {
  const [counted] = isOnlyUnspoken(restriction)
    ? await unspokenWithin(db, reach, { most: bound + 1 })
    : await documentsWithin(db, reach, restriction, bound + 1).execute();
  if (!counted) throw new Error('A sum is always one row.');
  return counted;
};

const countUnitsWithin = async (
  db: Db,
  reach: Reach,
  restriction: EvaluatedRestriction,
  bound: number,
): Promise<number> => {
  const { count } = await restrictedUnits(db, reach, restriction)
    .selectFrom((query) =>
      query
        .selectFrom('visible_units')
        .select('n')
        .limit(bound + 1)
        .as('surviving'),
    )
    .select(sql<number>`count(*)`.as('count'))
    .executeTakeFirstOrThrow();
  return count;
};

export const measureExtent = async (
  db: Db,
  reach: Reach,
  asked: EvaluatedRestriction,
  bound: number,
): Promise<Extent> => {
  const kind = unitKindOf(asked);
  const restriction = await evaluateIfFew(db, reach, asked, bound);
  const [{ memories, ...measure }, threaded] = await inOneTrip(db, () =>
    Promise.all([measureScope(db, reach, restriction), kind === 'chunks' && anyThread(db, reach)]),
  );
  const { containers, chunks } = measure;
  if (!isRestricted(restriction))
    return { chunks, containers, documentFound: true, threaded, memories, measure };
  if (measure.byDocument) {
    const filtered = await filteredNumbers({ db, reach, restriction, measure });
    const counted = Math.min(filtered.length, bound + 1);
    return { chunks: counted, containers, documentFound: true, threaded, memories, measure };
  }
  // A condition that so many meet is taken for one that leaves more than are counted.
  if (isBroad(restriction))
    return { chunks: bound + 1, containers, documentFound: true, threaded, memories, measure };
  const found = await countDocumentsWithin(db, reach, restriction, bound);
  return {
    chunks: kind === 'chunks' ? found.chunks : await countUnitsWithin(db, reach, restriction, bound),
    containers,
    documentFound: restriction.document === undefined || found.documents > 0,
    threaded,
    memories,
    measure,
  };
};

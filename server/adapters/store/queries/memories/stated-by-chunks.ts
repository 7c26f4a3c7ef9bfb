// The memories that chunks state: the latest of each chain, those that were replaced, and what replaced them.
import { type SqlBool, sql } from '#kysely';
import type { Reach } from '../../../../core/scope.ts';
import { groupedNumbers, numberList } from '../../engine/lists.ts';
import { scopedTemplate } from '../../engine/template.ts';
import type { Outdated, ReplacedMemory, Stated, StatedMemory } from '../../ports/memories/recall.ts';
import type { ScopedRead } from '../../statements/contexts.ts';
import { isForgotten } from '../../statements/memory-rows.ts';
import { containersWithAny, visible } from '../../statements/scoped-views.ts';
import type { Db } from '../../tables/tables.ts';
import { liveOfChains } from './doubts.ts';

/** The memories that chunks state; a memory is visible with the document of its chunk. */
const memoriesStated = (db: Db, reach: Reach) =>
  visible(db, reach)
    .with('visible_stated', (query) => {
      const stated = query
        .selectFrom('visible_chunks')
        .innerJoin('memory_sources', (join) =>
          join
            .onRef('memory_sources.doc', '=', 'visible_chunks.doc')
            .onRef('memory_sources.chunk', '=', 'visible_chunks.id'),
        )
        .innerJoin('memories', 'memories.n', 'memory_sources.memory')
        .select([
          'visible_chunks.n as chunk',
          'memories.n as n',
          'memories.root',
          'memories.memory',
          'memories.is_forgotten',
          'memories.forget_after',
          'memories.is_latest',
        ]);
      const { reads } = reach;
      return reads === null ? stated : stated.where('memories.container', 'in', containersWithAny(reads));
    })
    .selectFrom('visible_stated');

const latestStated = (db: Db, reach: Reach) => memoriesStated(db, reach).where('is_latest', '=', sql.lit(1));

const withReplaced = scopedTemplate((db, reach, at: (name: 'chunks') => never) =>
  memoriesStated(db, reach)
    .select(['chunk', sql<number>`max(is_latest)`.as('holds')])
    .where('chunk', 'in', numberList(at('chunks')))
    .groupBy('chunk')
    .having(sql<SqlBool>`min(is_latest) = 0`),
);

export const chunksOutdated = async (
  { db, reach }: ScopedRead,
  chunks: readonly number[],
): Promise<Map<number, Outdated>> => {
  if (chunks.length === 0) return new Map();
  const rows = await withReplaced(db, reach, { chunks: JSON.stringify(chunks) });
  return new Map(rows.map(({ chunk, holds }) => [chunk, holds === 0 ? 'wholly' : 'partly']));
};

const chainsReplaced = scopedTemplate((db, reach, at: (name: 'chunks') => never) =>
  memoriesStated(db, reach)
    .select(['chunk', 'root', 'memory'])
    .distinct()
    .where('chunk', 'in', numberList(at('chunks')))
    .where('is_latest', '=', sql.lit(0)),
);

export const memoriesReplacing = async (
  { db, reach, now }: ScopedRead,
  chunks: readonly number[],
): Promise<Map<number, ReplacedMemory[]>> => {
  const replaced =
    chunks.length === 0 ? [] : await chainsReplaced(db, reach, { chunks: JSON.stringify(chunks) });
  if (replaced.length === 0) return new Map();
  const roots = [...new Set(replaced.map(({ root }) => root))];
  const live = await liveOfChains(db, reach, { roots: JSON.stringify(roots), now });
  const liveIn = new Map(live.map(({ n, root }) => [root, n]));
  const byChunk = Map.groupBy(replaced, ({ chunk }) => chunk);
  return new Map(
    [...byChunk].map(([chunk, of]) => [
      chunk,
      of.flatMap(({ root, memory }) => {
        const by = liveIn.get(root);
        return by === undefined ? [] : [{ memory, by }];
      }),
    ]),
  );
};

/** One row for each chunk: most passages of a search state many memories. */
const statedByChunk = scopedTemplate((db, reach, at: (name: 'chunks' | 'now') => never) =>
  latestStated(db, reach)
    .select([
      'chunk',
      groupedNumbers(sql.ref('n')).as('memories'),
      sql<number>`sum(case when is_forgotten = 1 or forget_after <= ${at('now')} then 1 else 0 end)`.as(
        'gone',
      ),
    ])
    .where('chunk', 'in', numberList(at('chunks')))
    .groupBy('chunk'),
);

export const memoriesStatedBy = async (
  { db, reach, now }: ScopedRead,
  chunks: readonly number[],
): Promise<Map<number, Stated>> => {
  if (chunks.length === 0) return new Map();
  const rows = await statedByChunk(db, reach, { chunks: JSON.stringify(chunks), now });
  return new Map(
    rows.map(({ chunk, memories: list, gone }) => {
      const memories: number[] = JSON.parse(list);
      return [chunk, { memories, forgotten: gone === memories.length, partly: gone > 0 }];
    }),
  );
};

export const memoriesDrawnFrom = async (
  { db, reach, now }: ScopedRead,
  chunks: readonly number[],
): Promise<Map<number, StatedMemory[]>> => {
  if (chunks.length === 0) return new Map();
  const rows = await latestStated(db, reach)
    .select(['chunk', 'memory', 'is_forgotten', 'forget_after'])
    .where('chunk', 'in', numberList(chunks))
    .execute();
  const byChunk = Map.groupBy(rows, ({ chunk }) => chunk);
  return new Map(
    [...byChunk].map(([chunk, drawn]) => [
      chunk,
      drawn.map((row) => ({ memory: row.memory, isForgotten: isForgotten(row, now) })),
    ]),
  );
};

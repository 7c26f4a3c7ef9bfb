// Candidates for a search: how much there is, which chunks hold the words, which vectors are near.
import { CompiledQuery, type SqlBool, sql } from 'kysely';
import type { Reach } from '../../../lib/scope.ts';
import { readTerms, termHash } from '../../../lib/text/terms.ts';
import type { Extent, KeywordMatch, KeywordMatches, Passage, Restriction, VectorMatch } from '../port.ts';
import type { Db } from '../tables.ts';
import { isRestricted, restricted } from './filters.ts';
import { CHUNK_COLUMNS, chunkOf, DOCUMENT_COLUMNS, documentOf } from './rows.ts';
import { compareAll, compareChunks, compareContainer, pendingUpserts } from './vectors.ts';
import { containersWithAny, inList, visible } from './visible.ts';

/** Above this many containers a scope is told by its tags, not by a list. */
const CONTAINERS_LISTED = 2000;
const PENDING_COMPARED = 20_000;
const MATCHES_RANKED_PER_SCAN = 50_000;

interface ContainerTotals {
  containers: number[] | null;
  chunks: number;
  bodyTokens: number;
  messages: number;
  messageTokens: number;
}

const chosenContainers = (db: Db, reach: Reach) =>
  reach.reads === null
    ? db.selectFrom('containers')
    : db.selectFrom('containers').where('n', 'in', containersWithAny(reach.reads));

const summedTotals = async (db: Db, reach: Reach): Promise<ContainerTotals> => {
  const sums = await chosenContainers(db, reach)
    .select((eb) => [
      eb.fn.sum<number>('chunks').as('chunks'),
      eb.fn.sum<number>('body_tokens').as('bodyTokens'),
      eb.fn.sum<number>('messages').as('messages'),
      eb.fn.sum<number>('message_tokens').as('messageTokens'),
    ])
    .executeTakeFirstOrThrow();
  return { containers: null, ...sums };
};

const totalsOf = async (db: Db, reach: Reach): Promise<ContainerTotals> => {
  const rows = await chosenContainers(db, reach)
    .select(['n', 'chunks', 'body_tokens', 'messages', 'message_tokens'])
    .limit(CONTAINERS_LISTED + 1)
    .execute();
  if (rows.length > CONTAINERS_LISTED) return summedTotals(db, reach);
  const sum = (pick: (row: (typeof rows)[number]) => number) => rows.reduce((all, row) => all + pick(row), 0);
  return {
    containers: reach.reads === null ? null : rows.map((row) => row.n),
    chunks: sum((row) => row.chunks),
    bodyTokens: sum((row) => row.body_tokens),
    messages: sum((row) => row.messages),
    messageTokens: sum((row) => row.message_tokens),
  };
};

export const extent = async (
  db: Db,
  reach: Reach,
  restriction: Restriction,
  bound: number,
): Promise<Extent> => {
  const totals = await totalsOf(db, reach);
  if (!isRestricted(restriction))
    return { chunks: totals.chunks, containers: totals.containers, documentFound: true };
  const { rows } = await visible(db, reach)
    .selectFrom((query) =>
      query
        .selectFrom('visible')
        .select('chunks')
        .where(restricted(reach, restriction, 'visible'))
        .limit(bound + 1)
        .as('surviving'),
    )
    .select([sql<number>`coalesce(sum(chunks), 0)`.as('chunks'), sql<number>`count(*)`.as('documents')])
    .execute()
    .then((found) => ({ rows: found }));
  const found = rows[0];
  return {
    chunks: found?.chunks ?? 0,
    containers: totals.containers,
    documentFound: restriction.document === undefined || (found?.documents ?? 0) > 0,
  };
};

// --- keyword ---------------------------------------------------------------------------------------

const quoted = (term: string): string => `"${term.replaceAll('"', '""')}"`;

/** The tag is part of the match, so that other people's text is not even read. */
const matchOf = async (db: Db, reach: Reach, terms: readonly string[]): Promise<string> => {
  const words = `{body extra} : (${terms.map(quoted).join(' OR ')})`;
  if (reach.reads === null) return words;
  const tags = await db.selectFrom('tags').select('n').where('tag', 'in', inList(reach.reads)).execute();
  return `tag : (${['t0x', ...tags.map(({ n }) => `t${n}x`)].join(' OR ')}) AND ${words}`;
};

const rowidsOf = async (db: Db, match: string, limit: number): Promise<number[]> => {
  const { rows } = await db.executeQuery<{ n: number }>(
    CompiledQuery.raw(`select rowid as n from chunk_words where chunk_words match ? limit ${limit}`, [match]),
  );
  return rows.map((row) => row.n);
};

/** Restricted before it is cut, so that other documents' matches cannot crowd these out. */
const restrictedRowids = async (
  db: Db,
  reach: Reach,
  restriction: Restriction,
  match: string,
  limit: number,
): Promise<number[]> => {
  const rows = await visible(db, reach)
    .selectFrom('visible_chunks as c')
    .select('c.n')
    .where('c.doc', 'in', (sub) =>
      sub
        .selectFrom('visible')
        .select('n')
        .where(restricted(reach, restriction, 'visible')),
    )
    .where(sql<SqlBool>`c.n in (select rowid from chunk_words where chunk_words match ${match})`)
    .limit(limit)
    .execute();
  return rows.map((row) => row.n);
};

const bestRowids = async (db: Db, match: string, limit: number): Promise<number[]> => {
  const { rows } = await db.executeQuery<{ n: number }>(
    CompiledQuery.raw(
      `select rowid as n from chunk_words where chunk_words match ? order by rank limit ${limit}`,
      [match],
    ),
  );
  return rows.map((row) => row.n);
};

const matchRows = async (
  db: Db,
  reach: Reach,
  restriction: Restriction,
  ns: readonly number[],
): Promise<KeywordMatch[]> => {
  let query = visible(db, reach)
    .selectFrom('visible_chunks as c')
    .select([
      'c.n',
      'c.doc',
      'c.position',
      'c.part',
      'c.flags',
      'c.body_tokens',
      'c.message_tokens',
      'c.terms',
    ])
    .where('c.n', 'in', inList(ns));
  if (isRestricted(restriction))
    query = query.where('c.doc', 'in', (sub) =>
      sub
        .selectFrom('visible')
        .select('n')
        .where(restricted(reach, restriction, 'visible')),
    );
  const rows = await query.execute();
  return rows.map((row) => ({
    n: row.n,
    document: row.doc,
    position: row.position,
    part: row.part,
    flags: row.flags,
    bodyTokens: row.body_tokens,
    messageTokens: row.message_tokens,
    terms: row.terms,
  }));
};

const countTerms = (matches: readonly KeywordMatch[], terms: readonly string[]): number[] => {
  const frequencies = terms.map(() => 0);
  const wanted = new Map(terms.map((term, index) => [termHash(term), index]));
  for (const match of matches) {
    const seen = new Set<number>();
    readTerms(match.terms, wanted, (index) => seen.add(index));
    for (const index of seen) frequencies[index] = (frequencies[index] ?? 0) + 1;
  }
  return frequencies;
};

/** Many matches: the rare words choose which of them are worth ranking. */
const preferRare = async (
  db: Db,
  reach: Reach,
  terms: readonly string[],
  chunks: number,
  limit: number,
): Promise<{ ns: number[]; frequencies: number[] }> => {
  const scores = new Map<number, number>();
  const frequencies: number[] = [];
  for (const term of terms) {
    const ns = await rowidsOf(db, await matchOf(db, reach, [term]), MATCHES_RANKED_PER_SCAN);
    frequencies.push(ns.length);
    const rarity = Math.log(1 + (Math.max(chunks, ns.length) - ns.length + 0.5) / (ns.length + 0.5));
    for (const n of ns) scores.set(n, (scores.get(n) ?? 0) + rarity);
  }
  const best = [...scores].sort((a, b) => b[1] - a[1]).slice(0, limit);
  return { ns: best.map(([n]) => n), frequencies };
};

const frequenciesByCount = async (db: Db, reach: Reach, terms: readonly string[]): Promise<number[]> => {
  const counts: number[] = [];
  for (const term of terms) {
    const { rows } = await db.executeQuery<{ count: number }>(
      CompiledQuery.raw('select count(*) as count from chunk_words where chunk_words match ?', [
        await matchOf(db, reach, [term]),
      ]),
    );
    counts.push(rows[0]?.count ?? 0);
  }
  return counts;
};

const chooseMatches = async (
  db: Db,
  reach: Reach,
  restriction: Restriction,
  terms: readonly string[],
  options: { wide: boolean; limit: number; chunks: number },
): Promise<{ matches: KeywordMatch[]; frequencies: number[] }> => {
  const match = await matchOf(db, reach, terms);
  if (options.wide && !isRestricted(restriction)) {
    const matches = await matchRows(db, reach, restriction, await bestRowids(db, match, options.limit));
    return { matches, frequencies: await frequenciesByCount(db, reach, terms) };
  }
  const ns = isRestricted(restriction)
    ? await restrictedRowids(db, reach, restriction, match, MATCHES_RANKED_PER_SCAN)
    : await rowidsOf(db, match, MATCHES_RANKED_PER_SCAN);
  if (ns.length <= options.limit || isRestricted(restriction)) {
    const matches = await matchRows(db, reach, restriction, ns);
    return { matches, frequencies: countTerms(matches, terms) };
  }
  const rare = await preferRare(db, reach, terms, options.chunks, options.limit);
  return { matches: await matchRows(db, reach, restriction, rare.ns), frequencies: rare.frequencies };
};

const average = (total: number, count: number): number => (count > 0 ? total / count : 1) || 1;

export const keyword = async (
  db: Db,
  reach: Reach,
  restriction: Restriction,
  terms: readonly string[],
  options: { wide: boolean; limit: number },
): Promise<KeywordMatches> => {
  const totals = await totalsOf(db, reach);
  const { matches, frequencies } =
    terms.length === 0
      ? { matches: [], frequencies: [] }
      : await chooseMatches(db, reach, restriction, terms, { ...options, chunks: totals.chunks });
  return {
    matches,
    frequencies,
    chunks: totals.chunks,
    averageBodyTokens: average(totals.bodyTokens, totals.chunks),
    averageMessageTokens: average(totals.messageTokens, totals.messages),
  };
};

// --- vectors ---------------------------------------------------------------------------------------

/** Keeps the best few of many without sorting them all. */
const bestOf = (limit: number) => {
  let kept: VectorMatch[] = [];
  let floor = Number.NEGATIVE_INFINITY;
  const trim = () => {
    kept = kept.sort((a, b) => b.cosine - a.cosine).slice(0, limit);
    if (kept.length === limit) floor = kept.at(-1)?.cosine ?? floor;
  };
  return {
    offer(n: number, cosine: number) {
      if (cosine <= floor) return;
      kept.push({ n, cosine });
      if (kept.length >= limit * 4) trim();
    },
    take(): VectorMatch[] {
      trim();
      return kept;
    },
  };
};

const survivors = async (
  db: Db,
  reach: Reach,
  restriction: Restriction,
  ns?: readonly number[],
): Promise<number[]> => {
  let query = visible(db, reach).selectFrom('visible_chunks as c').select('c.n');
  if (ns) query = query.where('c.n', 'in', inList(ns));
  if (isRestricted(restriction))
    query = query.where('c.doc', 'in', (sub) =>
      sub
        .selectFrom('visible')
        .select('n')
        .where(restricted(reach, restriction, 'visible')),
    );
  return (await query.execute()).map((row) => row.n);
};

/** Documents that are deleted but not yet erased still have vectors in their blocks. */
const deletionsPending = async (db: Db): Promise<boolean> => {
  const row = await db
    .with('visible_deleted', (query) =>
      query.selectFrom('documents').select('n').where('deleted', '=', 1).limit(1),
    )
    .selectFrom('visible_deleted')
    .select('n')
    .executeTakeFirst();
  return row !== undefined;
};

export const scan = async (
  db: Db,
  reach: Reach,
  restriction: Restriction,
  request: { space: number; vector: Float32Array; limit: number },
): Promise<VectorMatch[]> => {
  const best = bestOf(request.limit);
  const { space, vector } = request;
  const { containers } = await totalsOf(db, reach);
  const whole = !isRestricted(restriction) && !(await deletionsPending(db));
  if (whole && reach.reads === null) await compareAll(db, space, vector, best.offer);
  else if (whole && containers !== null)
    for (const container of containers) await compareContainer(db, space, container, vector, best.offer);
  else await compareChunks(db, space, await survivors(db, reach, restriction), vector, best.offer);
  return best.take();
};

export const compare = async (
  db: Db,
  reach: Reach,
  restriction: Restriction,
  request: { space: number; vector: Float32Array; candidates: readonly number[]; limit: number },
): Promise<VectorMatch[]> => {
  const pending = await pendingUpserts(db, request.space, PENDING_COMPARED);
  const best = bestOf(request.limit);
  const allowed = await survivors(db, reach, restriction, [...new Set([...request.candidates, ...pending])]);
  await compareChunks(db, request.space, allowed, request.vector, best.offer);
  return best.take();
};

// --- hydration ---------------------------------------------------------------------------------------

export const passages = async (
  db: Db,
  reach: Reach,
  restriction: Restriction,
  ns: readonly number[],
): Promise<Passage[]> => {
  if (ns.length === 0) return [];
  const seen = visible(db, reach);
  const chunks = await seen
    .selectFrom('visible_chunks')
    .select(CHUNK_COLUMNS)
    .where('n', 'in', inList(ns))
    .execute();
  const documents = await seen
    .selectFrom('visible')
    .select(DOCUMENT_COLUMNS)
    .where('n', 'in', inList([...new Set(chunks.map((chunk) => chunk.doc))]) as never)
    .where(restricted(reach, restriction, 'visible'))
    .execute();
  const byNumber = new Map(documents.map((row) => [row.n, documentOf(row)]));
  return chunks.flatMap((chunk) => {
    const document = byNumber.get(chunk.doc);
    return document ? [{ ...chunkOf(chunk), document }] : [];
  });
};

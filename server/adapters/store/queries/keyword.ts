// Which chunks hold the words: the tag is part of the match, and ranking is left to the caller.
import { CompiledQuery, type SqlBool, sql } from 'kysely';
import type { Reach } from '../../../lib/scope.ts';
import { readTerms, termHash } from '../../../lib/text/terms.ts';
import type { KeywordMatch, KeywordMatches, Restriction } from '../port.ts';
import type { Db } from '../tables.ts';
import { totalsOf } from './extent.ts';
import { isRestricted, restricted } from './filters.ts';
import { inList, visible } from './visible.ts';

const MATCHES_RANKED_PER_SCAN = 50_000;

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

// Which chunks hold the words: the tag is part of the match, and ranking is left to the caller.
import { type RawBuilder, sql } from 'kysely';
import type { Reach } from '../../../lib/scope.ts';
import { heldTerms, wantedTerms } from '../../../lib/text/terms.ts';
import type { KeywordMatch, KeywordMatches, Restriction, Units } from '../port.ts';
import type { Db } from '../tables.ts';
import { totalsOf } from './extent.ts';
import { isRestricted } from './filters.ts';
import { run } from './raw.ts';
import { units, unitsOf, WORDS } from './units.ts';
import { inList } from './visible.ts';
import { cheapestUnits } from './whole.ts';

const MATCHES_RANKED_PER_SCAN = 50_000;
/** Former and forgotten memories keep their words: so many times more are chosen, that those in use remain. */
const FORMER_VERSIONS = 4;

const quoted = (term: string): string => `"${term.replaceAll('"', '""')}"`;

/** The tag is part of the match, so that other people's text is not even read. */
const matchOf = async (db: Db, reach: Reach, terms: readonly string[]): Promise<string> => {
  const words = `{body extra} : (${terms.map(quoted).join(' OR ')})`;
  if (reach.reads === null) return words;
  const tags = 'select n from tags where tag in (select value from json_each(?))';
  const { rows } = await run<{ n: number }>(db, tags, [JSON.stringify(reach.reads)]);
  return `tag : (${['t0x', ...rows.map(({ n }) => `t${n}x`)].join(' OR ')}) AND ${words}`;
};

/** The numbers of all that hold the words. */
const holders = (kind: Units, match: string): RawBuilder<number> => {
  const words = sql.table(WORDS[kind]);
  return sql`(select rowid from ${words} where ${words} match ${match})`;
};

/** As one text: tens of thousands of rows of one number each would take three times as long. */
const rowidsOf = async (db: Db, kind: Units, match: string, limit: number): Promise<number[]> => {
  const words = WORDS[kind];
  const { rows } = await run<{ ns: string }>(
    db,
    `select json_group_array(n) as ns from
      (select rowid as n from ${words} where ${words} match ? limit ${limit})`,
    [match],
  );
  return JSON.parse(rows[0]?.ns ?? '[]');
};

/** Restricted before it is cut, so that other documents' matches cannot crowd these out. */
const restrictedRowids = async (
  db: Db,
  reach: Reach,
  restriction: Restriction,
  match: string,
  limit: number,
): Promise<number[]> => {
  const rows = await units(db, reach, restriction)
    .selectFrom('visible_units')
    .select('n')
    .where('n', 'in', holders(unitsOf(restriction), match))
    .limit(limit)
    .execute();
  return rows.map((row) => row.n);
};

const NUMBERS = ['n', 'doc', 'position', 'part', 'flags', 'body_tokens', 'message_tokens'] as const;

/** Column by column in one row: a blob of its own for each match would take longer to hand over than all else. */
const matchesAmong = async (
  db: Db,
  reach: Reach,
  restriction: Restriction,
  asked: readonly string[],
  among: RawBuilder<number>,
): Promise<KeywordMatch[]> => {
  const all = await cheapestUnits(db, reach, restriction);
  const found = await all
    .selectFrom('visible_units')
    .select(NUMBERS.map((column) => sql<string>`json_group_array(${sql.ref(column)})`.as(column)))
    .select([
      sql<string>`json_group_array(length(terms))`.as('lengths'),
      sql<Uint8Array | null>`cast(group_concat(terms, '') as blob)`.as('terms'),
    ])
    .where('n', 'in', among)
    .executeTakeFirstOrThrow();
  const numbers = (column: (typeof NUMBERS)[number] | 'lengths'): number[] => JSON.parse(found[column]);
  const [documents, positions, parts] = [numbers('doc'), numbers('position'), numbers('part')];
  const [flags, bodies, messages] = [numbers('flags'), numbers('body_tokens'), numbers('message_tokens')];
  const lengths = numbers('lengths');
  const terms = found.terms ?? new Uint8Array();
  const wanted = wantedTerms(asked);
  let end = 0;
  return numbers('n').map((n, at) => {
    const start = end;
    end += lengths[at] ?? 0;
    return {
      n,
      document: documents[at] ?? 0,
      position: positions[at] ?? 0,
      part: parts[at] ?? 0,
      flags: flags[at] ?? 0,
      bodyTokens: bodies[at] ?? 0,
      messageTokens: messages[at] ?? 0,
      held: heldTerms(terms.subarray(start, end), wanted),
    };
  });
};

/** How many of the matches hold each term, in whatever fields. */
const countTerms = (matches: readonly KeywordMatch[], terms: readonly string[]): number[] => {
  const frequencies = terms.map(() => 0);
  const lastSeen = terms.map(() => -1);
  for (const [at, { held }] of matches.entries())
    for (const { term } of held) {
      if (lastSeen[term] !== at) frequencies[term] = (frequencies[term] ?? 0) + 1;
      lastSeen[term] = at;
    }
  return frequencies;
};

const frequencyOf = async (db: Db, kind: Units, match: string): Promise<number> => {
  const words = WORDS[kind];
  const { rows } = await run<{ count: number }>(
    db,
    `select count(*) as count from ${words} where ${words} match ?`,
    [match],
  );
  return rows[0]?.count ?? 0;
};

const rarityOf = (frequency: number, chunks: number): number =>
  Math.log(1 + (Math.max(chunks, frequency) - frequency + 0.5) / (frequency + 0.5));

/** The best few of many, without sorting them all by number. */
const bestOf = (scores: ReadonlyMap<number, number>, limit: number): number[] => {
  const floor = Float64Array.from(scores.values()).sort().at(-limit) ?? 0;
  return [...scores]
    .filter(([, score]) => score >= floor)
    .sort((a, b) => b[1] - a[1])
    .slice(0, limit)
    .map(([n]) => n);
};

/**
 * Many matches: the rare words choose which of them are worth ranking. FTS5's own rank is no help: it is the same for
 * every row where the index keeps no positions. A word that is nearly everywhere could only favour what lies first.
 */
const preferRare = async (
  db: Db,
  reach: Reach,
  kind: Units,
  terms: readonly string[],
  options: { limit: number; chunks: number },
): Promise<{ ns: number[]; frequencies: number[] }> => {
  const counted: { match: string; frequency: number }[] = [];
  for (const term of terms) {
    const match = await matchOf(db, reach, [term]);
    counted.push({ match, frequency: await frequencyOf(db, kind, match) });
  }
  const scores = new Map<number, number>();
  for (const { match, frequency } of counted.toSorted((a, b) => a.frequency - b.frequency)) {
    if (frequency > MATCHES_RANKED_PER_SCAN && scores.size >= options.limit) break;
    const rarity = rarityOf(frequency, options.chunks);
    for (const n of await rowidsOf(db, kind, match, MATCHES_RANKED_PER_SCAN))
      scores.set(n, (scores.get(n) ?? 0) + rarity);
  }
  return { ns: bestOf(scores, options.limit), frequencies: counted.map(({ frequency }) => frequency) };
};

/** The same among those that a restriction leaves: their rows, which may be most of the store, stay unread. */
const preferRareAmong = async (
  db: Db,
  reach: Reach,
  kind: Units,
  terms: readonly string[],
  among: readonly number[],
  options: { limit: number; chunks: number },
): Promise<{ ns: number[]; frequencies: number[] }> => {
  const scores = new Map(among.map((n) => [n, 0]));
  const frequencies: number[] = [];
  for (const term of terms) {
    const match = await matchOf(db, reach, [term]);
    const all = await rowidsOf(db, kind, match, MATCHES_RANKED_PER_SCAN);
    const held = all.filter((n) => scores.has(n));
    frequencies.push(held.length);
    const rarity = rarityOf(held.length, options.chunks);
    for (const n of held) scores.set(n, (scores.get(n) ?? 0) + rarity);
  }
  return { ns: bestOf(scores, options.limit), frequencies };
};

const chooseMatches = async (
  db: Db,
  reach: Reach,
  restriction: Restriction,
  terms: readonly string[],
  options: { limit: number; chunks: number },
): Promise<{ matches: KeywordMatch[]; frequencies: number[] }> => {
  const kind = unitsOf(restriction);
  const match = await matchOf(db, reach, terms);
  if (options.chunks <= options.limit) {
    const matches = await matchesAmong(db, reach, restriction, terms, holders(kind, match));
    return { matches, frequencies: countTerms(matches, terms) };
  }
  const restricted = isRestricted(restriction);
  const ns = restricted
    ? await restrictedRowids(db, reach, restriction, match, MATCHES_RANKED_PER_SCAN)
    : await rowidsOf(db, kind, match, MATCHES_RANKED_PER_SCAN);
  if (ns.length <= options.limit) {
    const matches = await matchesAmong(db, reach, restriction, terms, inList(ns));
    return { matches, frequencies: countTerms(matches, terms) };
  }
  const limit = kind === 'memories' ? FORMER_VERSIONS * options.limit : options.limit;
  const rare = restricted
    ? await preferRareAmong(db, reach, kind, terms, ns, options)
    : await preferRare(db, reach, kind, terms, { ...options, limit });
  const allowed = await matchesAmong(db, reach, restriction, terms, inList(rare.ns));
  const found = new Map(allowed.map((match) => [match.n, match]));
  const matches = rare.ns.flatMap((n) => found.get(n) ?? []).slice(0, options.limit);
  return { matches, frequencies: rare.frequencies };
};

const average = (total: number, count: number): number => (count > 0 ? total / count : 1) || 1;

export const keyword = async (
  db: Db,
  reach: Reach,
  restriction: Restriction,
  terms: readonly string[],
  options: { wide: boolean; limit: number },
): Promise<KeywordMatches> => {
  const totals = await totalsOf(db, reach, unitsOf(restriction));
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

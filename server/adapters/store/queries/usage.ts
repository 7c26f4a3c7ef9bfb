// What language models took, summed by key and by container tag.
import { CompiledQuery, sql } from 'kysely';
import { DAY_MS } from '../../../lib/text/calendar.ts';
import type { Db } from '../tables.ts';
import type { Spent, TokenCount } from '../usage-port.ts';
import { inList } from './visible.ts';

const dayOf = (at: number): number => at - (at % DAY_MS);

const NO_KEY = '';

const ADDED = `on conflict do update set input_tokens = input_tokens + excluded.input_tokens,
  output_tokens = output_tokens + excluded.output_tokens`;

/** A tag that is gone by now counts nothing. */
export const addTokens = async (
  tx: Db,
  { key, tags }: Spent,
  { inputTokens, outputTokens }: TokenCount,
  now: number,
): Promise<void> => {
  const run = (statement: string, whose: string) =>
    tx.executeQuery(CompiledQuery.raw(statement, [whose, dayOf(now), inputTokens, outputTokens]));
  await run(
    `insert into key_tokens (key, day, input_tokens, output_tokens) values (?, ?, ?, ?) ${ADDED}`,
    key ?? NO_KEY,
  );
  await run(
    `insert into tag_tokens (tag, day, input_tokens, output_tokens)
       select n, ?2, ?3, ?4 from tags where tag in (select value from json_each(?1)) ${ADDED}`,
    JSON.stringify(tags),
  );
};

interface Sum {
  whose: string;
  input: number;
  output: number;
}

const countsOf = (sums: readonly Sum[]): Map<string, TokenCount> =>
  new Map(sums.map(({ whose, input, output }) => [whose, { inputTokens: input, outputTokens: output }]));

export const tokensOfKeys = async (db: Db): Promise<Map<string, TokenCount>> => {
  const { rows } =
    await sql<Sum>`select key as whose, sum(input_tokens) as input, sum(output_tokens) as output
    from key_tokens group by key`.execute(db);
  return countsOf(rows);
};

export const tokensOfTag = async (db: Db, tag: number): Promise<TokenCount> => {
  const { rows } = await sql<Sum>`select coalesce(sum(input_tokens), 0) as input,
    coalesce(sum(output_tokens), 0) as output from tag_tokens where tag = ${tag}`.execute(db);
  return { inputTokens: rows[0]?.input ?? 0, outputTokens: rows[0]?.output ?? 0 };
};

/** What was taken for the tags that are merged counts for the target. */
export const inheritTokens = async (tx: Db, sources: readonly number[], target: string): Promise<void> => {
  await tx.executeQuery(
    CompiledQuery.raw(
      `insert into tag_tokens (tag, day, input_tokens, output_tokens)
         select tags.n, day, sum(input_tokens), sum(output_tokens) from tag_tokens, tags
         where tags.tag = ?1 and tag_tokens.tag in (select value from json_each(?2)) group by tags.n, day ${ADDED}`,
      [target, JSON.stringify(sources)],
    ),
  );
};

export const eraseTokens = async (tx: Db, tags: readonly number[]): Promise<void> => {
  await tx.deleteFrom('tag_tokens').where('tag', 'in', inList(tags)).execute();
};

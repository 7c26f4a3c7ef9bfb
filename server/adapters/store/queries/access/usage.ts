// Tokens that language models used, summed by key and by container tag.
import { DAY_MS } from '../../../../lib/text/dates/calendar.ts';
import { numberList } from '../../engine/lists.ts';
import { run } from '../../engine/run.ts';
import type { Spent, TokenCount } from '../../ports/usage/usage.ts';
import type { Db } from '../../tables/tables.ts';

const startOfDay = (at: number): number => at - (at % DAY_MS);

const NO_KEY = '';

/** The owner of the tokens that a table counts. */
const COUNTED = { key_tokens: 'key', tag_tokens: 'tag' } as const;

const addedTo = (table: keyof typeof COUNTED): string => `on conflict (${COUNTED[table]}, day) do update set
  input_tokens = ${table}.input_tokens + excluded.input_tokens,
  output_tokens = ${table}.output_tokens + excluded.output_tokens`;

/** A tag that is gone by now counts nothing. */
export const addTokens = async (
  tx: Db,
  { key, tags }: Spent,
  { inputTokens, outputTokens }: TokenCount,
  now: number,
): Promise<void> => {
  const counts = [startOfDay(now), inputTokens, outputTokens];
  await run(
    tx,
    `insert into key_tokens (key, day, input_tokens, output_tokens) values ($1, $2, $3, $4) ${addedTo('key_tokens')}`,
    [key ?? NO_KEY, ...counts],
  );
  await run(
    tx,
    `insert into tag_tokens (tag, day, input_tokens, output_tokens)
       select n, cast($2 as bigint), cast($3 as bigint), cast($4 as bigint) from tags
       where tag in (select value from text_list($1)) order by n ${addedTo('tag_tokens')}`,
    [JSON.stringify(tags), ...counts],
  );
};

interface Sum {
  whose: string;
  input: number;
  output: number;
}

const tokenCounts = (sums: readonly Sum[]): Map<string, TokenCount> =>
  new Map(sums.map(({ whose, input, output }) => [whose, { inputTokens: input, outputTokens: output }]));

export const tokensOfKeys = async (db: Db): Promise<Map<string, TokenCount>> => {
  const { rows } = await run<Sum>(
    db,
    `select key as whose, sum(input_tokens) as input, sum(output_tokens) as output
       from key_tokens group by key`,
  );
  return tokenCounts(rows);
};

export const tokensOfTag = async (db: Db, tag: number): Promise<TokenCount> => {
  const { rows } = await run<Omit<Sum, 'whose'>>(
    db,
    `select coalesce(sum(input_tokens), 0) as input, coalesce(sum(output_tokens), 0) as output
       from tag_tokens where tag = $1`,
    [tag],
  );
  return { inputTokens: rows[0]?.input ?? 0, outputTokens: rows[0]?.output ?? 0 };
};

/** The tokens of the merged tags count for the target. */
export const inheritTokens = async (tx: Db, sources: readonly number[], target: string): Promise<void> => {
  await run(
    tx,
    `insert into tag_tokens (tag, day, input_tokens, output_tokens)
       select tags.n, day, sum(input_tokens), sum(output_tokens) from tag_tokens, tags
       where tags.tag = $1 and tag_tokens.tag in (select value from number_list($2)) group by tags.n, day
       ${addedTo('tag_tokens')}`,
    [target, JSON.stringify(sources)],
  );
};

export const eraseTokens = async (tx: Db, tags: readonly number[]): Promise<void> => {
  await tx.deleteFrom('tag_tokens').where('tag', 'in', numberList(tags)).execute();
};

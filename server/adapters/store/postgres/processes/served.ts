// The texts that processes returned lately, told to the workers, who recognise what an agent only repeats.
import type { Pool } from 'pg';

/** The texts that one answer returned, under its tags. */
export interface ServedTexts {
  readonly tags: readonly string[];
  readonly texts: readonly string[];
}

const FLUSH_MS = 1_000;
/** The most characters that wait for one write; further texts are left out. */
const MOST_CHARACTERS = 2_000_000;
const KEPT = '15 minutes';
/** A row may become visible after one with a later number, so numbers that are missing among the last are asked for again. */
const READ_AGAIN = 200;

export interface ServedSharing {
  /** Neither waits nor throws. */
  tell(told: ServedTexts): void;
}

export const createServedSharing = (pool: Pool, failed: (error: unknown) => void): ServedSharing => {
  let waiting: ServedTexts[] = [];
  let characters = 0;
  const flush = async (): Promise<void> => {
    const all = waiting;
    waiting = [];
    characters = 0;
    await pool.query(
      `with former as (delete from served where at < clock_timestamp() - interval '${KEPT}')
       insert into served (told) values ($1)`,
      [JSON.stringify(all).replaceAll('\\u0000', '')],
    );
  };
  return {
    tell(told) {
      if (characters > MOST_CHARACTERS) return;
      if (waiting.length === 0) setTimeout(() => flush().catch(failed), FLUSH_MS).unref();
      waiting.push(told);
      for (const text of told.texts) characters += text.length;
    },
  };
};

/** Each call answers with what other processes, and this one, told since the last. */
export const createServedReader = (pool: Pool): (() => Promise<readonly ServedTexts[]>) => {
  let last = 0;
  /** The numbers of the last rows: to read their texts again would take longer the more was told. */
  let known: readonly number[] = [];
  return async () => {
    const from = Math.max(0, last - READ_AGAIN);
    const { rows } = await pool.query<{ n: number; told: string }>(
      'select n, told from served where n > $1 and n <> all ($2::bigint[]) order by n',
      [from, known],
    );
    const read = rows.map(({ n }) => n);
    last = Math.max(last, ...read);
    known = [...known, ...read].filter((n) => n > last - READ_AGAIN);
    return rows.flatMap(({ told }) => JSON.parse(told) as ServedTexts[]);
  };
};

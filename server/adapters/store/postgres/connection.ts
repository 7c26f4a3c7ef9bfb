// The pool of connections to PostgreSQL, and statements in the shared language on one of them.

import type { QueryResult } from 'kysely';
import { LRUCache } from 'lru-cache';
import pg, { type Pool, type PoolClient, type PoolConfig } from 'pg';
import { translate } from '../engine/dialect.ts';
import { POSTGRES_WORDS } from './shared-words.ts';

/** A query that waits longer has lost its server: it fails, and the next one takes another connection. */
const QUERY_TIMEOUT_MS = 60_000;
const CONNECT_TIMEOUT_MS = 5_000;

const TEXT_FORMAT = 'text';
const BYTEA = 17;
const INT8 = 20;
const NUMERIC = 1700;

/** As bytes of their own: a Buffer would be a view of memory that it shares with others. */
const bytesOf = (text: string): Uint8Array => new Uint8Array(Buffer.from(text.slice('\\x'.length), 'hex'));

/** Numbers of 64 bits and sums come as text; those of the store are whole and fit a number of JavaScript. */
const PARSERS: ReadonlyMap<number, (text: string) => unknown> = new Map<number, (text: string) => unknown>([
  [BYTEA, bytesOf],
  [INT8, Number],
  [NUMERIC, Number],
]);

const typeParser: NonNullable<PoolConfig['types']>['getTypeParser'] = (
  type: number,
  format?: 'text' | 'binary',
) => {
  const own = (format ?? TEXT_FORMAT) === TEXT_FORMAT ? PARSERS.get(type) : undefined;
  return own ?? pg.types.getTypeParser(type, format);
};

export interface PoolOptions {
  readonly url: string;
  /** The most connections at a time. */
  readonly most: number;
  /** Statements are sent without waiting for the answers before them. */
  readonly pipeline?: boolean;
  /** Told when an idle connection ends; the pool opens another when one is needed. */
  readonly lost: (error: Error) => void;
}

export const openPool = ({ url, most, lost, pipeline = false }: PoolOptions): Pool => {
  const pool = new pg.Pool({
    connectionString: url,
    max: most,
    query_timeout: QUERY_TIMEOUT_MS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    pipeline,
    types: { getTypeParser: typeParser },
  });
  pool.on('error', lost);
  // While a connection is in use the pool does not listen: without a listener its end would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
};

const TRANSLATIONS_KEPT = 400;
const translations = new LRUCache<string, string>({ max: TRANSLATIONS_KEPT });

const inPostgres = (statement: string): string => {
  const known = translations.get(statement);
  if (known !== undefined) return known;
  const translated = translate(statement, POSTGRES_WORDS);
  translations.set(statement, translated);
  return translated;
};

/** PostgreSQL stores no NUL in a text. */
const withoutNul = (text: string): string => (text.includes('\0') ? text.replaceAll('\0', '') : text);

const bindableValue = (value: unknown): unknown => {
  if (value === undefined) return null;
  if (typeof value === 'boolean') return value ? 1 : 0;
  return typeof value === 'string' ? withoutNul(value) : value;
};

export const execute = async (
  on: Pool | PoolClient,
  statement: string,
  parameters: readonly unknown[],
): Promise<QueryResult<unknown>> => {
  const { rows, rowCount } = await on.query(inPostgres(statement), parameters.map(bindableValue));
  return { rows, numAffectedRows: BigInt(rowCount ?? 0) };
};

// The pool of connections to PostgreSQL, and statements in the shared language on one of them.

import type { Duplex } from 'node:stream';
import { LRUCache } from 'lru-cache';
import pg, { type Pool, type PoolClient, type PoolConfig, type QueryConfig } from 'pg';
import type { QueryResult } from '#kysely';
import { translate } from '../engine/dialect.ts';
import type { DatabaseLink } from './link.ts';
import { POSTGRES_WORDS } from './shared-words.ts';

/** A query that waits longer has lost its connection: it fails, and the next one takes another connection. */
const QUERY_TIMEOUT_MS = 60_000;
/** For what may take as long as the tables are large: the longest time that a timer takes. */
const LARGE_QUERY_TIMEOUT_MS = 2 ** 31 - 1;
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

/**
 * A statement keeps the plan that was made when it was prepared, and for a small table that is to read all of it: the table grows,
 * and the plan stays. A pooler passes no such options on, and nothing is prepared behind one.
 */
const BY_INDEX = '-c enable_seqscan=off';

export interface PoolOptions {
  readonly url: string;
  /** The most connections at a time. */
  readonly most: number;
  /** Statements are sent without waiting for the answers before them. */
  readonly pipeline?: boolean;
  /** The longest wait for an answer, where PostgreSQL itself ends longer statements. */
  readonly answerMs?: number;
  /** Ends the connections when the database becomes silent. */
  readonly link?: DatabaseLink;
  /** True: statements read by an index wherever there is one that serves. */
  readonly byIndex?: boolean;
  /** False: behind a pooler that gives each transaction another connection without its prepared statements. */
  readonly prepared?: boolean;
  /** Told when an idle connection ends; the pool opens another when one is needed. */
  readonly lost: (error: Error) => void;
}

/** The pools and connections that keep prepared statements. */
const preparing = new WeakSet<Pool | PoolClient>();
/** The connections that send statements without waiting for the answers before them. */
const pipelined = new WeakSet<Pool | PoolClient>();

export const openPool = (options: PoolOptions): Pool => {
  const { url, most, lost, link, answerMs = QUERY_TIMEOUT_MS } = options;
  const { pipeline = false, prepared = true, byIndex = false } = options;
  const pool = new pg.Pool({
    connectionString: url,
    max: most,
    query_timeout: answerMs,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    pipeline,
    ...(prepared && byIndex ? { options: BY_INDEX } : {}),
    ...(link === undefined ? {} : { stream: link.socket }),
    types: { getTypeParser: typeParser },
  });
  // The pool hangs the whole connection with its settings on the error, which no log should show.
  pool.on('error', ({ message }) => lost(new Error(message)));
  // While a connection is in use the pool does not listen: without a listener its end would end the process.
  pool.on('connect', (client) => {
    client.on('error', () => undefined);
    if (prepared) preparing.add(client);
    if (pipeline) pipelined.add(client);
  });
  if (prepared) preparing.add(pool);
  return pool;
};

interface OpenConnection {
  readonly connection: { readonly stream: Duplex };
}

/**
 * All data that are sent to a connection in one turn of the event loop leave in one packet: each packet wakes both processes,
 * which takes longer than a short query.
 */
export const inOnePacket = (client: PoolClient): void => {
  const { stream } = (client as PoolClient & OpenConnection).connection;
  if (stream.writableCorked > 0) return;
  stream.cork();
  process.nextTick(() => stream.uncork());
};

/** Changes of the schema and vacuums, in PostgreSQL's own language. */
export const executeLarge = async (on: Pool | PoolClient, text: string): Promise<void> => {
  const query: QueryConfig & { query_timeout: number } = { text, query_timeout: LARGE_QUERY_TIMEOUT_MS };
  await on.query(query);
};

interface Statement {
  readonly text: string;
  /** The places of its parameters that are lists of texts, from 0. */
  readonly textLists: ReadonlySet<number>;
  runs: number;
  /** Null: it is not prepared. */
  name: string | null;
}

const STATEMENTS_KEPT = 400;
const statements = new LRUCache<string, Statement>({ max: STATEMENTS_KEPT });

/** A connection keeps what it prepared for ever, so only what is run again and again is prepared, and no more than so many. */
const RUNS_BEFORE_PREPARED = 3;
const MOST_PREPARED = 400;
let named = 0;

const TEXT_LIST = /\btext_list\(\$(\d+)\)/g;

const statementOf = (shared: string): Statement => {
  const known = statements.get(shared);
  if (known !== undefined) return known;
  const textLists = new Set([...shared.matchAll(TEXT_LIST)].map(([, n]) => Number(n) - 1));
  const statement: Statement = { text: translate(shared, POSTGRES_WORDS), textLists, runs: 0, name: null };
  statements.set(shared, statement);
  return statement;
};

/** With the name under which a connection prepares it: planning a statement may take longer than running it. */
const preparedQuery = (statement: Statement): { text: string; name?: string } => {
  statement.runs += 1;
  if (statement.name === null && statement.runs > RUNS_BEFORE_PREPARED && named < MOST_PREPARED) {
    named += 1;
    statement.name = `memoir_${named}`;
  }
  const { text, name } = statement;
  return name === null ? { text } : { text, name };
};

/** PostgreSQL stores no NUL in a text. */
export const withoutNul = (text: string): string => (text.includes('\0') ? text.replaceAll('\0', '') : text);

/** In JSON PostgreSQL also refuses half of a pair of code units, which other texts lose on the way. */
const REFUSED_IN_JSON = /\\u(?:0000|d[89a-f])/i;

const bindableList = (list: string): string =>
  REFUSED_IN_JSON.test(list)
    ? JSON.stringify((JSON.parse(list) as string[]).map((text) => withoutNul(text.toWellFormed())))
    : list;

const bindableValue = (value: unknown): unknown => {
  if (value === undefined) return null;
  if (typeof value === 'boolean') return value ? 1 : 0;
  return typeof value === 'string' ? withoutNul(value) : value;
};

/** A statement as `execute` takes it. */
export type StatementCall = readonly [statement: string, parameters: readonly unknown[]];

export const execute = async (
  on: Pool | PoolClient,
  statement: string,
  parameters: readonly unknown[],
): Promise<QueryResult<unknown>> => {
  const known = statementOf(statement);
  const query = preparing.has(on) ? preparedQuery(known) : { text: known.text };
  const values = parameters.map((value, at) =>
    typeof value === 'string' && known.textLists.has(at) ? bindableList(value) : bindableValue(value),
  );
  if (pipelined.has(on)) inOnePacket(on as PoolClient);
  const { rows, rowCount } = await on.query({ ...query, values });
  return { rows, numAffectedRows: BigInt(rowCount ?? 0) };
};

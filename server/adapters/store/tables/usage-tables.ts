// The tables of usage: calls by hour and by day, the same by container tag, and the log of requests.
import type { Generated } from '#kysely';
import type { QuotaHolder } from '../ports/usage/quotas.ts';

type Bucket =
  | 'b0'
  | 'b1'
  | 'b2'
  | 'b3'
  | 'b4'
  | 'b5'
  | 'b6'
  | 'b7'
  | 'b8'
  | 'b9'
  | 'b10'
  | 'b11'
  | 'b12'
  | 'b13'
  | 'b14'
  | 'b15';

/** The numbers of calls of one kind in one hour or day; all of them add up. */
export interface UsageCallsTable extends Record<Bucket, number> {
  span: 'hour' | 'day';
  /** Its first moment, UTC. */
  start: number;
  /** Empty: the call came without a valid key. */
  key: string;
  /** Empty: it reached no operation. */
  operation: string;
  way: string;
  status: number;
  count: number;
  sum_ms: number;
  max_ms: number;
  /** Documents that the calls added, and the bytes of their content. */
  documents: number;
  bytes: number;
  last_at: number;
}

/** A call that names several tags counts for each of them. */
export interface UsageTagsTable {
  span: 'hour' | 'day';
  start: number;
  /** 0: tags that are gone. */
  tag: number;
  type: string;
  count: number;
  documents: number;
  bytes: number;
  last_at: number;
}

export interface RequestsTable {
  n: Generated<number>;
  at: number;
  /** The request id. */
  id: string;
  type: string;
  operation: string;
  way: string;
  key: string;
  status: number;
  ms: number;
  /** JSON. */
  input: string;
  output: string;
}

export interface QuotasTable {
  holder: QuotaHolder;
  /** The id of a key or member, or the text of a tag. */
  subject: string;
  quota: string;
  most: number;
}

/** The documents and memories whose texts a row of the request log may hold. */
export interface RequestUnitsTable {
  request: number;
  unit: string;
}

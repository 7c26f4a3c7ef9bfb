// The reads that may take long, by name: run where they are called, or on the reading thread.
import type { Handlers } from '../../../lib/rpc.ts';
import { extent } from '../queries/extent.ts';
import { keyword } from '../queries/keyword.ts';
import { named } from '../queries/named.ts';
import { compare, pending, scan } from '../queries/nearest.ts';
import type { Db } from '../tables.ts';

type Tail<F> = F extends (db: Db, ...rest: infer R) => infer A ? (...rest: R) => A : never;

const bind = <F extends (db: Db, ...rest: never[]) => Promise<unknown>>(db: Db, query: F): Tail<F> =>
  ((...rest: never[]) => query(db, ...rest)) as Tail<F>;

export const createReads = (db: Db) =>
  ({
    extent: bind(db, extent),
    keyword: bind(db, keyword),
    scan: bind(db, scan),
    pending: bind(db, pending),
    compare: bind(db, compare),
    named: bind(db, named),
  }) satisfies Handlers;

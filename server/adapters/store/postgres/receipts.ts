// Receipts of writes. A connection may break between a commit and its answer, and nobody knows then if the write was stored. So
// each transaction stores a row that names its write, in the packet of its commit. A repetition begins with the same row: PostgreSQL
// refuses it if the write was stored, lets it wait while the first transaction goes on, and refuses the first one's if that is late.
// The status of a transaction by its number would not do: a number that a crash or a failover lost is given to another transaction.
import { randomUUID } from 'node:crypto';
import { codesOf } from '../../../lib/faults/storage-fault.ts';
import type { StatementCall } from './connection.ts';

/** A writer erases its receipts of so many writes at once. */
const ERASED_TOGETHER = 256;
/** Receipts of processes that ended are left over. No write takes a day. */
const LEFT_OVER = `delete from write_receipts where (writer, n) in
  (select writer, n from write_receipts where at < now() - interval '1 day' for update skip locked)`;

const UNIQUE_VIOLATION = '23505';
const KEY = 'write_receipts_pkey';

export interface Receipt {
  /** Stores it, before the commit. What changes nothing needs none, and may be done again. */
  leave(attempt: number): StatementCall;
  /** Further statements before the commit: erases what is no longer needed, now and then. */
  erase(): string[];
  /** The statement that stores it at the beginning of a repetition. It fails if the write was stored. */
  claim(attempt: number): string;
  /** The query for the attempt that was stored. */
  readonly question: string;
  /** The write has its answer. */
  close(): void;
}

export interface Receipts {
  next(): Receipt;
}

/** True: the write of this receipt was stored by an earlier attempt. */
export const isReceiptTaken = (error: unknown): boolean =>
  codesOf(error).code === UNIQUE_VIOLATION && (error as { constraint?: string }).constraint === KEY;

const LEAVE = `insert into write_receipts (writer, n, attempt)
  select cast($1 as uuid), cast($2 as bigint), cast($3 as smallint) where pg_current_xact_id_if_assigned() is not null`;

export const createReceipts = (): Receipts => {
  const writer = randomUUID();
  const open = new Set<number>();
  let last = 0;
  let erased = 0;

  const erase = (): string[] => {
    const [oldest = last] = open;
    const from = erased;
    erased = oldest;
    const own = `delete from write_receipts where writer = '${writer}' and n >= ${from} and n < ${oldest}`;
    return from === 0 ? [own, LEFT_OVER] : [own];
  };

  return {
    next() {
      last += 1;
      const n = last;
      open.add(n);
      const mine = `writer = '${writer}' and n = ${n}`;
      return {
        leave: (attempt) => [LEAVE, [writer, n, attempt]],
        erase: () => (n % ERASED_TOGETHER === 0 ? erase() : []),
        claim: (attempt) =>
          `insert into write_receipts (writer, n, attempt) values ('${writer}', ${n}, ${attempt})`,
        question: `select attempt from write_receipts where ${mine}`,
        close: () => void open.delete(n),
      };
    },
  };
};

// The next numbers of a container, in a row apart from its counts: who takes numbers holds the row until its commit, and those
// who add documents to the container would wait for it. `containers` says where the numbers begin.
import { CONTAINER_SPAN, MEMORY_OFFSET } from '../../../core/chunks/chunk-number.ts';
import type { NumberedUnits, UnitNumbers } from '../engine/engine.ts';
import { run } from '../engine/run.ts';
import type { Db } from '../tables/tables.ts';

const takeStatement = (next: string, first: string): string => `insert into unit_numbers as own
    (container, next_seq, next_memory) select n, ${first} from containers where n = $2
  on conflict (container) do update set ${next} = own.${next} + $1 returning ${next} as next`;

const TAKE: Readonly<Record<NumberedUnits, string>> = {
  chunks: takeStatement('next_seq', 'next_seq + $1, next_memory'),
  memories: takeStatement('next_memory', 'next_seq, next_memory + $1'),
};

/** Of the present write: the first number that it took, by container and kind of unit. */
const taken = new WeakMap<Db, Map<number, number>>();

/** A write begins. */
export const forgetTaken = (tx: Db): void => void taken.delete(tx);

const noteTaken = (tx: Db, first: number): void => {
  const own = taken.get(tx) ?? new Map<number, number>();
  const part = Math.floor(first / MEMORY_OFFSET);
  own.set(part, Math.min(first, own.get(part) ?? first));
  taken.set(tx, own);
};

/** True: this write took it. All higher numbers of its container and kind are taken by later writes. */
export const isNewNumber = (tx: Db, n: number): boolean => {
  const first = taken.get(tx)?.get(Math.floor(n / MEMORY_OFFSET));
  return first !== undefined && n >= first;
};

const OFFSETS: Readonly<Record<NumberedUnits, number>> = { chunks: 0, memories: MEMORY_OFFSET };

export const postgresNumbers: UnitNumbers = {
  async take(tx, { units, container, count }) {
    const { rows } = await run<{ next: number }>(tx, TAKE[units], [count, container]);
    const [row] = rows;
    if (row === undefined) throw new Error(`Container ${container} is missing`);
    const first = row.next - count;
    noteTaken(tx, container * CONTAINER_SPAN + OFFSETS[units] + first);
    return first;
  },
};

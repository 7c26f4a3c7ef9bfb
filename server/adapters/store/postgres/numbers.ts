// The next numbers of a container, in a row apart from its counts: who takes numbers holds the row until its commit, and those
// who add documents to the container would wait for it. `containers` says where the numbers begin.
import type { NumberedUnits, UnitNumbers } from '../engine/engine.ts';
import { run } from '../engine/run.ts';

const takeStatement = (next: string, first: string): string => `insert into unit_numbers as own
    (container, next_seq, next_memory) select n, ${first} from containers where n = $2
  on conflict (container) do update set ${next} = own.${next} + $1 returning ${next} as next`;

const TAKE: Readonly<Record<NumberedUnits, string>> = {
  chunks: takeStatement('next_seq', 'next_seq + $1, next_memory'),
  memories: takeStatement('next_memory', 'next_seq, next_memory + $1'),
};

export const postgresNumbers: UnitNumbers = {
  async take(tx, { units, container, count }) {
    const { rows } = await run<{ next: number }>(tx, TAKE[units], [count, container]);
    const [row] = rows;
    if (row === undefined) throw new Error(`Container ${container} is missing`);
    return row.next - count;
  },
};

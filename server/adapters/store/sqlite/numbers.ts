// The next numbers of a container, in its own row.
import type { NumberedUnits, UnitNumbers } from '../engine/engine.ts';
import { run } from '../engine/run.ts';

const NEXT: Readonly<Record<NumberedUnits, string>> = { chunks: 'next_seq', memories: 'next_memory' };

export const sqliteNumbers: UnitNumbers = {
  async take(tx, { units, container, count }) {
    const { rows } = await run<{ next: number }>(
      tx,
      `update containers set ${NEXT[units]} = ${NEXT[units]} + $1 where n = $2 returning ${NEXT[units]} as next`,
      [count, container],
    );
    const [row] = rows;
    if (row === undefined) throw new Error(`Container ${container} is missing`);
    return row.next - count;
  },
};

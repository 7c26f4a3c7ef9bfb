// The memories that a later one perhaps replaces, so that the later one can come first.
import { wasSaidBefore } from '../../../../core/statements/spoken-time.ts';
import { numberList } from '../../engine/lists.ts';
import { scopedTemplate, template } from '../../engine/template.ts';
import type { DoubtKind } from '../../ports/memories/memories.ts';
import type { ScopedRead } from '../../statements/contexts.ts';
import { isLive } from '../../statements/memory-rows.ts';
import { withMemories } from '../../statements/scoped-views.ts';
import { spokenTime } from './versions.ts';

const doubtsAbout = template((db, at: (name: 'ns' | 'kind') => never) =>
  db
    .selectFrom('memory_relations')
    .select(['memory', 'other'])
    .where('other', 'in', numberList(at('ns')))
    .where('kind', '=', at('kind'))
    .orderBy('memory'),
);

const spokenMemories = scopedTemplate((db, reach, at: (name: 'ns') => never) =>
  withMemories(db, reach)
    .selectFrom('visible_memories')
    .select(['n', 'root', 'said_at', 'heard_at'])
    .where('n', 'in', numberList(at('ns'))),
);

/** The live memory of each chain, by the first of the chain. */
export const liveOfChains = scopedTemplate((db, reach, at: (name: 'roots' | 'now') => never) =>
  withMemories(db, reach)
    .selectFrom('visible_memories')
    .select(['n', 'root'])
    .where('root', 'in', numberList(at('roots')))
    .where(isLive(at('now'))),
);

/** The memories among these that are in doubt, each with the live memory that puts it there. A memory that was said again since then is in no doubt. */
export const memoriesInDoubt = async (
  { db, reach, now }: ScopedRead,
  ns: readonly number[],
  kind: DoubtKind,
): Promise<Map<number, number>> => {
  const doubts = ns.length === 0 ? [] : await doubtsAbout(db, { ns: JSON.stringify(ns), kind });
  if (doubts.length === 0) return new Map();
  const numbers = [...new Set(doubts.flatMap(({ memory, other }) => [memory, other]))];
  const rows = await spokenMemories(db, reach, { ns: JSON.stringify(numbers) });
  const spoken = new Map(rows.map((row) => [row.n, row]));
  const roots = [...new Set(rows.map(({ root }) => root))];
  const live = await liveOfChains(db, reach, { roots: JSON.stringify(roots), now });
  const liveIn = new Map(live.map(({ n, root }) => [root, n]));
  return new Map(
    doubts.flatMap(({ memory, other }): [number, number][] => {
      const [later, earlier] = [spoken.get(memory), spoken.get(other)];
      const by = later && liveIn.get(later.root);
      if (!later || !earlier || by === undefined) return [];
      return wasSaidBefore(spokenTime(later), spokenTime(earlier)) ? [] : [[other, by]];
    }),
  );
};

// Tests of the chunks and documents that a process keeps in memory: whatever another process stored, changed, moved or removed, a
// search finds what one without memory finds.
import { expect, test } from 'vitest';
import type { Scope } from '../../../../server/core/scope.ts';
import { chanceOf } from '../contract/chance.ts';
import { contentPatch, everything, only, openWorld, type World } from '../contract/world.ts';
import { migratedPostgres, openPostgresAt } from '../open-postgres.ts';
import { describeOnPostgres } from './with-postgres.ts';

const STEPS = 48;
const STEPS_OF_A_LOOK = 6;
const SCOPES: readonly Scope[] = [everything, only('a'), only('b'), only('a', 'b')];
const WORD = 'zebra';
/** More than there will ever be. */
const MANY = 1000;

/** All that a search of the word reads in a scope. */
const search = async ({ store }: Pick<World, 'store'>, scope: Scope) => {
  const { matches } = await store.search.keyword(scope, {}, [WORD], { aside: false, limit: MANY });
  const byNumber = <Each extends { readonly n: number }>(all: readonly Each[]): Each[] =>
    all.toSorted((a, b) => a.n - b.n);
  const passages = byNumber(
    await store.search.passages(
      scope,
      {},
      matches.map(({ n }) => n),
    ),
  );
  const documents = [...new Set(matches.map(({ document }) => document))].sort((a, b) => a - b);
  const stretches = documents.map((document) => ({ document, from: 0, to: MANY }));
  const neighbours = await store.search.neighbours(scope, stretches);
  return {
    matches: byNumber(matches),
    passages,
    neighbours: neighbours.map((all) => all.map(({ n, text, position }) => ({ n, text, position }))),
  };
};

const paragraphs = (names: readonly string[]): string =>
  names.map((name) => `The ${WORD} ${name} rests.`).join('\n\n');

await describeOnPostgres('rows in memory', migratedPostgres, (postgres) => {
  test('a search finds what one without memory finds, whatever another process does', async () => {
    const url = await postgres.take();
    const chance = chanceOf(11);
    await using first = await openWorld(openPostgresAt(url));
    await using second = await openWorld(openPostgresAt(url));
    const worlds = [first, second] as const;
    const ids: string[] = [];
    const names = (): string[] => Array.from({ length: 1 + chance.below(4) }, () => `name${chance.below(6)}`);
    const some = (): string => chance.pick(ids) ?? '';

    const steps: readonly ((world: World) => Promise<unknown>)[] = [
      async (world) =>
        ids.push(await world.add(paragraphs(names()), { tags: [chance.pick(['a', 'b']) ?? 'a'] })),
      // Passages that stay get other positions.
      (world) => world.patch(some(), contentPatch(paragraphs(names()))),
      (world) => world.patch(some(), { title: `Title ${chance.below(100)}` }),
      (world) => world.patch(some(), { metadata: { line: chance.below(100) } }),
      (world) => world.patch(some(), { tags: [chance.pick(['a', 'b']) ?? 'a'] }),
      async (world) => {
        const [id = ''] = ids.splice(chance.below(ids.length), 1);
        await world.store.documents.remove(everything, { by: 'ids', ids: [id] });
      },
    ];
    for (let at = 0; at < 5; at++) await steps[0]?.(first);
    let found = 0;
    for (let at = 0; at < STEPS; at++) {
      const world = worlds[at % 2 === 0 ? 0 : 1];
      if (ids.length < 4) await steps[0]?.(world);
      await chance.pick(steps)?.(world);
      if (chance.below(3) > 0) await world.index();
      for (const each of worlds) for (const scope of SCOPES) await search(each, scope);
      if (at % STEPS_OF_A_LOOK !== 0) continue;
      await using cold = await openWorld(openPostgresAt(url));
      for (const scope of SCOPES) {
        const expected = await search(cold, scope);
        found += expected.passages.length;
        for (const each of worlds) expect(await search(each, scope), `after step ${at}`).toEqual(expected);
      }
    }
    expect(found).toBeGreaterThan(50);
    await postgres.giveBack(url);
  });
});
